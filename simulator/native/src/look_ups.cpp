// Look-ups of heads in the caches of their input ports, and in the tables of their switches.
//
// A head looks up its destination when it arrives at a switch, so that a packet that waits anyway does not wait for the
// look-up; with store and forward when the packet has arrived completely, and with wormhole at the front of its queue.
// Flits become visible after the delay of a hit, and a head that has missed stays at the front until it is ready.
#include <algorithm>
#include <utility>

#include "isoplane/sim/engine.hpp"

namespace isoplane::sim {

void Engine::start_look_ups() {
  checks_heads_ = plan_.routing_delay != 0 || plan_.look_ups.counted();
  if (!plan_.look_ups.counted()) return;
  look_ups_ = std::make_unique<LookUps>(plan_.look_ups, input_ports(), inputs_.size(), elements_.size(), horizon());
  if (!plan_.look_ups.cached) return;
  if (plan_.look_ups.start == CacheStart::kWarm) warm();
  if (plan_.look_ups.start == CacheStart::kExchange) exchange();
}

// By plane, the ports of cables in the order in which these leave their switches, then those of nodes, by node link.
std::vector<InputPort> Engine::input_ports() const {
  std::vector<InputPort> ports;
  const auto add = [&](std::uint32_t at, std::uint32_t number, std::uint32_t from) {
    ports.push_back({elements_[at].in_base + number, at, number, from});
  };
  for (std::uint8_t p = 0; p < routes_.size(); ++p) {
    const PlanePlan& plane = plan_.planes[p];
    for (std::size_t i = 0; i < plane.peer.size(); ++i) {
      if (plane.peer[i] < 0) continue;
      const std::uint32_t at = first_switch_[p] + static_cast<std::uint32_t>(plane.peer[i]);
      add(at, static_cast<std::uint32_t>(plane.peer_port[i]),
          first_switch_[p] + static_cast<std::uint32_t>(i / plane.ports));
    }
    for (std::uint32_t node = 0; node < plan_.nodes(); ++node) {
      for (std::size_t link = first_link(node, p); link < first_link(node, p + std::size_t{1}); ++link) {
        const std::uint32_t at = first_switch_[p] + attachments_[link].at;
        add(at, attachments_[link].port, plan_.direct ? at : first_node_ + node);
      }
    }
  }
  return ports;
}

// All ways that a message may take, whatever the queues.
std::vector<Engine::Way> Engine::possible_ways(std::uint32_t source, std::uint32_t destination) {
  if (plan_.single_way()) return {{source, 0, 0}};
  const NewMessage message{source, destination, 1, kUnlisted};
  ways_.clear();
  for (std::size_t plane = 0; plane < routes_.size(); ++plane) {
    const std::size_t first = ways_.size();
    if (plan_.policy == Policy::kShares && plan_.shares[plane] == 0) continue;
    add_ways(message, plane);
    if (plan_.policy != Policy::kNearest) keep_shortest(first);
  }
  keep_shortest(plan_.policy == Policy::kNearest ? 0 : ways_.size());
  return ways_;
}

// Calls `visit` with the input ports on a way, including those of all detours that a packet may take, until it returns
// false for one of a path.
template <class Visit>
void Engine::visit_ports(std::uint32_t destination, const Way& way, Visit&& visit) const {
  const Attachment& begin = attachments_[way.link];
  const Attachment& end = attachments_[first_link(destination, begin.plane) + way.end];
  Packet packet;
  packet.destination = end.at;
  packet.exit = end.port;
  packet.target = (plan_.direct ? first_switch_[begin.plane] : first_node_) + destination;
  const Routes& routes = routes_[begin.plane];
  packet.route_index = routes.has_paths() ? routes.path_start(begin.at, end.target) : end.target;
  const DetourPlan& detours = plan_.planes[begin.plane].detours;
  const bool detoured =
      plan_.path_selection != PathSelection::kMinimal && detours.region[begin.at] != detours.region[end.at];
  if (!detoured || plan_.path_selection == PathSelection::kUgal) visit_path(way.link, packet, visit);
  if (!detoured) return;
  for (std::uint16_t region = 0; region < detours.regions; ++region) {
    if (region == detours.region[begin.at] || region == detours.region[end.at]) continue;
    packet.via = region;
    visit_path(way.link, packet, visit);
  }
}

template <class Visit>
void Engine::visit_path(std::uint32_t link, Packet packet, Visit&& visit) const {
  const Attachment& begin = attachments_[link];
  std::uint32_t at = first_switch_[begin.plane] + begin.at;
  std::uint32_t input = elements_[at].in_base + begin.port;
  for (std::uint32_t hops = 0; visit(input); ++hops) {
    const Element& element = elements_[at];
    if (!on_detour(element, packet)) packet.via = kNoRegion;
    const OutputConfig& output = output_configs_[element.out_base + port_at(element, packet, hops)];
    if (output.target == packet.target && packet.via == kNoRegion) return;
    at = output.target;
    input = output.target_input;
  }
}

// Each destination passes the ports of its paths once. Paths by destination that meet go on together, so that only the
// first one is followed to its end.
void Engine::warm() {
  std::vector<std::uint64_t> passed(inputs_.size(), 0);
  for (std::uint32_t destination = 0; destination < plan_.nodes(); ++destination) {
    for (std::uint32_t source = 0; source < plan_.nodes(); ++source) {
      if (source == destination) continue;
      for (const Way& way : possible_ways(source, destination)) {
        const std::uint64_t mark = (destination + std::uint64_t{1}) << 16 | way.end;
        const bool merges =
            plan_.path_selection == PathSelection::kMinimal && !routes_[attachments_[way.link].plane].has_paths();
        visit_ports(destination, way, [&](std::uint32_t input) {
          const std::uint64_t before = std::exchange(passed[input], mark);
          if (before >> 16 != mark >> 16) look_ups_->pass(input, destination);
          return before != mark || !merges;
        });
      }
    }
  }
}

void Engine::exchange() {
  for (std::uint32_t shift = 1; shift < plan_.nodes(); ++shift) {
    for (std::uint32_t source = 0; source < plan_.nodes(); ++source) {
      const std::uint32_t destination = (source + shift) % plan_.nodes();
      for (const Way& way : possible_ways(source, destination)) {
        visit_ports(destination, way, [&](std::uint32_t input) {
          look_ups_->pass(input, destination);
          return true;
        });
      }
    }
  }
}

LookUps::Delay Engine::look_up(std::uint32_t queue_index, std::uint32_t packet) {
  return look_ups_->look_up(queue_index >> channel_bits_, messages_[packets_[packet].message].destination, now_);
}

// Before a flit is sent: if it is the head of a packet, or its last flit with store and forward, the packet looks up
// its destination when this arrives at a switch; over a cable without delay at once, as the look-ups of this tick are
// over.
void Engine::announce(const Element& element, const Request& request) {
  if (plan_.flow_control == FlowControl::kWormhole) return;
  const Queue& queue = queues_[request.queue];
  if (store_and_forward() ? queue.flits_unsent != 1 : queue.channel != kNoChannel) return;
  const std::uint32_t output_index = element.out_base + request.out;
  const OutputConfig& link = output_configs_[output_index];
  const Packet& packet = packets_[queue.packet];
  if (link.target == packet.target && packet.via == kNoRegion) return;  // it arrives
  const Tick received = std::max(now_, outputs_[output_index].free_at) + link.receive;
  const Tick when = store_and_forward() ? received : received - link.flit_ticks;
  const LookUps::Head head{(link.target_input << channel_bits_) + request.channel, queue.packet};
  if (when == now_) return look_up_head(head);
  look_ups_->heads().add(when, head);
}

void Engine::look_up_heads() {
  for (const LookUps::Head& head : look_ups_->heads().at(now_)) look_up_head(head);
  look_ups_->heads().clear(now_);
}

void Engine::look_up_head(const LookUps::Head& head) {
  const Element& element = elements_[input_configs_[head.queue >> channel_bits_].element];
  const Tick delay = plan_.switch_delay_of(plan_.planes[element.plane], element.local);
  const Tick hit_at = now_ + delay - (store_and_forward() ? plan_.flit_ticks : 0);
  look_ups_->set_ready(head.packet, hit_at + look_up(head.queue, head.packet).added);
}

// Returns whether the head at the front has to wait; with wormhole it looks up now, and `delay` is that of a hit. With
// store and forward `stored` tells when the packet is complete.
bool Engine::begin_look_up(std::uint32_t queue_index, Queue& queue, Tick delay) {
  if (store_and_forward()) return false;
  if (plan_.flow_control == FlowControl::kWormhole)
    look_ups_->set_ready(queue.packet, now_ + delay + look_up(queue_index, queue.packet).added);
  return awaits_look_up(queue_index, queue);
}

// A packet of the node inside a switch of a direct network looks up when its turn has come. The time since its message
// was created counts, as it does for the switch delay, but not as a place at the table.
void Engine::look_up_at_source(std::uint32_t queue_index, std::uint32_t packet, Tick hit_at) {
  const LookUps::Delay delay = look_up(queue_index, packet);
  look_ups_->set_ready(packet, std::max(hit_at + delay.added - delay.waited, now_) + delay.waited);
}

// Whether the head at the front has to wait for its look-up, not that of a later switch, which it may have reached
// before its body. The time may exceed the horizon of events.
bool Engine::awaits_look_up(std::uint32_t queue_index, Queue& queue) {
  if (queue.channel != kNoChannel) return false;
  const Tick ready_at = look_ups_->ready_at(queue.packet);
  if (ready_at <= now_) return false;
  queue.state |= kRouting;
  arrivals_.add(std::min(ready_at, now_ + arrivals_.horizon()), {queue_index, kRouted});
  return true;
}

}  // namespace isoplane::sim
