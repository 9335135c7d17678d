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
      mark_(cables.switches),
      is_heavy_(cables.switches),
      depth_(cables.switches),
      order_(cables.switches),
      flow_(cables.switches),
      place_(cables.switches) {
  shortest_hops(cables_, hops_.data());
}

void Rerouter::find_broken(std::size_t column) {
  const std::size_t switches = cables_.switches, to = static_cast<std::size_t>(target_[column]);
  const std::uint16_t *next = table_ + column * switches, *hops = hops_.data() + to * switches;
  broken_.clear();
  std::fill(mark_.begin(), mark_.end(), Mark::kUnknown);
  mark_[to] = Mark::kArrives;
  for (std::size_t start = 0; start < switches; ++start) {
    path_.clear();
    std::int32_t here = static_cast<std::int32_t>(start);
    while (here >= 0 && mark_[static_cast<std::size_t>(here)] == Mark::kUnknown) {
      const std::size_t on = static_cast<std::size_t>(here);
      mark_[on] = Mark::kOnPath;
      path_.push_back(static_cast<std::uint32_t>(on));
      here = peer(on, next[on]);
    }
    const bool arrives = here >= 0 && mark_[static_cast<std::size_t>(here)] == Mark::kArrives;
    for (const std::uint32_t on : path_) {
      mark_[on] = arrives ? Mark::kArrives : Mark::kBroken;
      if (!arrives && !leads_nearer(hops, on, next[on])) broken_.push_back(on);
    }
  }
}

void Rerouter::choose(std::size_t column) {
  const std::size_t switches = cables_.switches;
  std::uint16_t* next = table_ + column * switches;
  const std::uint16_t* hops = hops_.data() + static_cast<std::size_t>(target_[column]) * switches;
  for (const std::uint32_t here : broken_) {
    std::int64_t least = 0;
    std::uint16_t chosen = kArrived;
    for (std::uint16_t port = 0; port < cables_.ports; ++port) {
      const std::int64_t load = load_[link(here, port)];
      if ((chosen == kArrived || load < least) && leads_nearer(hops, here, port)) {
        chosen = port;
        least = load;
      }
    }
    next[here] = chosen;
  }
}

void Rerouter::accumulate(std::size_t column) {
  const std::size_t switches = cables_.switches, to = static_cast<std::size_t>(target_[column]);
  const std::uint16_t* next = table_ + column * switches;
  std::fill(mark_.begin(), mark_.end(), Mark::kUnknown);
  depth_[to] = 0;
  mark_[to] = Mark::kArrives;
  std::uint32_t deepest = 0;
  for (std::size_t start = 0; start < switches; ++start) {
    path_.clear();
    std::size_t here = start;
    for (; mark_[here] == Mark::kUnknown; here = after(here, next[here]))
      path_.push_back(static_cast<std::uint32_t>(here));
    std::uint32_t depth = depth_[here];
    for (auto on = path_.rbegin(); on != path_.rend(); ++on) {
      mark_[*on] = Mark::kArrives;
      depth_[*on] = ++depth;
    }
    deepest = std::max(deepest, depth);
  }
  deepest_[column] = deepest;
  // A counting sort by depth: traffic joins the next switch before that one passes it on.
  std::vector<std::uint32_t> begin(std::size_t{deepest} + 2);
  for (std::size_t here = 0; here < switches; ++here) ++begin[deepest - depth_[here] + 1];
  for (std::size_t level = 0; level <= deepest; ++level) begin[level + 1] += begin[level];
  for (std::size_t here = 0; here < switches; ++here)
    order_[begin[deepest - depth_[here]]++] = static_cast<std::uint32_t>(here);
  for (std::size_t here = 0; here < switches; ++here)
    flow_[here] = senders_[here] * receivers_[column] * (share_ ? share_[column * switches + here] : 1);
  for (const std::uint32_t here : order_)
    if (here != to) flow_[after(here, next[here])] += flow_[here];
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
  const std::uint16_t* hops = hops_.data() + to * cables_.switches;
  ports_.clear();
  for (std::uint16_t port = 0; port < cables_.ports; ++port)
    if (port != next[here] && leads_nearer(hops, here, port)) ports_.push_back(port);
  if (ports_.empty()) return false;
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
  for (const std::uint16_t port : ports_)
    if (const double change = change_by(column, here, port, least); change < least) {
      least = change;
      best = port;
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
  for (const std::uint32_t on : path_) mark_[on] = Mark::kArrives;
  return moves;
}

void Rerouter::relieve_column(std::size_t column, std::int64_t limit) {
  const std::uint16_t* next = table_ + column * cables_.switches;
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
  if (moved) accumulate(column);  // the depth may have changed
}

void Rerouter::relieve(std::size_t first, std::size_t count, std::int64_t limit) {
  per_heaviest_ = 1 / static_cast<double>(std::max<std::int64_t>(1, heaviest()));
  cost_.resize(load_.size());
  std::transform(load_.begin(), load_.end(), cost_.begin(), [this](std::int64_t load) { return cost(load); });
  for (std::size_t column = first; column < first + count; ++column) relieve_column(column, limit);
}

}  // namespace isoplane
