// Packetisation: messages waiting for node links become packets.
#include "isoplane/sim/engine.hpp"

namespace isoplane::sim {

void Engine::create_messages() {
  bool local = true;
  while (local) {
    local = false;
    new_messages_.clear();
    traffic_.create(now_, messages_.alive(), new_messages_);
    for (const NewMessage& new_message : new_messages_) {
      if (new_message.listed != kUnlisted) listed_created_[new_message.listed] = now_;
      if (new_message.source != new_message.destination) {
        send_message(new_message);
        continue;
      }
      local = true;
      listed_arrived_[new_message.listed] = now_;
      traffic_.arrived(new_message.listed, now_);
    }
  }
  counters_.ticks_waiting += traffic_.waiting();
}

void Engine::send_message(const NewMessage& new_message) {
  const std::uint32_t id = messages_.make();
  Message& message = messages_[id];
  message.source = new_message.source;
  message.destination = new_message.destination;
  message.bits = message.to_send = new_message.bits;
  message.packets_left =
      static_cast<std::uint32_t>((new_message.bits + static_cast<std::uint64_t>(plan_.payload_bits) - 1) /
                                 static_cast<std::uint64_t>(plan_.payload_bits));
  message.listed = new_message.listed;
  message.created = now_;
  ++counters_.messages_created;
  counters_.bits_created += new_message.bits;
  ++counters_.sent[new_message.source];
  counters_.packets_created += message.packets_left;
  const Way way = choose_way(new_message);
  message.end = way.end;
  Source& source = sources_[way.link];
  (source.first == kNone ? source.first : messages_[source.last].next) = id;
  source.last = id;
  ++source.waiting;
  if (plan_.counts_backlogs()) source.flits += flits_of_message(new_message.bits);
  if (queues_[source.queue].packet == kNone) refill(way.link);
}

// Number of flits of a packet with a payload of `bits`.
std::uint16_t Engine::flits_of(std::uint64_t bits) const {
  const std::int64_t carried = plan_.padded ? plan_.payload_bits : static_cast<std::int64_t>(bits);
  return static_cast<std::uint16_t>((plan_.header_bits + carried + plan_.flit_bits - 1) / plan_.flit_bits);
}

std::uint64_t Engine::flits_of_message(std::uint64_t bits) const {
  const auto payload = static_cast<std::uint64_t>(plan_.payload_bits);
  const std::uint64_t rest = bits % payload;
  return bits / payload * flits_of(payload) + (rest == 0 ? 0 : flits_of(rest));
}

// Puts the next packet for a node link, if any, into its empty queue.
void Engine::refill(std::uint32_t link) {
  Source& source = sources_[link];
  if (source.first == kNone) return;
  Message& message = messages_[source.first];
  const auto payload = static_cast<std::uint64_t>(plan_.payload_bits);
  const std::uint64_t bits = std::min(message.to_send, payload);
  const std::uint32_t id = packets_.make();
  Packet& packet = packets_[id];
  packet.message = source.first;
  const Attachment& begin = attachments_[link];
  const Attachment& end = attachments_[first_link(message.destination, begin.plane) + message.end];
  packet.destination = end.at;
  packet.exit = end.port;
  packet.target = (plan_.direct ? first_switch_[begin.plane] : first_node_) + message.destination;
  packet.flits = flits_of(bits);
  const Routes& routes = routes_[begin.plane];
  packet.route_index = routes.has_paths() ? routes.path_start(begin.at, end.target) : end.target;
  if (plan_.path_selection == PathSelection::kValiant)
    packet.via = random_region(message.source, plan_.planes[begin.plane].detours, begin.at, end.at);
  message.to_send -= bits;
  if (plan_.counts_backlogs()) source.flits -= packet.flits;
  if (message.to_send == 0) {
    source.first = message.next;
    --source.waiting;
  }
  const std::uint32_t index = source.queue;
  Queue& queue = queues_[index];
  queue.packet = id;
  queue.flits_unsent = packet.flits;
  queue.flits_arrived = packet.flits;
  // In a direct network the switch delay also applies to packets of its own node, even behind another packet.
  const Tick ready_at =
      plan_.direct ? message.created + begin_delay(elements_[input_configs_[index >> channel_bits_].element]) : now_;
  const bool looks_up = look_ups_ != nullptr && plan_.direct;
  if (looks_up) look_up_at_source(index, id, ready_at);
  if (ready_at <= now_) {
    if (!looks_up || !awaits_look_up(index, queue)) set_ready(index);
    return;
  }
  queue.flits_arrived = 0;
  arrivals_.add(ready_at, {index, kWake});
}

}  // namespace isoplane::sim
