// Audit: laws of conservation, recounted from scratch.
#include <stdexcept>
#include <string>
#include <unordered_set>

#include "isoplane/sim/engine.hpp"

namespace isoplane::sim {

std::vector<std::int32_t> Engine::credits_in_flight() const {
  std::vector<std::int32_t> found(channels_.size(), 0);
  for (const auto& list : credits_.lists())
    for (const std::uint32_t channel : list) ++found[channel];
  return found;
}

void Engine::require_conservation() {
  count_links();
  if (const auto problem = audit()) throw std::logic_error("tick " + std::to_string(now_) + ": " + *problem);
}

std::optional<std::string> Engine::audit() const {
  if (auto problem = audit_credits()) return problem;
  if (auto problem = audit_flits()) return problem;
  return audit_packets();
}

// The credits of a channel, returning credits, flits on its link and flits in the queue at its end sum to the buffer.
std::optional<std::string> Engine::audit_credits() const {
  std::vector<std::int32_t> flits(queues_.size(), 0);
  for (std::size_t i = 0; i < queues_.size(); ++i) {
    flits[i] += queues_[i].flits_arrived;
    for (std::uint32_t f = queues_[i].first_follower; f != kNone; f = followers_[f].next)
      flits[i] += followers_[f].flits_arrived;
  }
  for (const auto& list : arrivals_.lists())
    for (const Arrival& arrival : list)
      if (arrival.packet != kWake && arrival.packet != kRouted) ++flits[arrival.queue];
  const std::vector<std::int32_t> returning = credits_in_flight();
  for (std::uint32_t output = 0; output < outputs_.size(); ++output) {
    if (output_configs_[output].target_input == kNone) continue;
    for (int v = 0; v < plan_.channels; ++v) {
      const auto channel = (output << channel_bits_) + static_cast<std::uint32_t>(v);
      const auto queue = (output_configs_[output].target_input << channel_bits_) + static_cast<std::uint32_t>(v);
      const std::int64_t sum = std::int64_t{channels_[channel].credits} + returning[channel] + flits[queue];
      if (channels_[channel].credits < 0 || sum != plan_.buffer_flits)
        return "channel " + std::to_string(v) + " of link " + std::to_string(output) + ": " +
               std::to_string(channels_[channel].credits) + " credits, " + std::to_string(returning[channel]) +
               " in flight and " + std::to_string(flits[queue]) + " flits sum to " + std::to_string(sum) + ", not " +
               std::to_string(plan_.buffer_flits);
    }
  }
  return std::nullopt;
}

// Every flit that entered the network has left it, was dropped, or is in it.
std::optional<std::string> Engine::audit_flits() const {
  std::uint64_t inside = 0, forwarded = 0;
  for (std::size_t i = 0; i < queues_.size(); ++i) {
    if (input_configs_[i >> channel_bits_].upstream == kNone) continue;
    inside += queues_[i].flits_arrived;
    for (std::uint32_t f = queues_[i].first_follower; f != kNone; f = followers_[f].next)
      inside += followers_[f].flits_arrived;
  }
  for (const auto& list : arrivals_.lists())
    for (const Arrival& arrival : list) inside += arrival.packet != kWake && arrival.packet != kRouted;
  const std::uint64_t gone = flits_consumed_ + counters_.flits_dropped;
  for (const std::uint64_t flits : counters_.link_flits) forwarded += flits;
  if (forwarded != counters_.flit_hops)
    return "links carried " + std::to_string(forwarded) + " flits, not " + std::to_string(counters_.flit_hops);
  if (counters_.flits_injected == inside + gone) return std::nullopt;
  return std::to_string(counters_.flits_injected) + " flits entered, " + std::to_string(inside) + " are inside and " +
         std::to_string(gone) + " gone";
}

// Every live packet is in a queue or an event, and every live message has packets to send or to arrive.
std::optional<std::string> Engine::audit_packets() const {
  std::unordered_set<std::uint32_t> packets, messages;
  for (const Queue& queue : queues_) {
    if (queue.packet != kNone) packets.insert(queue.packet);
    for (std::uint32_t f = queue.first_follower; f != kNone; f = followers_[f].next)
      packets.insert(followers_[f].packet);
  }
  for (const auto& list : arrivals_.lists())
    for (const Arrival& arrival : list)
      if (arrival.packet < kRouted) packets.insert(arrival.packet);
  for (const auto& list : sinks_.lists()) packets.insert(list.begin(), list.end());
  if (packets.size() != packets_.alive())
    return std::to_string(packets_.alive()) + " packets, of which " + std::to_string(packets.size()) + " are found";
  for (const std::uint32_t packet : packets) messages.insert(packets_[packet].message);
  for (const Source& source : sources_)
    for (std::uint32_t m = source.first; m != kNone; m = m == source.last ? kNone : messages_[m].next)
      messages.insert(m);
  if (messages.size() == messages_.alive()) return audit_backlogs();
  return std::to_string(messages_.alive()) + " messages, of which " + std::to_string(messages.size()) + " are found";
}

// The flits waiting for a node link are those of its messages that are not yet packetised.
std::optional<std::string> Engine::audit_backlogs() const {
  if (!plan_.counts_backlogs()) return std::nullopt;
  for (std::size_t link = 0; link < sources_.size(); ++link) {
    const Source& source = sources_[link];
    std::uint64_t flits = 0;
    for (std::uint32_t m = source.first; m != kNone; m = m == source.last ? kNone : messages_[m].next)
      flits += flits_of_message(messages_[m].to_send);
    if (flits != source.flits)
      return "node link " + std::to_string(link) + ": " + std::to_string(source.flits) + " flits wait, not " +
             std::to_string(flits);
  }
  return std::nullopt;
}

}  // namespace isoplane::sim
