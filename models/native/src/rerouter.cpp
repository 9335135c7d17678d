#include "isoplane/rerouter.hpp"

#include <algorithm>
#include <bit>

namespace isoplane {

void shortest_hops(Cables cables, std::uint16_t* hops) {
  Reach reach(cables);
  for (std::size_t block = 0; block < cables.switches; block += kReachBits) {
    const std::size_t end = std::min(cables.switches, block + kReachBits);
    reach.clear();
    for (std::size_t from = block; from < end; ++from) reach.add(from - block, from);
    std::uint16_t count = 1;
    const auto enter = [&](std::size_t here, std::size_t, std::size_t word, std::uint64_t bits) {
      for (; bits != 0; bits &= bits - 1) {
        const std::size_t from = block + 64 * word + static_cast<std::size_t>(std::countr_zero(bits));
        hops[from * cables.switches + here] = count;
      }
    };
    while (reach.grow(enter)) ++count;
  }
}

Rerouter::Rerouter(Cables cables, const std::int32_t* target, const std::int64_t* senders,
                   const std::int64_t* receivers, const std::uint16_t* share, std::size_t columns, std::uint16_t* table)
    : cables_(cables),
      target_(target),
      senders_(senders),
      receivers_(receivers),
      share_(share),
      table_(table),
      hops_(cables.switches * cables.switches),
      load_(cables.switches * cables.ports),
      deepest_(columns),
      is_minimal_(columns),
      mark_(cables.switches),
      is_heavy_(cables.switches),
      sorted_for_(cables.switches),
      nearer_to_(cables.switches),
      nearer_(cables.switches * cables.ports),
      nearer_count_(cables.switches),
      is_listed_(cables.switches),
      after_(cables.switches),
      depth_(cables.switches),
      order_(cables.switches),
      flow_(cables.switches),
      place_(cables.switches) {
  shortest_hops(cables_, hops_.data());
}

void Rerouter::list_detours(std::size_t column) {
  const std::size_t switches = cables_.switches, to = static_cast<std::size_t>(target_[column]);
  const std::uint16_t *next = table_ + column * switches, *hops = hops_.data() + to * switches;
  std::size_t detours = 0;
  detours_.resize(switches);
  for (std::size_t here = 0; here < switches; ++here) {
    after_[here] = peer(here, next[here]);
    detours_[detours] = static_cast<std::uint32_t>(here);
    detours += here != to && !(after_[here] >= 0 && hops[after_[here]] + 1 == hops[here]);
  }
  detours_.resize(detours);
}

void Rerouter::find_broken(std::size_t column) {
  const std::int32_t to = target_[column];
  list_detours(column);
  broken_.clear();
  for (const std::uint32_t here : detours_) mark_[here] = Mark::kUnknown;
  for (const std::uint32_t start : detours_) {
    path_.clear();
    std::int32_t here = static_cast<std::int32_t>(start);
    for (; here >= 0 && here != to; here = after_[static_cast<std::size_t>(here)]) {
      Mark& mark = mark_[static_cast<std::size_t>(here)];
      if (mark == Mark::kNone) continue;  // it leads nearer
      if (mark != Mark::kUnknown) break;
      mark = Mark::kOnPath;
      path_.push_back(static_cast<std::uint32_t>(here));
    }
    const bool arrives = here == to || (here >= 0 && mark_[static_cast<std::size_t>(here)] == Mark::kArrives);
    for (const std::uint32_t on : path_) {
      mark_[on] = arrives ? Mark::kArrives : Mark::kBroken;
      if (!arrives) broken_.push_back(on);
    }
  }
  for (const std::uint32_t here : detours_) mark_[here] = Mark::kNone;
  is_minimal_[column] = detours_.size() == broken_.size();
}

std::span<const std::uint16_t> Rerouter::nearer_ports(std::size_t to, std::size_t here) {
  const std::size_t ports = cables_.ports;
  if (nearer_to_ != to) {  // columns to the same switch often follow each other
    std::fill(is_listed_.begin(), is_listed_.end(), false);
    nearer_to_ = to;
  }
  std::uint16_t* found = nearer_.data() + here * ports;
  if (!is_listed_[here]) {
    const std::int32_t* peers = cables_.peer + here * ports;
    const std::uint16_t* hops = hops_.data() + to * cables_.switches;
    const std::int32_t nearer = hops[here] - 1;
    std::size_t count = 0;
    for (std::size_t port = 0; port < ports; ++port) {  // without branches, which no processor could predict
      const std::int32_t there = peers[port];
      found[count] = static_cast<std::uint16_t>(port);
      count += static_cast<std::size_t>((there >= 0) & (hops[std::max(there, 0)] == nearer));
    }
    is_listed_[here] = true;
    nearer_count_[here] = count;
  }
  return {found, nearer_count_[here]};
}

void Rerouter::choose(std::size_t column) {
  const std::size_t to = static_cast<std::size_t>(target_[column]);
  std::uint16_t* next = table_ + column * cables_.switches;
  for (const std::uint32_t here : broken_) {
    const std::int64_t* loads = load_.data() + here * cables_.ports;
    const std::span<const std::uint16_t> ports = nearer_ports(to, here);
    next[here] = *std::min_element(ports.begin(), ports.end(), [loads](std::uint16_t port, std::uint16_t other) {
      return loads[port] < loads[other];
    });
  }
}

void Rerouter::measure_depths(std::size_t column) {
  const std::size_t switches = cables_.switches, to = static_cast<std::size_t>(target_[column]);
  const std::uint16_t* next = table_ + column * switches;
  std::fill(depth_.begin(), depth_.end(), kArrived);
  depth_[to] = 0;
  for (std::size_t start = 0; start < switches; ++start) {
    path_.clear();
    std::size_t here = start;
    for (; depth_[here] == kArrived; here = after(here, next[here])) path_.push_back(static_cast<std::uint32_t>(here));
    std::uint16_t depth = depth_[here];
    for (auto on = path_.rbegin(); on != path_.rend(); ++on) depth_[*on] = ++depth;
  }
}

void Rerouter::sort_by_depth(const std::uint16_t* depth) {
  const std::size_t switches = cables_.switches, deepest = *std::max_element(depth, depth + switches);
  begin_.assign(deepest + 2, 0);
  for (std::size_t here = 0; here < switches; ++here) ++begin_[deepest - depth[here] + 1];
  for (std::size_t level = 0; level <= deepest; ++level) begin_[level + 1] += begin_[level];
  for (std::size_t here = 0; here < switches; ++here)
    order_[begin_[deepest - depth[here]]++] = static_cast<std::uint32_t>(here);
}

void Rerouter::accumulate(std::size_t column) {
  const std::size_t switches = cables_.switches, to = static_cast<std::size_t>(target_[column]);
  const std::uint16_t *next = table_ + column * switches, *depth = hops_.data() + to * switches;
  if (!is_minimal_[column]) {
    measure_depths(column);
    depth = depth_.data();
  }
  // Traffic joins the next switch before that one passes it on. Columns to the same switch often follow each other.
  if (!is_minimal_[column] || sorted_for_ != to) sort_by_depth(depth);
  sorted_for_ = is_minimal_[column] ? to : switches;
  deepest_[column] = depth[order_.front()];
  for (std::size_t here = 0; here < switches; ++here)
    flow_[here] = senders_[here] * receivers_[column] * (share_ ? share_[column * switches + here] : 1);
  for (std::size_t place = 0; place + 1 < switches; ++place) {  // the last one is the target
    const std::size_t here = order_[place];
    flow_[after(here, next[here])] += flow_[here];
  }
}

void Rerouter::add_loads(std::size_t column) {
  const std::uint16_t* next = table_ + column * cables_.switches;
  for (std::size_t here = 0; here < cables_.switches; ++here)
    if (here != static_cast<std::size_t>(target_[column])) load_[link(here, next[here])] += flow_[here];
}

void Rerouter::run(std::size_t first, std::size_t count) {
  for (std::size_t column = first; column < first + count; ++column) {
    find_broken(column);
    choose(column);
    accumulate(column);
    add_loads(column);
  }
}

double Rerouter::cost(std::int64_t load) const {
  double power = static_cast<double>(load) * per_heaviest_;
  for (int doubling = 0; doubling < 5; ++doubling) power *= power;
  return power;
}

double Rerouter::change_by(std::size_t column, std::size_t here, std::uint16_t port, double least) const {
  const std::uint16_t* next = table_ + column * cables_.switches;
  const std::int64_t units = flow_[here];
  double added = 0;
  std::size_t on = here;
  do {
    const std::size_t taken = link(on, port);
    added += cost(load_[taken] + units) - cost_[taken];
    on = after(on, port);
    if (on == here || added - saved_.back() >= least) return least;
    port = next[on];
  } while (mark_[on] != Mark::kOnPath);
  return added - saved_[place_[on]];
}

void Rerouter::add_along(std::size_t column, std::size_t here, std::uint16_t port, std::size_t end,
                         std::int64_t units) {
  const std::uint16_t* next = table_ + column * cables_.switches;
  while (true) {
    const std::size_t taken = link(here, port);
    load_[taken] += units;
    cost_[taken] = cost(load_[taken]);
    here = after(here, port);
    if (here == end) return;
    flow_[here] += units;
    port = next[here];
  }
}

bool Rerouter::relieve_entry(std::size_t column, std::size_t here) {
  const std::size_t to = static_cast<std::size_t>(target_[column]);
  std::uint16_t* next = table_ + column * cables_.switches;
  const std::span<const std::uint16_t> ports = nearer_ports(to, here);
  if (ports.size() == 1 && ports[0] == next[here]) return false;
  ++tried_;
  path_.clear();
  saved_.assign(1, 0);
  for (std::size_t on = here; on != to; on = after(on, next[on])) {
    path_.push_back(static_cast<std::uint32_t>(on));
    const std::size_t taken = link(on, next[on]);
    saved_.push_back(saved_.back() + cost_[taken] - cost(load_[taken] - flow_[here]));
  }
  path_.push_back(static_cast<std::uint32_t>(to));
  for (std::size_t place = 0; place < path_.size(); ++place) {
    mark_[path_[place]] = Mark::kOnPath;
    place_[path_[place]] = place;
  }
  double least = 0;
  std::uint16_t best = next[here];
  for (const std::uint16_t port : ports) {
    if (port == next[here]) continue;
    if (const double change = change_by(column, here, port, least); change < least) {
      least = change;
      best = port;
    }
  }
  const bool moves = best != next[here];
  if (moves) {
    std::size_t end = after(here, best);
    while (mark_[end] != Mark::kOnPath) end = after(end, next[end]);
    const std::int64_t units = flow_[here];
    add_along(column, here, next[here], end, -units);
    add_along(column, here, best, end, units);
    next[here] = best;
  }
  for (const std::uint32_t on : path_) mark_[on] = Mark::kNone;
  return moves;
}

void Rerouter::relieve_column(std::size_t column, std::int64_t limit) {
  const std::size_t switches = cables_.switches;
  const std::uint16_t* next = table_ + column * switches;
  bool is_any_heavy = false;
  for (std::size_t here = 0; here < switches; ++here)
    is_any_heavy |= here != static_cast<std::size_t>(target_[column]) && load_[link(here, next[here])] > limit;
  if (!is_any_heavy) return;
  accumulate(column);
  // Routes over a heavy link, found from the target outwards.
  heavy_.clear();
  is_heavy_[order_.back()] = false;  // the target
  for (auto here = order_.rbegin() + 1; here != order_.rend(); ++here) {
    const std::size_t there = after(*here, next[*here]);
    is_heavy_[*here] = load_[link(*here, next[*here])] > limit || is_heavy_[there];
    if (is_heavy_[*here] && flow_[*here] > 0) heavy_.push_back(*here);
  }
  bool moved = false;
  for (const std::uint32_t here : heavy_)
    if (flow_[here] > 0) moved |= relieve_entry(column, here);
  if (moved && !is_minimal_[column]) accumulate(column);  // the depth may have changed
}

void Rerouter::relieve(std::size_t first, std::size_t count, std::int64_t limit) {
  per_heaviest_ = 1 / static_cast<double>(std::max<std::int64_t>(1, heaviest()));
  cost_.resize(load_.size());
  std::transform(load_.begin(), load_.end(), cost_.begin(), [this](std::int64_t load) { return cost(load); });
  for (std::size_t column = first; column < first + count; ++column) relieve_column(column, limit);
}

}  // namespace isoplane
