#include "isoplane/balancer.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace isoplane {

Balancer::Balancer(Cables cables, Columns columns, const std::int64_t* senders, const std::int32_t* depth,
                   std::uint64_t seed, PairPlanes planes, std::uint8_t descents)
    : cables_(cables),
      columns_(columns),
      senders_(senders),
      depth_(depth),
      planes_(planes),
      most_descents_(descents),
      block_(cables.switches / planes.count),
      random_(seed),
      goals_(columns.count),
      port_(cables.switches * columns.count),
      hops_(cables.switches * columns.count),
      descents_(descents == kAnyDescents ? 0 : cables.switches * columns.count),
      flow_(cables.switches * columns.count),
      load_(cables.switches * cables.ports),
      node_load_(planes.plane == nullptr ? 0 : cables.switches + planes.count * columns.count),
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
  const std::int64_t sent = std::accumulate(node_load_.begin(), node_load_.end(), std::int64_t{0});
  per_node_mean_ =
      sent == 0 ? per_mean_ : std::min(per_mean_, static_cast<double>(node_load_.size()) / static_cast<double>(sent));
}

void Balancer::measure_hops(std::size_t goal) {
  for (std::size_t here = 0; here < cables_.switches; ++here) {
    std::uint16_t hops = 0;
    std::size_t on = here;
    for (; on != end_of(here, goal) && port_[at(on, goal)] != kNoRoute; on = peer(on, port_[at(on, goal)])) ++hops;
    hops_[at(here, goal)] = on == end_of(here, goal) ? hops : kNoHops;
  }
}

void Balancer::measure_loads(std::size_t goal) {
  std::vector<std::size_t> order(cables_.switches);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t one, std::size_t other) { return hops_[at(one, goal)] > hops_[at(other, goal)]; });
  for (const std::size_t here : order) {
    if (here == end_of(here, goal) || hops_[at(here, goal)] == kNoHops) continue;
    const std::size_t start = plane_start(here), source = here - start;
    if (planes_.plane == nullptr) {
      flow_[at(here, goal)] += senders_[source] * columns_.receivers[goal];
    } else if (plane_of(source, goal) * block_ == start) {
      flow_[at(here, goal)] += senders_[source] * columns_.receivers[goal];
      node_load_[sent_at(plane_of(source, goal), source)] += columns_.receivers[goal];
      node_load_[received_at(plane_of(source, goal), goal)] += senders_[source];
    }
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
  return is_up || next == end_of(next, goal) || !leads_up(next, port_[at(next, goal)]);
}

std::uint8_t Balancer::descents_from(std::size_t here, std::uint16_t port, std::size_t goal) const {
  const std::size_t next = peer(here, port);
  if (next == end_of(next, goal)) return 0;
  const bool descends = port_[at(next, goal)] < port;
  return static_cast<std::uint8_t>(descents_[at(next, goal)] + static_cast<int>(descends));
}

template <class Change>
bool Balancer::each_descent(std::size_t here, std::uint16_t port, std::uint8_t descents, std::size_t goal,
                            Change&& change) {
  if (!change(here, descents)) return false;
  for (std::uint16_t entry = 0; entry < cables_.ports; ++entry) {
    if (cables_.peer[here * cables_.ports + entry] < 0) continue;
    const std::size_t from = peer(here, entry);
    if (port_[at(from, goal)] != entry) continue;
    const auto with = static_cast<std::uint8_t>(descents + static_cast<int>(port < entry));
    if (with != descents_[at(from, goal)] && !each_descent(from, entry, with, goal, change)) return false;
  }
  return true;
}

bool Balancer::keeps_descents(std::size_t here, std::uint16_t port, std::size_t goal) {
  const std::uint8_t descents = descents_from(here, port, goal);
  const auto is_within = [&](std::size_t, std::uint8_t with) { return with <= most_descents_; };
  return each_descent(here, port, descents, goal, is_within) &&
         each_descent(here, port, descents, goal, [&](std::size_t on, std::uint8_t with) {
           descents_[at(on, goal)] = with;
           return true;
         });
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
double Balancer::power(double load) {
  for (int doubling = 0; doubling < 5; ++doubling) load *= load;
  return load;
}

void Balancer::run(std::uint64_t moves, double threshold) {
  for (std::uint64_t move = 0; move < moves; ++move) {
    if (moved_ % cables_.switches == 0) draw_goal();
    ++moved_;
    if (planes_.count > 1 && moved_ % 2 == 0)
      try_plane(below(block_), goals_[place_], threshold);
    else
      try_move(below(cables_.switches), goals_[place_], threshold);
  }
}

void Balancer::draw_goal() {
  place_ = moved_ / cables_.switches % columns_.count;
  std::swap(goals_[place_], goals_[place_ + below(columns_.count - place_)]);
}

void Balancer::try_move(std::size_t here, std::size_t goal, double threshold) {
  if (here == end_of(here, goal)) return;
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
  if (!descents_.empty() && !keeps_descents(here, new_port, goal)) return;
  reroute(here, old_port, goal, old_on, -units);
  reroute(here, new_port, goal, new_on, units);
  port_[at(here, goal)] = columns_.table[here * columns_.count + goal] = new_port;
}

std::uint16_t Balancer::nearest(std::size_t source, std::size_t goal) const {
  std::uint16_t hops = kNoHops;
  for (std::size_t plane = 0; plane < planes_.count; ++plane)
    hops = std::min(hops, hops_[at(plane * block_ + source, goal)]);
  return hops;
}

void Balancer::try_plane(std::size_t source, std::size_t goal, double threshold) {
  if (source == end_of(source, goal)) return;
  const std::size_t present = plane_of(source, goal);
  std::size_t other = below(planes_.count - 1);
  if (other >= present) ++other;
  const std::size_t from = present * block_ + source, to = other * block_ + source;
  const std::int64_t units = senders_[source] * columns_.receivers[goal];
  if (units == 0 || hops_[at(to, goal)] > nearest(source, goal) + planes_.detour) return;
  // No link is common to both ways, so that each changes the cost by itself.
  double change = change_along(from, goal, -units) + change_along(to, goal, units);
  const auto add = [&](std::size_t link, std::int64_t load) {
    change += node_cost(node_load_[link] + load) - node_cost(node_load_[link]);
  };
  add(sent_at(present, source), -columns_.receivers[goal]);
  add(sent_at(other, source), columns_.receivers[goal]);
  add(received_at(present, goal), -senders_[source]);
  add(received_at(other, goal), senders_[source]);
  if (change <= threshold) move_pair(source, goal, other);
}

void Balancer::move_pair(std::size_t source, std::size_t goal, std::size_t plane) {
  const std::int64_t units = senders_[source] * columns_.receivers[goal];
  const auto add = [&](std::size_t to, std::int64_t sign) {
    const std::size_t start = to * block_ + source;
    flow_[at(start, goal)] += sign * units;
    reroute(start, port_[at(start, goal)], goal, end_of(start, goal), sign * units);
    node_load_[sent_at(to, source)] += sign * columns_.receivers[goal];
    node_load_[received_at(to, goal)] += sign * senders_[source];
  };
  add(plane_of(source, goal), -1);
  add(plane, 1);
  plane_of(source, goal) = static_cast<std::uint8_t>(plane);
}

void Balancer::shorten() {
  const std::int64_t most = heaviest(), most_of_nodes = *std::max_element(node_load_.begin(), node_load_.end());
  for (std::size_t goal = 0; goal < columns_.count; ++goal)
    for (std::size_t source = 0; source < block_; ++source) {
      const std::uint16_t hops = nearest(source, goal);
      if (hops_[at(plane_of(source, goal) * block_ + source, goal)] == hops) continue;
      const std::int64_t units = senders_[source] * columns_.receivers[goal];
      for (std::size_t plane = 0; plane < planes_.count; ++plane) {
        const std::size_t here = plane * block_ + source;
        if (hops_[at(here, goal)] != hops || heaviest_along(here, goal) + units > most ||
            node_load_[sent_at(plane, source)] + columns_.receivers[goal] > most_of_nodes ||
            node_load_[received_at(plane, goal)] + senders_[source] > most_of_nodes)
          continue;
        move_pair(source, goal, plane);
        break;
      }
    }
}

std::int64_t Balancer::heaviest_along(std::size_t here, std::size_t goal) const {
  std::int64_t most = 0;
  along(here, goal, [&](std::int64_t load) { most = std::max(most, load); });
  return most;
}

double Balancer::change_along(std::size_t here, std::size_t goal, std::int64_t units) const {
  double change = 0;
  along(here, goal, [&](std::int64_t load) { change += cost(load + units) - cost(load); });
  return change;
}

std::int64_t Balancer::total() const { return std::accumulate(load_.begin(), load_.end(), std::int64_t{0}); }

std::int64_t Balancer::heaviest() const { return *std::max_element(load_.begin(), load_.end()); }

}  // namespace isoplane
