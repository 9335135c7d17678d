// Separable, input-first allocation with rotating priority: every input requests one output, every output grants one.
#include <algorithm>
#include <bit>

#include "isoplane/sim/engine.hpp"

namespace isoplane::sim {

void Engine::set_ready(std::uint32_t queue_index) {
  Input& input = inputs_[queue_index >> channel_bits_];
  const std::uint16_t before = input.ready;
  input.ready = static_cast<std::uint16_t>(before | 1u << (queue_index & ((1u << channel_bits_) - 1)));
  if (before != 0) return;
  const InputConfig& config = input_configs_[queue_index >> channel_bits_];
  ready_[config.ready_word] |= std::uint64_t{1} << config.local % 64;
  active_[config.element / 64] |= std::uint64_t{1} << config.element % 64;
}

// The element stays active until it is served and has no ready input.
void Engine::clear_ready(std::uint32_t queue_index) {
  Input& input = inputs_[queue_index >> channel_bits_];
  input.ready = static_cast<std::uint16_t>(input.ready & ~(1u << (queue_index & ((1u << channel_bits_) - 1))));
  if (input.ready != 0) return;
  const InputConfig& config = input_configs_[queue_index >> channel_bits_];
  ready_[config.ready_word] &= ~(std::uint64_t{1} << config.local % 64);
}

// Unblocks all heads that wait for a channel of a link.
void Engine::wake(std::uint32_t output_index) {
  const Element& element = elements_[output_configs_[output_index].owner];
  std::uint64_t* words = &waiters_[element.waiter_base + (output_index - element.out_base) * element.waiter_words];
  for (std::uint32_t word = 0; word < element.waiter_words; ++word) {
    for (std::uint64_t bits = words[word]; bits != 0; bits &= bits - 1) {
      const std::uint32_t local = 64 * word + static_cast<std::uint32_t>(std::countr_zero(bits));
      const std::uint32_t queue_index = (element.in_base << channel_bits_) + local;
      queues_[queue_index].state &= static_cast<std::uint8_t>(~kBlocked);
      set_ready(queue_index);
    }
    words[word] = 0;
  }
  outputs_[output_index].waiting = 0;
}

void Engine::count_collision(std::uint32_t element, Queue& queue) {
  if ((queue.state & kCollided) != 0 || queue.channel != kNoChannel) return;
  queue.state |= kCollided;
  ++packets_[queue.packet].collisions;
  ++counters_.collisions;
  ++counters_.collisions_at[element];
}

// The queue makes no requests until a credit returns or a channel becomes free.
void Engine::block(const Element& element, std::uint32_t queue_index, Queue& queue) {
  queue.state |= kBlocked;
  clear_ready(queue_index);
  if (queue.channel != kNoChannel) return;  // the credit of its own channel wakes it
  toggle_waiting(element, queue_index, 1);
}

// Adds a head to those that wait for a channel of its link, or removes it.
void Engine::toggle_waiting(const Element& element, std::uint32_t queue_index, int change) {
  const std::uint16_t out = queues_[queue_index].out;
  const std::uint32_t local = queue_index - (element.in_base << channel_bits_);
  waiters_[element.waiter_base + out * std::uint32_t{element.waiter_words} + local / 64] ^= std::uint64_t{1}
                                                                                            << local % 64;
  Output& output = outputs_[element.out_base + out];
  output.waiting = static_cast<std::uint16_t>(output.waiting + change);
}

// The output of a packet at a switch, after `hops` links between switches.
std::uint16_t Engine::port_at(const Element& element, const Packet& packet, std::uint32_t hops) const {
  if (on_detour(element, packet))
    return detours(element).next_port[std::size_t{element.local} * detours(element).regions + packet.via];
  if (element.local == packet.destination) return packet.exit;
  const Routes& routes = routes_[element.plane];
  return routes.has_paths() ? routes.path_port(packet.route_index + hops)
                            : routes.next_port(element.local, packet.route_index);
}

// Computes the output and the preferred channel. The channel is determined by the output at the next switch, so that
// packets for different outputs there do not cause head-of-line blocking.
void Engine::route(const Element& element, std::uint32_t queue_index, Queue& queue) {
  Packet& packet = packets_[queue.packet];
  if (!path_random_.empty() && !element.is_node) {
    if (plan_.path_selection == PathSelection::kUgal && packet.hops == 0) packet.via = ugal_region(element, packet);
    if (!on_detour(element, packet)) packet.via = kNoRegion;  // it has reached the region
  }
  // A node has one queue per link.
  queue.out = element.is_node ? static_cast<std::uint16_t>((queue_index >> channel_bits_) - element.in_base)
                              : port_at(element, packet, packet.hops);
  const OutputConfig& output = output_configs_[element.out_base + queue.out];
  const auto [first, last] = allowed_channels(element, packet, queue.out);
  const std::uint32_t next_out = output.target == packet.target && packet.via == kNoRegion
                                     ? 0
                                     : port_at(elements_[output.target], packet, packet.hops + output.between_switches);
  queue.preferred_channel = static_cast<std::uint8_t>(first + static_cast<int>(next_out) % (last - first));
}

// Class of channels on the next link, by the rule of `ChannelRule` in models/routing.
int Engine::class_after(const Element& element, const Packet& packet, std::uint16_t out) const {
  const Routes& routes = routes_[element.plane];
  if (element.is_node || !routes.has_classes() || out >= plan_.planes[element.plane].ports) return -1;
  const std::int32_t dimension = routes.dimension(element.local, out);
  int current = packet.channel_class;
  if (packet.hops == 0 && packet.dimension != dimension) {
    current = routes.start_class();
  } else if (routes.ordered_dimensions()) {
    current += dimension < packet.dimension ? 1 : 0;
  } else if (packet.dimension != dimension) {
    current = 0;
  }
  return current + (routes.dateline(element.local, out) ? 1 : 0);
}

// The channels that a queue may take on its next link. A node waits for the preferred one: if it also filled the others
// with packets for a congested link, they would block the packets for all other links in the first switch.
std::pair<int, int> Engine::wanted_channels(const Element& element, const Queue& queue) const {
  if (queue.channel != kNoChannel) return {queue.channel, queue.channel + 1};
  if (element.is_node) return {queue.preferred_channel, queue.preferred_channel + 1};
  return allowed_channels(element, packets_[queue.packet], queue.out);
}

// The range [first, second) of channels of a link that a packet may use.
std::pair<int, int> Engine::allowed_channels(const Element& element, const Packet& packet, std::uint16_t out) const {
  const int channel_class = class_after(element, packet, out);
  if (channel_class < 0) return {0, plan_.channels};
  const int classes = routes_[element.plane].classes();
  const auto first_channel = [&](int group) { return (group * plan_.channels + classes - 1) / classes; };
  return {first_channel(channel_class), first_channel(channel_class + 1)};
}

// The channel for the head at the front: the preferred one, or else the free one with the most credits.
int Engine::free_channel(const Element& element, const Queue& queue) const {
  const Packet& packet = packets_[queue.packet];
  const Channel* channels = &channels_[std::size_t{element.out_base + queue.out} << channel_bits_];
  const std::int32_t need = plan_.flow_control == FlowControl::kWormhole ? 1 : packet.flits;
  if (channels[queue.preferred_channel].owner == kNone && channels[queue.preferred_channel].credits >= need)
    return queue.preferred_channel;
  const auto [first, last] = wanted_channels(element, queue);
  int best = -1;
  std::int32_t max_credits = need - 1;
  for (int v = first; v < last; ++v) {
    if (channels[v].owner != kNone || channels[v].credits <= max_credits) continue;
    best = v;
    max_credits = channels[v].credits;
  }
  return best;
}

// Whether a crossbar without speed-up is certain to continue the current packet in this tick: its queue has priority at
// its input and at this output. A request from another input would fail, and keep that input from requesting an output
// for its other packets. With a speed-up the link is busy when the next flit comes, and the tick between two flits is
// available to the others.
bool Engine::continues_packet(std::uint32_t output_index, const Output& output) const {
  if (output_configs_[output_index].flit_ticks != 1) return false;
  const Input& input = inputs_[output.current >> channel_bits_];
  const std::uint32_t first = output.current & ((1u << channel_bits_) - 1);
  if (input.pointer != first || (input.ready >> first & 1) == 0) return false;
  return channels_[(std::size_t{output_index} << channel_bits_) + queues_[output.current].channel].credits != 0;
}

// The channel on which a queue may send a flit now, or -1; a queue that has to wait for an event is blocked.
int Engine::channel_for(const Element& element, std::uint32_t queue_index) {
  Queue& queue = queues_[queue_index];
  if (queue.out == kNoOut || reconsiders(element, queue)) route(element, queue_index, queue);
  const std::uint32_t output_index = element.out_base + queue.out;
  const Output& output = outputs_[output_index];
  // A full output accepts nothing, and an output in the middle of a packet accepts other packets only if its link would
  // otherwise be idle: interleaving would delay all of them. Requests are repeated in the next tick.
  const Tick busy_ticks = output.free_at - now_;
  const bool taken = output.current != kNone && output.current != queue_index &&
                     (busy_ticks > 0 || continues_packet(output_index, output));
  if (taken || busy_ticks > output.slack) {
    count_collision(output_configs_[output_index].owner, queue);
    return -1;
  }
  int channel = queue.channel;
  if (channel == kNoChannel) {
    channel = free_channel(element, queue);
  } else if (channels_[(std::size_t{output_index} << channel_bits_) + queue.channel].credits == 0) {
    channel = -1;
  }
  if (channel >= 0) return channel;
  count_collision(output_configs_[output_index].owner, queue);
  block(element, queue_index, queue);
  return -1;
}

// Distance of an input from the one with priority.
std::uint32_t Engine::rank(const Element& element, const Request& request) const {
  const std::uint32_t local = (request.queue >> channel_bits_) - element.in_base;
  const std::uint32_t pointer = outputs_[element.out_base + request.out].pointer;
  return local >= pointer ? local - pointer : local + element.inputs - pointer;
}

void Engine::request(const Element& element, std::uint32_t queue_index, int channel) {
  const std::uint32_t number = request_count_++;
  requests_[number] = {queue_index, queues_[queue_index].out, static_cast<std::uint8_t>(channel)};
  std::uint32_t& best = best_[requests_[number].out];
  if (best == kNone || rank(element, requests_[number]) < rank(element, requests_[best])) best = number;
}

// An input makes a request for its first queue, in rotating order, that can send a flit.
void Engine::offer_flit(const Element& element, std::uint32_t input) {
  const std::uint32_t base = input << channel_bits_;
  const std::uint32_t ready = inputs_[input].ready, later = ready >> inputs_[input].pointer << inputs_[input].pointer;
  for (std::uint32_t channels : {later, ready ^ later}) {
    for (; channels != 0; channels &= channels - 1) {
      const std::uint32_t queue_index = base + static_cast<std::uint32_t>(std::countr_zero(channels));
      if ((queues_[queue_index].state & kDropping) != 0) return discard(queue_index, queues_[queue_index]);
      const int channel = channel_for(element, queue_index);
      if (channel >= 0) return request(element, queue_index, channel);
    }
  }
}

void Engine::request_outputs(const Element& element) {
  std::uint32_t count = 0;
  for (std::uint32_t word = 0; word < element.ready_words; ++word) {
    for (std::uint64_t ports = ready_[element.ready_base + word]; ports != 0; ports &= ports - 1) {
      const std::uint32_t input = element.in_base + 64 * word + static_cast<std::uint32_t>(std::countr_zero(ports));
      ready_inputs_[count++] = input;
      __builtin_prefetch(&queues_[(input << channel_bits_) + inputs_[input].pointer]);
    }
  }
  for (std::uint32_t i = 0; i < count; ++i) offer_flit(element, ready_inputs_[i]);
}

void Engine::allocate(std::uint32_t element_index) {
  const Element& element = elements_[element_index];
  if (element.is_node) {
    inject(element);
  } else {
    request_count_ = 0;
    request_outputs(element);
    for (std::uint32_t number = 0; number < request_count_; ++number) {
      const Request& request = requests_[number];
      if (best_[request.out] == number) {
        if (look_ups_ != nullptr) announce(element, request);
        send(element, request);
      } else {
        count_collision(element_index, queues_[request.queue]);
      }
    }
    for (std::uint32_t number = 0; number < request_count_; ++number) best_[requests_[number].out] = kNone;
  }
  for (std::uint32_t word = 0; word < element.ready_words; ++word)
    if (ready_[element.ready_base + word] != 0) return;
  active_[element_index / 64] &= ~(std::uint64_t{1} << element_index % 64);
}

// A node needs no allocation: each of its queues has its own link. Once the buffer at the other end has room for the
// whole packet, its flits leave back to back, so they can be sent together.
void Engine::inject(const Element& element) {
  for (std::uint32_t link = 0; link < element.inputs; ++link) {
    const std::uint32_t queue_index = (element.in_base + link) << channel_bits_;
    if (inputs_[element.in_base + link].ready == 0) continue;
    const std::uint32_t packet = queues_[queue_index].packet;
    do {
      const int channel = channel_for(element, queue_index);
      if (channel < 0) break;
      const Request request{queue_index, queues_[queue_index].out, static_cast<std::uint8_t>(channel)};
      if (look_ups_ != nullptr) announce(element, request);
      send(element, request);
    } while (plan_.flow_control != FlowControl::kWormhole && queues_[queue_index].packet == packet &&
             queues_[queue_index].flits_unsent != 0 && queues_[queue_index].channel != kNoChannel);
  }
}

// A flit leaves its input: the queue of a node, or a buffer, which returns a credit.
inline void Engine::leave_input(const Element& element, const Request& request, const InputConfig& config, bool head,
                                Tick depart) {
  if (config.upstream != kNone) return return_credit(request.queue, config);
  ++counters_.flits_injected;
  if (!head) return;
  ++counters_.packets_injected;
  packets_[queues_[request.queue].packet].injected = depart - begin_delay(element);
}

// Schedules the arrival of a flit at the end of the link; at the destination, only that of the whole packet.
inline void Engine::forward(const Queue& queue, std::uint32_t channel_index, bool head, Tick depart) {
  const OutputConfig& link = output_configs_[channel_index >> channel_bits_];
  if ((queue.state & kFinal) != 0) {
    ++flits_consumed_;
    if (queue.flits_unsent == 0) sinks_.add(depart + link.receive, queue.packet);
    if (link.target_input != kNone) credits_.add(depart + link.receive + link.credit_delay, channel_index);
  } else {
    const std::uint32_t target = (link.target_input << channel_bits_) + (channel_index & ((1u << channel_bits_) - 1));
    arrivals_.add(depart + link.visible, {target, head ? queue.packet : kBody});
  }
}

// After the last flit the channel is free, and the priorities move on.
void Engine::end_packet(const Element& element, const Request& request, std::uint32_t channel_index) {
  const std::uint32_t output_index = channel_index >> channel_bits_,
                      local = input_configs_[request.queue >> channel_bits_].local;
  Input& input = inputs_[request.queue >> channel_bits_];
  Output& output = outputs_[output_index];
  output.pointer = static_cast<std::uint16_t>(local + 1 == element.inputs ? 0 : local + 1);
  input.pointer = static_cast<std::uint8_t>((input.pointer + 1) % plan_.channels);
  Channel& channel = channels_[channel_index];
  channel.owner = kNone;
  if (output.waiting != 0 && channel.credits >= min_flits_) wake(output_index);
  next_packet(element, request.queue, queues_[request.queue]);
}

void Engine::send(const Element& element, const Request& request) {
  Queue& queue = queues_[request.queue];
  const InputConfig& config = input_configs_[request.queue >> channel_bits_];
  const std::uint32_t output_index = element.out_base + request.out;
  Output& output = outputs_[output_index];
  const std::uint32_t channel_index = (output_index << channel_bits_) + request.channel;
  const bool head = queue.channel == kNoChannel;
  if (head) take_channel(element, queue, request, channels_[channel_index]);
  const Tick depart = std::max(now_, output.free_at);
  output.free_at = depart + output_configs_[output_index].flit_ticks;
  output.pointer = config.local;  // keeps the priority to the end of the packet
  inputs_[request.queue >> channel_bits_].pointer =
      static_cast<std::uint8_t>(request.queue & ((1u << channel_bits_) - 1));
  --channels_[channel_index].credits;
  ++output.flits;
  ++counters_.flit_hops;
  leave_input(element, request, config, head, depart);
  --queue.flits_unsent;
  --queue.flits_arrived;
  forward(queue, channel_index, head, depart);
  output.current = queue.flits_unsent == 0 ? kNone : request.queue;
  if (queue.flits_unsent == 0) {
    end_packet(element, request, channel_index);
  } else if (queue.flits_arrived == 0) {
    clear_ready(request.queue);
  }
}

void Engine::take_channel(const Element& element, Queue& queue, const Request& request, Channel& channel) {
  const OutputConfig& output = output_configs_[element.out_base + request.out];
  Packet& packet = packets_[queue.packet];
  const int channel_class = class_after(element, packet, request.out);
  if (channel_class >= 0) {
    packet.channel_class = static_cast<std::uint8_t>(channel_class);
    packet.dimension = routes_[element.plane].dimension(element.local, request.out);
  }
  packet.hops = static_cast<std::uint16_t>(packet.hops + output.between_switches);
  // A detour may cross the destination switch, which in a direct network is the target.
  if (output.target == packet.target && packet.via == kNoRegion) queue.state |= kFinal;
  queue.channel = request.channel;
  channel.owner = request.queue;
}

void Engine::return_credit(std::uint32_t queue_index, const InputConfig& config) {
  const std::uint32_t channel = queue_index & ((1u << channel_bits_) - 1);
  credits_.add(now_ + config.credit_delay, (config.upstream << channel_bits_) + channel);
}

// The packet at the front has left: the next one takes its place.
void Engine::next_packet(const Element& element, std::uint32_t queue_index, Queue& queue) {
  const InputConfig& input = input_configs_[queue_index >> channel_bits_];
  clear_ready(queue_index);
  queue.packet = kNone;
  queue.flits_arrived = queue.flits_unsent = 0;
  queue.out = kNoOut;
  queue.channel = kNoChannel;
  queue.state = 0;
  if (input.upstream == kNone) {
    const std::size_t plane = element.is_node ? 0 : element.plane;
    return refill(static_cast<std::uint32_t>(first_link(element.local, plane) + (element.is_node ? input.local : 0u)));
  }
  if (queue.first_follower == kNone) return;
  const std::uint32_t id = queue.first_follower;
  queue.packet = followers_[id].packet;
  queue.flits_arrived = followers_[id].flits_arrived;
  queue.flits_unsent = followers_[id].flits;
  queue.first_follower = followers_[id].next;
  if (queue.first_follower == kNone) queue.last_follower = kNone;
  followers_.release(id);
  if (checks_heads_ && begin_routing(queue_index, queue)) return;
  if (!store_and_forward() || stored(queue_index, queue)) set_ready(queue_index);
}

}  // namespace isoplane::sim
