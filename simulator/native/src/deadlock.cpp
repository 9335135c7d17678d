// Deadlocks: queues that wait for each other and can never move again.
#include <algorithm>
#include <stdexcept>

#include "isoplane/sim/engine.hpp"

namespace isoplane::sim {

// What a blocked queue waits for: other queues, any of which would set it free; nothing where it will go on by itself.
//
// A head waits for a channel. One that another packet holds comes free when the queue of that packet moves; one that is
// free lacks credits, which come back when the queue at its end moves. A body waits for credits of its own channel.
// `returning` are credits that are under way. Returns false where no wait is needed.
bool Engine::resources(std::uint32_t queue_index, const std::vector<std::int32_t>& returning,
                       std::vector<std::uint32_t>& found) const {
  found.clear();
  const Queue& queue = queues_[queue_index];
  const Element& element = elements_[input_places_[queue_index >> shift_].element];
  const std::uint32_t output_index = element.out_base + queue.out;
  const OutputPlace& output = output_places_[output_index];
  if (output.target_input == kNone) return false;  // nodes take what comes
  const Packet& packet = packets_[queue.packet];
  const bool body = queue.channel != kNoChannel;
  const auto [first, last] = wanted_channels(element, queue);
  const std::int32_t need = body || plan_.flow == FlowControl::kWormhole ? 1 : packet.flits;
  for (int v = first; v < last; ++v) {
    const std::uint32_t channel_index = (output_index << shift_) + static_cast<std::uint32_t>(v);
    const Channel& channel = channels_[channel_index];
    const bool held = !body && channel.owner != kNone;
    if (!held && channel.credits + returning[channel_index] >= need) return false;
    found.push_back(held ? channel.owner : (output.target_input << shift_) + static_cast<std::uint32_t>(v));
  }
  return true;
}

// Blocked queues that no sequence of events sets free, ascending, with what each of them waits for.
std::vector<std::uint32_t> Engine::dead_queues(std::vector<std::vector<std::uint32_t>>& waits_for) const {
  std::vector<std::uint32_t> blocked, found;
  for (std::uint32_t i = 0; i < queues_.size(); ++i)
    if ((queues_[i].state & kBlocked) != 0) blocked.push_back(i);
  waits_for.clear();
  if (blocked.empty()) return {};
  const std::vector<std::int32_t> returning = credits_under_way();
  std::vector<std::uint8_t> dead(queues_.size(), 0);
  std::vector<std::vector<std::uint32_t>> needs(blocked.size()), waiting_on(blocked.size());
  std::unordered_map<std::uint32_t, std::uint32_t> number;
  for (std::uint32_t i = 0; i < blocked.size(); ++i) number[blocked[i]] = i;
  std::vector<std::uint32_t> alive;  // numbers of those that will move
  for (std::uint32_t i = 0; i < blocked.size(); ++i) {
    bool waits = resources(blocked[i], returning, found);
    for (const std::uint32_t other : found) waits = waits && (queues_[other].state & kBlocked) != 0;
    dead[blocked[i]] = waits;
    if (!waits) {
      alive.push_back(i);
      continue;
    }
    for (const std::uint32_t other : found) waiting_on[number[other]].push_back(i);
    needs[i] = found;
  }
  while (!alive.empty()) {
    const std::uint32_t mover = alive.back();
    alive.pop_back();
    for (const std::uint32_t i : waiting_on[mover]) {
      if (!dead[blocked[i]]) continue;
      dead[blocked[i]] = 0;
      alive.push_back(i);
    }
  }
  std::vector<std::uint32_t> left;
  for (std::uint32_t i = 0; i < blocked.size(); ++i) {
    if (!dead[blocked[i]]) continue;
    left.push_back(blocked[i]);
    waits_for.push_back(needs[i]);
  }
  return left;
}

Waiting Engine::waiting_of(std::uint32_t queue_index) const {
  const Element& element = elements_[input_places_[queue_index >> shift_].element];
  return {element.plane, element.local, queues_[queue_index].out, queue_index & ((1u << shift_) - 1)};
}

// Reports a deadlock, or takes one packet out of each cycle until there is none.
void Engine::look_for_deadlock() {
  std::vector<std::vector<std::uint32_t>> waits_for;
  for (;;) {
    const std::vector<std::uint32_t> dead = dead_queues(waits_for);
    if (dead.empty()) return;
    ++counters_.deadlocks;
    std::vector<std::uint32_t> path;
    std::uint32_t at = dead.front();
    while (std::find(path.begin(), path.end(), at) == path.end()) {
      path.push_back(at);
      const auto place = std::lower_bound(dead.begin(), dead.end(), at) - dead.begin();
      at = waits_for[static_cast<std::size_t>(place)].front();
    }
    path.erase(path.begin(), std::find(path.begin(), path.end(), at));
    if (!plan_.drop_deadlocked) {
      for (const std::uint32_t queue : path) deadlock_.push_back(waiting_of(queue));
      return;
    }
    drop_one_of(path);
  }
}

// Takes a packet out of a cycle: the one of the smallest queue whose head waits for a channel. There is always such a
// queue. Otherwise every queue of the cycle would hold the channel to the next one, and all would be full. But the last
// flit that was sent into the cycle came over a channel that a queue outside of it held; nothing has moved along the
// cycle since then, as there was no room left in it, so no queue of the cycle can have been given that channel.
void Engine::drop_one_of(const std::vector<std::uint32_t>& cycle) {
  std::uint32_t chosen = kNone;
  for (const std::uint32_t queue_index : cycle)
    if (queues_[queue_index].channel == kNoChannel) chosen = std::min(chosen, queue_index);
  if (chosen == kNone) throw std::logic_error("a cycle of waiting packets without a head that waits");
  Queue& queue = queues_[chosen];
  toggle_waiting(elements_[input_places_[chosen >> shift_].element], chosen, -1);
  queue.state = static_cast<std::uint8_t>((queue.state & ~kBlocked) | kDropping);
  set_ready(chosen);
}

}  // namespace isoplane::sim
