// Selection of the way of a message: a link of its source and one of its destination.
#include <algorithm>

#include "isoplane/sim/engine.hpp"

namespace isoplane::sim {

Engine::Way Engine::choose_way(const NewMessage& message) {
  if (plan_.single_way()) return {message.source, 0, 0};
  ways_.clear();
  std::uint32_t& turn = turn_[message.source];
  if (plan_.policy == Policy::kNearest || plan_.policy == Policy::kSpill) {
    for (std::size_t plane = 0; plane < routes_.size(); ++plane) add_ways(message, plane);
    const Way nearest = cheapest_way(turn, plan_.shorter_queue);
    return plan_.policy == Policy::kNearest ? nearest : spilled_way(nearest);
  }
  if (plan_.policy == Policy::kAdaptive) {
    for (std::size_t plane = 0; plane < routes_.size(); ++plane) {
      const std::size_t first = ways_.size();
      add_ways(message, plane);
      count_backlogs(first);
    }
    return cheapest_way(turn, false);
  }
  const std::size_t plane = plan_.policy == Policy::kSpray ? next_plane(message) : plane_by_shares(message);
  add_ways(message, plane);
  return cheapest_way(plane_turn_[message.source * routes_.size() + plane], false);
}

// Adds all ways in a plane with their hops; consecutive ways begin with different links.
void Engine::add_ways(const NewMessage& message, std::size_t plane) {
  const std::size_t from = first_link(message.source, plane), from_end = first_link(message.source, plane + 1);
  const std::size_t to = first_link(message.destination, plane), to_end = first_link(message.destination, plane + 1);
  const bool has_hops = routes_[plane].has_hops();
  for (std::size_t destination_link = to; destination_link < to_end; ++destination_link) {
    for (std::size_t source_link = from; source_link < from_end; ++source_link) {
      const std::int32_t hops =
          has_hops ? routes_[plane].hops(attachments_[source_link].at, attachments_[destination_link].target) : 0;
      ways_.push_back(
          {static_cast<std::uint32_t>(source_link), static_cast<std::uint16_t>(destination_link - to), hops});
    }
  }
}

// Of the ways with indices from `first`, keeps only those of minimum cost.
void Engine::keep_shortest(std::size_t first) {
  const auto begin = ways_.begin() + static_cast<std::ptrdiff_t>(first);
  if (begin == ways_.end()) return;
  const std::int64_t least = std::ranges::min_element(begin, ways_.end(), {}, &Way::cost)->cost;
  ways_.erase(std::remove_if(begin, ways_.end(), [&](const Way& way) { return way.cost > least; }), ways_.end());
}

// Of the ways with indices from `first`, keeps only the shortest; their cost becomes the backlog of their link.
void Engine::count_backlogs(std::size_t first) {
  keep_shortest(first);
  for (auto way = ways_.begin() + static_cast<std::ptrdiff_t>(first); way != ways_.end(); ++way)
    way->cost = backlog(way->link);
}

// Number of flits that a source has to send over a link.
std::int64_t Engine::backlog(std::uint32_t link) const {
  const Source& source = sources_[link];
  const std::int64_t waiting = static_cast<std::int64_t>(source.flits) + queues_[source.queue].flits_unsent;
  if (plan_.direct) return waiting;  // its outputs are shared with other traffic of the switch
  const std::uint32_t input = source.queue >> channel_bits_;
  const Element& element = elements_[input_configs_[input].element];
  const std::uint32_t output = element.out_base + (input - element.in_base);
  const Tick flit_ticks = output_configs_[output].flit_ticks;
  // Flits in the output buffer that are not yet on the link.
  return waiting + (std::max(outputs_[output].free_at - now_, Tick{0}) + flit_ticks - 1) / flit_ticks;
}

// Returns a way, or one that takes over from it: by rising hops, of equally long ones that with the least backlog, each
// if the backlog so far is above the threshold and above twice its own.
Engine::Way Engine::spilled_way(Way way) {
  std::int64_t flits = backlog(way.link);
  if (flits <= plan_.spill_flits) return way;
  std::ranges::stable_sort(ways_, {}, &Way::cost);
  for (auto first = ways_.begin(); first != ways_.end();) {
    const auto last = std::find_if(first, ways_.end(), [&](const Way& other) { return other.cost != first->cost; });
    const auto least =
        std::min_element(first, last, [&](const Way& a, const Way& b) { return backlog(a.link) < backlog(b.link); });
    const std::int64_t other_flits = backlog(least->link);
    if (flits > plan_.spill_flits && flits > 2 * other_flits) {
      way = *least;
      flits = other_flits;
    }
    first = last;
  }
  return way;
}

// Returns a way of minimum cost: on a tie the next one in turn, or the one with the shorter queue.
Engine::Way Engine::cheapest_way(std::uint32_t& turn, bool shorter_queue) {
  const auto count = static_cast<std::uint32_t>(ways_.size());
  std::uint32_t best = turn % count;
  bool tie = false;
  for (std::uint32_t i = 1; i < count; ++i) {
    const std::uint32_t index = (turn + i) % count;
    const Way &way = ways_[index], &other = ways_[best];
    if (way.cost <= other.cost) tie = way.cost == other.cost;  // a cheaper way ends an earlier tie
    if (way.cost < other.cost ||
        (way.cost == other.cost && shorter_queue && sources_[way.link].waiting < sources_[other.link].waiting))
      best = index;
  }
  if (tie) turn = (best + 1) % count;
  return ways_[best];
}

bool Engine::connected(const NewMessage& message, std::size_t plane) const {
  return first_link(message.source, plane) != first_link(message.source, plane + 1) &&
         first_link(message.destination, plane) != first_link(message.destination, plane + 1);
}

// The next plane in turn; if only one plane has a way, the turn does not change.
std::size_t Engine::next_plane(const NewMessage& message) {
  const std::size_t planes = routes_.size();
  std::uint32_t& turn = turn_[message.source];
  std::size_t found = planes, ways = 0;
  for (std::size_t i = 0; i < planes; ++i) {
    const std::size_t plane = (turn + i) % planes;
    if (!connected(message, plane)) continue;
    if (ways++ == 0) found = plane;
  }
  if (ways > 1) turn = static_cast<std::uint32_t>((found + 1) % planes);
  return found;
}

// Smooth weighted round robin: each plane gains its share as credit, and the one with the largest credit is taken.
// After as many messages as the sum of the shares, each plane has taken its share exactly and all credits are 0.
std::size_t Engine::plane_by_shares(const NewMessage& message) {
  std::int64_t* credit = &plane_credit_[message.source * routes_.size()];
  std::size_t best = routes_.size();
  std::int64_t total = 0;
  for (std::size_t plane = 0; plane < routes_.size(); ++plane) {
    if (plan_.shares[plane] == 0 || !connected(message, plane)) continue;
    const std::int64_t share = plan_.shares[plane];
    credit[plane] += share;
    total += share;
    if (best == routes_.size() || credit[plane] > credit[best]) best = plane;
  }
  credit[best] -= total;
  return best;
}

}  // namespace isoplane::sim
