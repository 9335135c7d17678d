// The phases of a tick: arrivals, creation of messages, allocation.
#include "isoplane/sim/engine.hpp"

#include <algorithm>
#include <bit>

namespace isoplane::sim {

namespace {
// All events of a tick are in one list, so their queues can be prefetched.
constexpr std::size_t kPrefetchDistance = 12;

#ifdef NDEBUG
constexpr bool kAuditEnabled = false;
#else
constexpr bool kAuditEnabled = true;
#endif
constexpr Tick kAuditEvery = 256;
}  // namespace

Engine::Engine(Plan plan, TrafficPlan traffic, std::uint64_t seed, const Pairs& tracked_pairs)
    : plan_((plan.check(), std::move(plan))),
      traffic_plan_((traffic.check(plan_.nodes()), std::move(traffic))),
      traffic_(traffic_plan_, plan_.nodes(), seed),
      channel_bits_(std::bit_width(static_cast<unsigned>(plan_.channels - 1))),
      arrivals_(horizon()),
      credits_(horizon()),
      sinks_(horizon()) {
  for (const PlanePlan& plane : plan_.planes) routes_.emplace_back(plane.routes, plane.ports);
  min_flits_ = plan_.flow_control == FlowControl::kWormhole || !plan_.padded
                   ? 1
                   : static_cast<std::uint16_t>(plan_.packet_flits());
  build();
  seed_paths(seed);
  start_look_ups();
  std::uint16_t inputs = 0, outputs = 0;
  for (const Element& element : elements_) {
    inputs = std::max(inputs, element.inputs);
    outputs = std::max(outputs, element.outputs);
  }
  best_.assign(outputs, kNone);
  ready_inputs_.resize(inputs);
  requests_.resize(inputs);
  counters_.sent.resize(plan_.nodes());
  counters_.received.resize(plan_.nodes());
  counters_.collisions_at.resize(elements_.size());
  counters_.link_flits.resize(outputs_.size());

  counters_.by_pair.resize(tracked_pairs.size());
  for (std::uint32_t i = 0; i < tracked_pairs.size(); ++i)
    tracked_pairs_[std::uint64_t{tracked_pairs[i].first} << 32 | tracked_pairs[i].second] = i;
  listed_created_.assign(traffic_plan_.source.size(), -1);
  listed_arrived_.assign(traffic_plan_.source.size(), -1);
}

void Engine::run(Tick until) {
  while (now_ < until && deadlock_.empty() && !ended()) {
    if (idle()) {
      // Messages that wait while nothing moves are deadlocked.
      if (messages_.alive() != 0 && plan_.deadlock_interval != 0) check_deadlock();
      if (!deadlock_.empty()) break;
      const Tick next = std::min(traffic_.next(now_), until);
      if (next > now_ && idle()) {
        now_ = next;
        continue;
      }
    }
    step();
    if (kAuditEnabled && now_ % kAuditEvery == 0) require_conservation();
  }
  count_links();
}

void Engine::count_links() {
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    counters_.link_flits[i] += outputs_[i].flits;
    outputs_[i].flits = 0;
  }
}

// A flit counts as sent when it enters the output buffer, which may be long before it is on the link.
std::vector<std::uint64_t> Engine::link_busy() const {
  std::vector<std::uint64_t> busy;
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    if (!has_link(i)) continue;
    const auto unsent_ticks = static_cast<std::uint64_t>(std::max(outputs_[i].free_at - now_, Tick{0}));
    busy.push_back(counters_.link_flits[i] * output_configs_[i].flit_ticks - unsent_ticks);
  }
  return busy;
}

bool Engine::idle() const {
  if (arrivals_.pending() != 0 || credits_.pending() != 0 || sinks_.pending() != 0) return false;
  return std::all_of(active_.begin(), active_.end(), [](std::uint64_t word) { return word == 0; });
}

bool Engine::ended() const { return traffic_.ended() && messages_.alive() == 0; }

std::uint64_t Engine::packets_in_network() const {
  return counters_.packets_injected - counters_.all.packets - counters_.packets_dropped;
}

void Engine::step() {
  receive_credits();
  if (look_ups_ != nullptr) look_up_heads();
  receive_flits();
  consume_packets();
  create_messages();
  for (std::size_t word = 0; word < active_.size(); ++word) {
    for (std::uint64_t bits = active_[word]; bits != 0;) {
      const auto element = static_cast<std::uint32_t>(64 * word) + static_cast<std::uint32_t>(std::countr_zero(bits));
      bits &= bits - 1;
      if (bits != 0)
        prefetch(static_cast<std::uint32_t>(64 * word) + static_cast<std::uint32_t>(std::countr_zero(bits)));
      allocate(element);
    }
  }
  ++now_;
  if (plan_.deadlock_interval != 0 && now_ % plan_.deadlock_interval == 0) check_deadlock();
}

// Prefetches the state of the next element.
void Engine::prefetch(std::uint32_t index) const {
  const Element& element = elements_[index];
  constexpr std::uint32_t kOutputs = 64 / sizeof(Output);
  for (std::uint32_t out = 0; out < element.outputs; out += kOutputs)
    __builtin_prefetch(&outputs_[element.out_base + out]);
  __builtin_prefetch(&inputs_[element.in_base]);
}

void Engine::receive_credits() {
  const auto& due = credits_.at(now_);
  for (std::size_t i = 0; i < due.size(); ++i) {
    if (i + kPrefetchDistance < due.size()) __builtin_prefetch(&channels_[due[i + kPrefetchDistance]]);
    Channel& channel = channels_[due[i]];
    ++channel.credits;
    if (channel.owner == kNone) {
      if (channel.credits >= min_flits_ && outputs_[due[i] >> channel_bits_].waiting != 0)
        wake(due[i] >> channel_bits_);
    } else if ((queues_[channel.owner].state & kBlocked) != 0) {
      queues_[channel.owner].state &= static_cast<std::uint8_t>(~kBlocked);
      set_ready(channel.owner);
    }
  }
  credits_.clear(now_);
}

void Engine::receive_flits() {
  const auto& due = arrivals_.at(now_);
  for (std::size_t i = 0; i < due.size(); ++i) {
    if (i + kPrefetchDistance < due.size()) {
      __builtin_prefetch(&queues_[due[i + kPrefetchDistance].queue]);
      __builtin_prefetch(&inputs_[due[i + kPrefetchDistance].queue >> channel_bits_]);
      __builtin_prefetch(&input_configs_[due[i + kPrefetchDistance].queue >> channel_bits_]);
      if (due[i + kPrefetchDistance].packet < kRouted) packets_.prefetch(due[i + kPrefetchDistance].packet);
    }
    Queue& queue = queues_[due[i].queue];
    const std::uint32_t packet = due[i].packet;
    if (packet == kBody) {
      if (queue.first_follower != kNone) {
        ++followers_[queue.last_follower].flits_arrived;
        continue;
      }
      ++queue.flits_arrived;
    } else if (packet == kWake) {
      queue.flits_arrived = queue.flits_unsent;
      if (look_ups_ != nullptr) awaits_look_up(due[i].queue, queue);
    } else if (packet == kRouted) {
      queue.state &= static_cast<std::uint8_t>(~kRouting);
      if (look_ups_ != nullptr) awaits_look_up(due[i].queue, queue);
    } else if (queue.packet == kNone) {
      queue.packet = packet;
      queue.flits_unsent = packets_[packet].flits;
      queue.flits_arrived = 1;
      if (checks_heads_) begin_routing(due[i].queue, queue);
    } else {
      const std::uint32_t id = followers_.make();
      followers_[id].packet = packet;
      followers_[id].flits_arrived = 1;
      followers_[id].flits = packets_[packet].flits;
      (queue.first_follower == kNone ? queue.first_follower : followers_[queue.last_follower].next) = id;
      queue.last_follower = id;
      continue;
    }
    if ((queue.state & (kBlocked | kRouting)) != 0) continue;
    if (store_and_forward() && !stored(due[i].queue, queue)) continue;
    set_ready(due[i].queue);
  }
  arrivals_.clear(now_);
}

// Starts the routing delay of a head at the front of its queue; returns whether there is one.
bool Engine::begin_routing(std::uint32_t queue_index, Queue& queue) {
  const Element& element = elements_[input_configs_[queue_index >> channel_bits_].element];
  const Tick delay = plan_.routing_delay_of(plan_.planes[element.plane], element.local);
  if (look_ups_ != nullptr) return begin_look_up(queue_index, queue, delay);
  if (delay == 0) return false;
  queue.state |= kRouting;
  arrivals_.add(now_ + delay, {queue_index, kRouted});
  return true;
}

void Engine::consume_packets() {
  for (const std::uint32_t packet : sinks_.at(now_)) consume(packet);
  sinks_.clear(now_);
}

// Counts a packet or a message in the total, at its distance and, if its pair is tracked, for that pair.
template <class Count>
void Engine::count_latency(const Message& message, std::uint32_t hops, Count&& count) {
  count(counters_.all);
  if (hops >= counters_.by_distance.size()) counters_.by_distance.resize(hops + std::size_t{1});
  count(counters_.by_distance[hops]);
  if (tracked_pairs_.empty()) return;
  const auto found = tracked_pairs_.find(std::uint64_t{message.source} << 32 | message.destination);
  if (found != tracked_pairs_.end()) count(counters_.by_pair[found->second]);
}

void Engine::consume(std::uint32_t id) {
  const Packet& packet = packets_[id];
  const Message& message = messages_[packet.message];
  const auto network = static_cast<std::uint64_t>(now_ - packet.injected);
  const auto total = static_cast<std::uint64_t>(now_ - message.created);
  count_latency(message, packet.hops, [&](Latencies& latencies) {
    ++latencies.packets;
    latencies.network_sum += network;
    latencies.total_sum += total;
    latencies.longest = std::max(latencies.longest, network);
  });
  counters_.histogram.add(network);
  counters_.flits_arrived += packet.flits;
  counters_.collided_packets += packet.collisions != 0;
  const std::uint32_t owner = packet.message, hops = packet.hops;  // of a message: those of its last packet
  packets_.release(id);
  if (--messages_[owner].packets_left == 0) finish_message(owner, hops);
}

void Engine::drop_packet(std::uint32_t id) {
  const std::uint32_t owner = packets_[id].message, hops = packets_[id].hops;
  ++counters_.packets_dropped;
  messages_[owner].dropped = true;
  packets_.release(id);
  if (--messages_[owner].packets_left == 0) finish_message(owner, hops);
}

void Engine::finish_message(std::uint32_t id, std::uint32_t hops) {
  const Message& message = messages_[id];
  if (message.dropped) {
    ++counters_.messages_dropped;
    counters_.bits_dropped += message.bits;
  } else {
    const auto latency = static_cast<std::uint64_t>(now_ - message.created);
    counters_.bits_arrived += message.bits;
    count_latency(message, hops, [&](Latencies& latencies) {
      ++latencies.messages;
      latencies.message_sum += latency;
      latencies.longest_message = std::max(latencies.longest_message, latency);
    });
    ++counters_.received[message.destination];
    if (message.listed != kUnlisted) listed_arrived_[message.listed] = now_;
    traffic_.arrived(message.listed, now_);
  }
  messages_.release(id);
}

}  // namespace isoplane::sim
