// Separable allocation with rotating priority: every input offers one flit, every output takes one.
#include <algorithm>
#include <bit>

#include "isoplane/sim/engine.hpp"

namespace isoplane::sim {

void Engine::set_ready(std::uint32_t queue_index) {
  Input& input = inputs_[queue_index >> shift_];
  const std::uint16_t before = input.ready;
  input.ready = static_cast<std::uint16_t>(before | 1u << (queue_index & ((1u << shift_) - 1)));
  if (before != 0) return;
  const Element& element = elements_[input.element];
  ready_[element.ready_base + input.local / 64] |= std::uint64_t{1} << input.local % 64;
  active_[input.element / 64] |= std::uint64_t{1} << input.element % 64;
}

void Engine::clear_ready(std::uint32_t queue_index) {
  Input& input = inputs_[queue_index >> shift_];
  input.ready = static_cast<std::uint16_t>(input.ready & ~(1u << (queue_index & ((1u << shift_) - 1))));
  if (input.ready != 0) return;
  const Element& element = elements_[input.element];
  ready_[element.ready_base + input.local / 64] &= ~(std::uint64_t{1} << input.local % 64);
  for (std::uint32_t word = 0; word < element.ready_words; ++word)
    if (ready_[element.ready_base + word] != 0) return;
  active_[input.element / 64] &= ~(std::uint64_t{1} << input.element % 64);
}

// Lets all heads that wait for a channel of a link ask again.
void Engine::wake(std::uint32_t output_index) {
  Output& output = outputs_[output_index];
  const Element& element = elements_[output.owner];
  std::uint64_t* words = &waiters_[element.waiter_base + (output_index - element.out_base) * element.waiter_words];
  for (std::uint32_t word = 0; word < element.waiter_words; ++word) {
    for (std::uint64_t bits = words[word]; bits != 0; bits &= bits - 1) {
      const std::uint32_t local = 64 * word + static_cast<std::uint32_t>(std::countr_zero(bits));
      const std::uint32_t queue_index = (element.in_base << shift_) + local;
      queues_[queue_index].state &= static_cast<std::uint8_t>(~kBlocked);
      set_ready(queue_index);
    }
    words[word] = 0;
  }
  output.waiting = 0;
}

void Engine::collide(std::uint32_t element, Queue& queue) {
  if ((queue.state & kCollided) != 0 || queue.channel != kNoChannel) return;
  queue.state |= kCollided;
  ++packets_[queue.packet].collisions;
  ++counters_.collisions;
  ++counters_.collisions_at[element];
}

// The queue asks no more until a credit or a channel comes back.
void Engine::block(const Element& element, std::uint32_t queue_index, Queue& queue) {
  queue.state |= kBlocked;
  clear_ready(queue_index);
  if (queue.channel != kNoChannel) return;  // the credit of its own channel wakes it
  const std::uint32_t local = queue_index - (element.in_base << shift_);
  waiters_[element.waiter_base + queue.out * std::uint32_t{element.waiter_words} + local / 64] |= std::uint64_t{1}
                                                                                                  << local % 64;
  ++outputs_[element.out_base + queue.out].waiting;
}

// The output that a packet takes at an element, after so many links between switches.
std::uint16_t Engine::port_at(const Element& element, const Packet& packet, std::uint32_t hops) const {
  if (element.is_node) return packet.plane;
  if (element.local == packet.destination) {
    const std::uint32_t host = plan_.direct ? 0 : (packet.target - first_node_) % plan_.nodes_per_switch;
    return static_cast<std::uint16_t>(plan_.planes[element.plane].ports + host);
  }
  const Routes& routes = routes_[element.plane];
  return routes.has_paths() ? routes.path_port(packet.path + hops)
                            : routes.next_port(element.local, packet.destination);
}

// Finds the output, and the channel on it that is best for the next switch: packets for different outputs there should
// not stand behind each other, so the next output names the channel.
void Engine::route(const Element& element, Queue& queue) {
  const Packet& packet = packets_[queue.packet];
  queue.out = port_at(element, packet, packet.hops);
  const Output& output = outputs_[element.out_base + queue.out];
  const auto [first, last] = allowed_channels(element, packet, queue.out);
  const std::uint32_t after = output.target == packet.target
                                  ? 0
                                  : port_at(elements_[output.target], packet, packet.hops + output.between_switches);
  queue.wish = static_cast<std::uint8_t>(first + static_cast<int>(after) % (last - first));
}

// Class of channels on the next link, by the rule of `ChannelRule` in models/routing.
int Engine::class_after(const Element& element, const Packet& packet, std::uint16_t out) const {
  const Routes& routes = routes_[element.plane];
  if (element.is_node || !routes.has_classes() || out >= plan_.planes[element.plane].ports) return -1;
  const int kept = routes.dimension(out) == packet.dimension ? packet.channel_class : 0;
  return kept + (routes.dateline(element.local, out) ? 1 : 0);
}

// The channels of a link that a packet may use: from the first to before the second.
std::pair<int, int> Engine::allowed_channels(const Element& element, const Packet& packet, std::uint16_t out) const {
  const int used = class_after(element, packet, out);
  if (used < 0) return {0, plan_.channels};
  const int classes = routes_[element.plane].classes();
  const auto first_of = [&](int group) { return (group * plan_.channels + classes - 1) / classes; };
  return {first_of(used), first_of(used + 1)};
}

// The channel that the head in front may have: its wish, or else of the free ones that hold its packet the one with
// most credits.
int Engine::free_channel(const Element& element, const Queue& queue) const {
  const Packet& packet = packets_[queue.packet];
  const Channel* channels = &channels_[std::size_t{element.out_base + queue.out} << shift_];
  const std::int32_t need = plan_.flow == FlowControl::kWormhole ? 1 : packet.flits;
  if (channels[queue.wish].owner == kNone && channels[queue.wish].credits >= need) return queue.wish;
  const auto [first, last] = allowed_channels(element, packet, queue.out);
  int best = -1;
  std::int32_t most = need - 1;
  for (int v = first; v < last; ++v) {
    if (channels[v].owner != kNone || channels[v].credits <= most) continue;
    best = v;
    most = channels[v].credits;
  }
  return best;
}

// Whether a queue of this input asks for a link; it is noted among the requests.
bool Engine::offer(const Element& element, std::uint32_t queue_index) {
  Queue& queue = queues_[queue_index];
  if ((queue.state & kDropping) != 0) {
    discard(queue_index, queue);
    return true;
  }
  if (queue.out == kNoOut) route(element, queue);
  const std::uint32_t output_index = element.out_base + queue.out;
  if (outputs_[output_index].free_at > now_ + output_slack_) {  // full: asks again in the next tick
    collide(outputs_[output_index].owner, queue);
    return false;
  }
  int channel = queue.channel;
  if (queue.channel == kNoChannel) channel = free_channel(element, queue);
  if (channel < 0 ||
      channels_[(std::size_t{output_index} << shift_) + static_cast<std::size_t>(channel)].credits <= 0) {
    collide(outputs_[output_index].owner, queue);
    block(element, queue_index, queue);
    return false;
  }
  const auto number = static_cast<std::uint32_t>(requests_.size());
  requests_.push_back({queue_index, queue.out, static_cast<std::uint8_t>(channel)});
  std::uint32_t& best = best_[queue.out];
  if (best == kNone) {
    best = number;
    return true;
  }
  const std::uint16_t pointer = outputs_[output_index].pointer;
  const auto rank = [&](std::uint32_t index) {
    const std::uint16_t local = inputs_[index >> shift_].local;
    return local >= pointer ? local - pointer : local + element.inputs - pointer;
  };
  if (rank(queue_index) < rank(requests_[best].queue)) best = number;
  return true;
}

void Engine::allocate(std::uint32_t element_index) {
  const Element& element = elements_[element_index];
  requests_.clear();
  for (std::uint32_t word = 0; word < element.ready_words; ++word) {
    for (std::uint64_t ports = ready_[element.ready_base + word]; ports != 0; ports &= ports - 1) {
      const std::uint32_t local = 64 * word + static_cast<std::uint32_t>(std::countr_zero(ports));
      const Input& input = inputs_[element.in_base + local];
      const std::uint32_t base = (element.in_base + local) << shift_;
      const std::uint32_t ready = input.ready, later = ready >> input.pointer << input.pointer;
      bool found = false;
      for (std::uint32_t channels = later; channels != 0 && !found; channels &= channels - 1)
        found = offer(element, base + static_cast<std::uint32_t>(std::countr_zero(channels)));
      for (std::uint32_t channels = ready ^ later; channels != 0 && !found; channels &= channels - 1)
        found = offer(element, base + static_cast<std::uint32_t>(std::countr_zero(channels)));
    }
  }
  for (std::uint32_t number = 0; number < requests_.size(); ++number) {
    const Request& request = requests_[number];
    if (best_[request.out] == number) {
      send(element, request);
    } else {
      collide(element_index, queues_[request.queue]);
    }
  }
  for (const Request& request : requests_) best_[request.out] = kNone;
}

void Engine::send(const Element& element, const Request& request) {
  Queue& queue = queues_[request.queue];
  Input& input = inputs_[request.queue >> shift_];
  const std::uint32_t output_index = element.out_base + request.out;
  Output& output = outputs_[output_index];
  const std::uint32_t channel_index = (output_index << shift_) + request.channel;
  const bool head = queue.channel == kNoChannel;
  if (head) take_channel(element, queue, request, channels_[channel_index]);
  const Tick depart = std::max(now_, output.free_at);
  output.free_at = depart + plan_.interval;
  output.pointer = input.local;  // keeps its turn to the end of the packet
  input.pointer = static_cast<std::uint8_t>(request.queue & ((1u << shift_) - 1));
  --channels_[channel_index].credits;
  ++counters_.link_flits[output_index];
  ++counters_.flit_hops;
  const std::uint32_t packet = queue.packet;
  if (input.upstream == kNone) {
    ++counters_.flits_injected;
    if (head) {
      ++counters_.packets_injected;
      packets_[packet].injected = depart - (plan_.direct ? plan_.switch_delay - plan_.interval : 0);
    }
  } else {
    return_credit(request.queue, input);
  }
  --queue.left;
  --queue.here;
  if ((queue.state & kFinal) != 0) {
    ++flits_consumed_;
    if (queue.left == 0) sinks_.add(depart + output.receive, packet);
    if (output.target_input != kNone) credits_.add(depart + output.receive + output.credit_delay, channel_index);
  } else {
    const std::uint32_t target = (output.target_input << shift_) + request.channel;
    arrivals_.add(depart + output.visible, {target, head ? packet : kBody});
  }
  if (queue.left == 0) {
    output.pointer = static_cast<std::uint16_t>(input.local + 1 == element.inputs ? 0 : input.local + 1);
    input.pointer = static_cast<std::uint8_t>((input.pointer + 1) % plan_.channels);
    Channel& channel = channels_[channel_index];
    channel.owner = kNone;
    if (output.waiting != 0 && channel.credits >= least_flits_) wake(output_index);
    next_packet(element, request.queue, queue);
  } else if (queue.here == 0) {
    clear_ready(request.queue);
  }
}

void Engine::take_channel(const Element& element, Queue& queue, const Request& request, Channel& channel) {
  const Output& output = outputs_[element.out_base + request.out];
  Packet& packet = packets_[queue.packet];
  const int used = class_after(element, packet, request.out);
  if (used >= 0) {
    packet.channel_class = static_cast<std::uint8_t>(used);
    packet.dimension = routes_[element.plane].dimension(request.out);
  }
  packet.hops = static_cast<std::uint16_t>(packet.hops + output.between_switches);
  if (output.target == packet.target) queue.state |= kFinal;
  queue.channel = request.channel;
  channel.owner = request.queue;
}

void Engine::return_credit(std::uint32_t queue_index, const Input& input) {
  const std::uint32_t channel = queue_index & ((1u << shift_) - 1);
  credits_.add(now_ + input.credit_delay, (input.upstream << shift_) + channel);
}

// A flit of a packet that is dropped leaves its queue for nowhere.
void Engine::discard(std::uint32_t queue_index, Queue& queue) {
  const Input& input = inputs_[queue_index >> shift_];
  ++counters_.flits_dropped;
  if (input.upstream == kNone) {
    ++counters_.flits_injected;
  } else {
    return_credit(queue_index, input);
  }
  --queue.left;
  --queue.here;
  if (queue.left == 0) {
    if (input.upstream == kNone) ++counters_.packets_injected;
    const std::uint32_t packet = queue.packet;
    next_packet(elements_[input.element], queue_index, queue);
    lose(packet);
  } else if (queue.here == 0) {
    clear_ready(queue_index);
  }
}

// The front is gone: the packet behind it moves up.
void Engine::next_packet(const Element& element, std::uint32_t queue_index, Queue& queue) {
  const Input& input = inputs_[queue_index >> shift_];
  clear_ready(queue_index);
  queue.packet = kNone;
  queue.here = queue.left = 0;
  queue.out = kNoOut;
  queue.channel = kNoChannel;
  queue.state = 0;
  if (input.upstream == kNone) {
    const std::uint32_t node = element.local;
    return refill(node, element.is_node ? static_cast<std::uint8_t>(input.local) : element.plane);
  }
  if (queue.first == kNone) return;
  const std::uint32_t id = queue.first;
  queue.packet = followers_[id].packet;
  queue.here = followers_[id].here;
  queue.left = followers_[id].flits;
  if (followers_[id].doomed) queue.state = kDropping;
  queue.first = followers_[id].next;
  if (queue.first == kNone) queue.last = kNone;
  followers_.drop(id);
  if (plan_.flow != FlowControl::kStoreAndForward || queue.here == queue.left) set_ready(queue_index);
}

}  // namespace isoplane::sim
