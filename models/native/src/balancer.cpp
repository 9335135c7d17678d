#include "isoplane/balancer.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace isoplane {

Balancer::Balancer(Cables cables, Columns columns, const std::int64_t* senders, const std::int32_t* depth,
                   std::uint64_t seed)
    : cables_(cables),
      columns_(columns),
      senders_(senders),
      depth_(depth),
      random_(seed),
      goals_(columns.count),
      port_(cables.switches * columns.count),
      hops_(cables.switches * columns.count),
      flow_(cables.switches * columns.count),
      load_(cables.switches * cables.ports),
      nearer_(cables.ports + 1) {
  std::iota(goals_.begin(), goals_.end(), std::size_t{0});
}

void Balancer::measure(std::size_t first, std::size_t count) {
  for (std::size_t here = 0; here < cables_.switches; ++here)
    for (std::size_t goal = first; goal < first + count; ++goal)
      port_[at(here, goal)] = columns_.table[here * columns_.count + goal];
  for (std::size_t goal = first; goal < first + count; ++goal) {
    measure_hops(goal);
    measure_loads(goal);
  }
  if (const std::int64_t sum = total(); sum > 0)
    per_mean_ = static_cast<double>(load_.size()) / static_cast<double>(sum);
}

void Balancer::measure_hops(std::size_t goal) {
  for (std::size_t here = 0; here < cables_.switches; ++here) {
    std::uint16_t hops = 0;
    std::size_t on = here;
    for (; on != end_of(goal) && port_[at(on, goal)] != kNoRoute; on = peer(on, port_[at(on, goal)])) ++hops;
    hops_[at(here, goal)] = on == end_of(goal) ? hops : kNoHops;
  }
}

void Balancer::measure_loads(std::size_t goal) {
  std::vector<std::size_t> order(cables_.switches);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t one, std::size_t other) { return hops_[at(one, goal)] > hops_[at(other, goal)]; });
  for (const std::size_t here : order) {
    if (here == end_of(goal) || hops_[at(here, goal)] == kNoHops) continue;
    flow_[at(here, goal)] += senders_[here] * columns_.receivers[goal];
    const std::uint16_t port = port_[at(here, goal)];
    load_[here * cables_.ports + port] += flow_[at(here, goal)];
    flow_[at(peer(here, port), goal)] += flow_[at(here, goal)];
  }
}

std::uint16_t Balancer::alternative(std::size_t here, std::size_t goal) {
  const std::uint16_t present = port_[at(here, goal)];
  const std::int32_t* peers = cables_.peer + here * cables_.ports;
  const std::uint16_t* hops = hops_.data() + at(0, goal);
  std::size_t found = 0;
  for (std::size_t port = 0; port < cables_.ports; ++port) {  // without branches, which would be hard to predict
    nearer_[found] = static_cast<std::uint16_t>(port);
    const bool leads_nearer = peers[port] >= 0 && hops[std::max(peers[port], 0)] + 1 == hops[here];
    found += static_cast<std::size_t>(static_cast<int>(leads_nearer) & static_cast<int>(port != present));
  }
  if (depth_ != nullptr) {
    const auto end = nearer_.begin() + static_cast<std::ptrdiff_t>(found);
    const auto refused = [&](std::uint16_t port) { return !keeps_order(here, goal, port); };
    found = static_cast<std::size_t>(std::remove_if(nearer_.begin(), end, refused) - nearer_.begin());
  }
  std::uint16_t chosen = present;
  for (std::size_t number = 0; number < found; ++number)
    if (below(number + 1) == 0) chosen = nearer_[number];
  return chosen;
}

bool Balancer::keeps_order(std::size_t here, std::size_t goal, std::uint16_t port) const {
  const bool is_up = leads_up(here, port);
  if (is_up != leads_up(here, port_[at(here, goal)])) return false;
  const std::size_t next = peer(here, port);
  return is_up || next == end_of(goal) || !leads_up(next, port_[at(next, goal)]);
}

void Balancer::reroute(std::size_t here, std::uint16_t port, std::size_t goal, std::size_t end, std::int64_t units) {
  while (true) {
    load_[here * cables_.ports + port] += units;
    here = peer(here, port);
    if (here == end) return;
    flow_[at(here, goal)] += units;
    port = port_[at(here, goal)];
  }
}

// The 32nd power of a load relative to the mean: the sum of these over all links grows with the heaviest one, yet
// counts the others, so that it guides moves on any link.
double Balancer::cost(std::int64_t load) const {
  double power = static_cast<double>(load) * per_mean_;
  for (int doubling = 0; doubling < 5; ++doubling) power *= power;
  return power;
}

void Balancer::run(std::uint64_t moves, double threshold) {
  for (std::uint64_t move = 0; move < moves; ++move) {
    if (moved_ % cables_.switches == 0) draw_goal();
    ++moved_;
    try_move(below(cables_.switches), goals_[place_], threshold);
  }
}

void Balancer::draw_goal() {
  place_ = moved_ / cables_.switches % columns_.count;
  std::swap(goals_[place_], goals_[place_ + below(columns_.count - place_)]);
}

void Balancer::try_move(std::size_t here, std::size_t goal, double threshold) {
  if (here == end_of(goal)) return;
  const std::int64_t units = flow_[at(here, goal)];
  const std::uint16_t old_port = port_[at(here, goal)], new_port = alternative(here, goal);
  if (new_port == old_port || units == 0) return;
  // Both routes have the same length, so they meet after the same number of hops, at the latest at the destination.
  double change = 0;
  std::size_t old_on = here, new_on = here;
  std::uint16_t old_next = old_port, new_next = new_port;
  do {
    const std::int64_t from = load_[old_on * cables_.ports + old_next], to = load_[new_on * cables_.ports + new_next];
    change += (cost(to + units) - cost(to)) - (cost(from) - cost(from - units));
    old_on = peer(old_on, old_next);
    new_on = peer(new_on, new_next);
    old_next = port_[at(old_on, goal)];
    new_next = port_[at(new_on, goal)];
  } while (old_on != new_on);
  if (!(change <= threshold)) return;
  reroute(here, old_port, goal, old_on, -units);
  reroute(here, new_port, goal, new_on, units);
  port_[at(here, goal)] = columns_.table[here * columns_.count + goal] = new_port;
}

std::int64_t Balancer::total() const { return std::accumulate(load_.begin(), load_.end(), std::int64_t{0}); }

std::int64_t Balancer::heaviest() const { return *std::max_element(load_.begin(), load_.end()); }

}  // namespace isoplane
