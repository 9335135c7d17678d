// Deadlock detection: queues that wait for each other and can never move again.
#include <algorithm>
#include <stdexcept>

#include "isoplane/sim/engine.hpp"

namespace isoplane::sim {

// Finds the queues that a blocked queue waits for, any one of which would unblock it if it moved.
//
// A head waits for a channel. A channel held by another packet becomes free when the queue of that packet moves; a free
// one lacks credits, which return when the queue at its end moves. A body waits for credits of its own channel.
// `returning` are credits in flight. Returns false if the queue will move on even if no other one moves.
bool Engine::queues_waited_for(std::uint32_t queue_index, const std::vector<std::int32_t>& returning,
                               std::vector<std::uint32_t>& found) const {
  found.clear();
  const Queue& queue = queues_[queue_index];
  const Element& element = elements_[input_configs_[queue_index >> channel_bits_].element];
  const std::uint32_t output_index = element.out_base + queue.out;
  const OutputConfig& output = output_configs_[output_index];
  if (output.target_input == kNone) return false;  // nodes consume all flits
  const Packet& packet = packets_[queue.packet];
  const bool body = queue.channel != kNoChannel;
  const auto [first, last] = wanted_channels(element, queue);
  const std::int32_t need = body || plan_.flow_control == FlowControl::kWormhole ? 1 : packet.flits;
  for (int v = first; v < last; ++v) {
    const std::uint32_t channel_index = (output_index << channel_bits_) + static_cast<std::uint32_t>(v);
    const Channel& channel = channels_[channel_index];
    const bool held = !body && channel.owner != kNone;
    if (!held && channel.credits + returning[channel_index] >= need) return false;
    found.push_back(held ? channel.owner : (output.target_input << channel_bits_) + static_cast<std::uint32_t>(v));
  }
  return true;
}

// Blocked queues that no sequence of events can unblock, ascending, with the queues that each of them waits for.
std::vector<std::uint32_t> Engine::deadlocked_queues(std::vector<std::vector<std::uint32_t>>& waits_for) const {
  std::vector<std::uint32_t> blocked, found;
  for (std::uint32_t i = 0; i < queues_.size(); ++i)
    if ((queues_[i].state & kBlocked) != 0) blocked.push_back(i);
  waits_for.clear();
  if (blocked.empty()) return {};
  const std::vector<std::int32_t> returning = credits_in_flight();
  std::vector<std::uint8_t> dead(queues_.size(), 0);
  std::vector<std::vector<std::uint32_t>> needs(blocked.size()), waiting_on(blocked.size());
  std::unordered_map<std::uint32_t, std::uint32_t> index_of;
  for (std::uint32_t i = 0; i < blocked.size(); ++i) index_of[blocked[i]] = i;
  std::vector<std::uint32_t> alive;  // indices of queues that will move
  for (std::uint32_t i = 0; i < blocked.size(); ++i) {
    bool waits = queues_waited_for(blocked[i], returning, found);
    for (const std::uint32_t other : found) waits = waits && (queues_[other].state & kBlocked) != 0;
    dead[blocked[i]] = waits;
    if (!waits) {
      alive.push_back(i);
      continue;
    }
    for (const std::uint32_t other : found) waiting_on[index_of[other]].push_back(i);
    needs[i] = found;
  }
  while (!alive.empty()) {
    const std::uint32_t moving = alive.back();
    alive.pop_back();
    for (const std::uint32_t i : waiting_on[moving]) {
      if (!dead[blocked[i]]) continue;
      dead[blocked[i]] = 0;
      alive.push_back(i);
    }
  }
  std::vector<std::uint32_t> remaining;
  for (std::uint32_t i = 0; i < blocked.size(); ++i) {
    if (!dead[blocked[i]]) continue;
    remaining.push_back(blocked[i]);
    waits_for.push_back(needs[i]);
  }
  return remaining;
}

WaitingChannel Engine::waiting_channel(std::uint32_t queue_index) const {
  const Element& element = elements_[input_configs_[queue_index >> channel_bits_].element];
  return {element.plane, element.local, queues_[queue_index].out, queue_index & ((1u << channel_bits_) - 1)};
}

// Removes a flit of a dropped packet from its queue.
void Engine::discard(std::uint32_t queue_index, Queue& queue) {
  const InputConfig& input = input_configs_[queue_index >> channel_bits_];
  ++counters_.flits_dropped;
  if (input.upstream == kNone) {
    ++counters_.flits_injected;
  } else {
    return_credit(queue_index, input);
  }
  --queue.flits_unsent;
  --queue.flits_arrived;
  if (queue.flits_unsent == 0) {
    if (input.upstream == kNone) ++counters_.packets_injected;
    const std::uint32_t packet = queue.packet;
    next_packet(elements_[input.element], queue_index, queue);
    drop_packet(packet);
  } else if (queue.flits_arrived == 0) {
    clear_ready(queue_index);
  }
}

// Reports a deadlock, or drops a packet of each cycle until no deadlock is left.
void Engine::check_deadlock() {
  std::vector<std::vector<std::uint32_t>> waits_for;
  for (;;) {
    const std::vector<std::uint32_t> dead = deadlocked_queues(waits_for);
    if (dead.empty()) return;
    ++counters_.deadlocks;
    std::vector<std::uint32_t> path;
    std::uint32_t current = dead.front();
    while (std::find(path.begin(), path.end(), current) == path.end()) {
      path.push_back(current);
      const auto index = std::lower_bound(dead.begin(), dead.end(), current) - dead.begin();
      current = waits_for[static_cast<std::size_t>(index)].front();
    }
    path.erase(path.begin(), std::find(path.begin(), path.end(), current));
    if (!plan_.drop_deadlocked) {
      for (const std::uint32_t queue : path) deadlock_.push_back(waiting_channel(queue));
      return;
    }
    drop_packet_of(path);
  }
}

// Drops a packet of a cycle: that of the lowest queue whose head waits for a channel. There is always such a queue.
// Otherwise every queue of the cycle would hold the channel to the next one, and all would be full. But the last flit
// sent into the cycle came over a channel held by a queue outside of it; since then nothing has moved along the full
// cycle, so no queue of the cycle can have acquired that channel.
void Engine::drop_packet_of(const std::vector<std::uint32_t>& cycle) {
  std::uint32_t chosen = kNone;
  for (const std::uint32_t queue_index : cycle)
    if (queues_[queue_index].channel == kNoChannel) chosen = std::min(chosen, queue_index);
  if (chosen == kNone) throw std::logic_error("a cycle of waiting packets without a waiting head");
  Queue& queue = queues_[chosen];
  toggle_waiting(elements_[input_configs_[chosen >> channel_bits_].element], chosen, -1);
  queue.state = static_cast<std::uint8_t>((queue.state & ~kBlocked) | kDropping);
  set_ready(chosen);
}

}  // namespace isoplane::sim
