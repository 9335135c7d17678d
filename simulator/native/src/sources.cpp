// From messages to packets: queues of the nodes, and the plane that a message takes.
#include "isoplane/sim/engine.hpp"

namespace isoplane::sim {

std::uint32_t Engine::source_queue(std::uint32_t node, std::uint8_t plane) const {
  const Element& element = elements_[(plan_.direct ? first_switch_[plane] : first_node_) + node];
  const std::uint32_t local = plan_.direct ? element.inputs - 1u : plane;
  return (element.in_base + local) << shift_;
}

std::uint8_t Engine::plane_for(const NewMessage& message) {
  if (routes_.size() == 1) return 0;
  const auto planes = static_cast<std::uint8_t>(routes_.size());
  const Source* sources = &sources_[std::size_t{message.source} * planes];
  const std::uint8_t turn = turn_[message.source];
  const auto hops = [&](std::uint8_t plane) {
    return routes_[plane].hops(attachment(message.source, plane).at, attachment(message.destination, plane).target);
  };
  std::uint8_t best = turn;
  bool tie = false;
  for (std::uint8_t i = 1; i < planes; ++i) {
    const auto plane = static_cast<std::uint8_t>((turn + i) % planes);
    const std::int32_t difference = hops(plane) - hops(best);
    if (difference <= 0) tie = difference == 0;  // a nearer plane ends the tie of those before
    if (difference < 0 || (difference == 0 && plan_.shorter_queue && sources[plane].waiting < sources[best].waiting))
      best = plane;
  }
  if (tie) turn_[message.source] = static_cast<std::uint8_t>((best + 1) % planes);
  return best;
}

void Engine::create_messages() {
  new_messages_.clear();
  traffic_.create(now_, messages_.alive(), new_messages_);
  counters_.ticks_held += traffic_.waiting();
  for (const NewMessage& made : new_messages_) {
    const std::uint32_t id = messages_.make();
    Message& message = messages_[id];
    message.source = made.source;
    message.destination = made.destination;
    message.bits = message.to_send = made.bits;
    message.packets_left = static_cast<std::uint32_t>((made.bits + static_cast<std::uint64_t>(plan_.payload_bits) - 1) /
                                                      static_cast<std::uint64_t>(plan_.payload_bits));
    message.listed = made.listed;
    message.created = now_;
    ++counters_.messages_created;
    counters_.bits_created += made.bits;
    ++counters_.sent[made.source];
    if (made.listed != kSilent) listed_created_[made.listed] = now_;
    if (made.source == made.destination) {  // within a node there is nothing to wait for
      finish_message(id, 0);
      continue;
    }
    counters_.packets_created += message.packets_left;
    const std::uint8_t plane = plane_for(made);
    Source& source = sources_[std::size_t{made.source} * routes_.size() + plane];
    (source.first == kNone ? source.first : messages_[source.last].next) = id;
    source.last = id;
    ++source.waiting;
    if (queues_[source_queue(made.source, plane)].packet == kNone) refill(made.source, plane);
  }
}

// Puts the next packet of a node into its empty queue, if there is one.
void Engine::refill(std::uint32_t node, std::uint8_t plane) {
  Source& source = sources_[std::size_t{node} * routes_.size() + plane];
  if (source.first == kNone) return;
  Message& message = messages_[source.first];
  const auto payload = static_cast<std::uint64_t>(plan_.payload_bits);
  const std::uint64_t bits = std::min(message.to_send, payload);
  const std::uint32_t id = packets_.make();
  Packet& packet = packets_[id];
  packet.message = source.first;
  const Attachment& end = attachment(message.destination, plane);
  packet.destination = end.at;
  packet.exit = end.port;
  packet.target = (plan_.direct ? first_switch_[plane] : first_node_) + message.destination;
  packet.plane = plane;
  const std::int64_t carried = plan_.padded ? plan_.payload_bits : static_cast<std::int64_t>(bits);
  packet.flits = static_cast<std::uint16_t>((plan_.header_bits + carried + plan_.flit_bits - 1) / plan_.flit_bits);
  const Routes& routes = routes_[plane];
  packet.way = routes.has_paths() ? routes.path_start(attachment(node, plane).at, end.target) : end.target;
  message.to_send -= bits;
  if (message.to_send == 0) {
    source.first = message.next;
    --source.waiting;
  }
  const std::uint32_t index = source_queue(node, plane);
  Queue& queue = queues_[index];
  queue.packet = id;
  queue.left = packet.flits;
  queue.here = packet.flits;
  // In a direct network the switch begins with a packet as with any that has come in, even behind another one.
  const Tick begins = plan_.direct ? message.created + plan_.switch_delay - plan_.interval : now_;
  if (begins <= now_) return set_ready(index);
  queue.here = 0;
  arrivals_.add(begins, {index, kWake});
}

}  // namespace isoplane::sim
