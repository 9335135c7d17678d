#include "isoplane/bottleneck.hpp"

#include <algorithm>
#include <numeric>

namespace isoplane {

OnePortLoads::OnePortLoads(const HybridPlan& plan) : plan_(plan), group_(plan.nodes()) {
  for (std::uint32_t node = 0; node < plan.nodes(); ++node) group_[node] = node / plan.nodes_per_group;
}

std::size_t OnePortLoads::place(std::uint32_t home, std::uint32_t by, std::uint32_t group) const {
  return (std::size_t{home} * (plan_.groups + 1) + by) * plan_.groups + group;
}

const std::vector<double>& OnePortLoads::busy(const std::vector<std::uint32_t>& partner) {
  const std::uint32_t nodes = plan_.nodes();
  partner_ = partner;
  into_.assign(nodes, plan_.groups);
  for (std::uint32_t node = 0; node < nodes; ++node)
    if (partner[node] != kNone) into_[node] = group_[partner[node]];
  set_costs();
  busy_.assign(3 * nodes + 2 * plan_.groups, 0);
  for (std::size_t i = 0; i < plan_.source.size(); ++i) send(plan_.source[i], plan_.destination[i], plan_.bits[i]);
  const std::uint32_t ups = 2 * nodes, circuits = ups + 2 * plan_.groups;
  for (std::uint32_t r = 0; r < busy_.size(); ++r)
    busy_[r] /= r < ups ? plan_.node_rate : r < circuits ? plan_.up_rate : plan_.circuit_rate;
  return busy_;
}

// The cost from a node whose circuit leads into a group, by that circuit; not for the far end of the destination's.
std::int64_t OnePortLoads::over(std::uint32_t into, std::uint32_t home, const std::int64_t* hub) const {
  return plan_.circuit_cost + plan_.inside_cost + (into == home ? 0 : hub[into]);
}

void OnePortLoads::set_costs() {
  const std::uint32_t groups = plan_.groups;
  of_pair_.assign(std::size_t{groups} * groups, 0);
  for (std::uint32_t node = 0; node < plan_.nodes(); ++node)
    if (into_[node] < groups) ++of_pair_[group_[node] * groups + into_[node]];
  hub_.assign(std::size_t{groups} * (groups + 1) * groups, kFar);
  near_.resize(hub_.size());
  for (std::uint32_t home = 0; home < groups; ++home)
    for (std::uint32_t by = 0; by <= groups; ++by)
      if (by == groups || of_pair_[home * groups + by] > 0) spread(home, by);
}

// Distance vectors towards the nodes of a group whose circuits lead into the group `by` (or that own none).
void OnePortLoads::spread(std::uint32_t home, std::uint32_t by) {
  const std::uint32_t groups = plan_.groups, size = plan_.nodes_per_group;
  std::int64_t* hub = &hub_[place(home, by, 0)];
  if (by < groups) hub[by] = plan_.circuit_cost;
  const auto fixed = [&](std::uint32_t group) { return group == home || group == by; };
  for (bool changed = true; changed;) {
    changed = false;
    for (std::uint32_t group = 0; group < groups; ++group)
      for (std::uint32_t into = 0; into < groups && !fixed(group); ++into) {
        if (of_pair_[group * groups + into] == 0 || over(into, home, hub) >= hub[group]) continue;
        hub[group] = over(into, home, hub);
        changed = true;
      }
  }
  for (std::uint32_t group = 0; group < groups; ++group) {
    auto& near = near_[place(home, by, group)];
    near.clear();
    if (fixed(group) || hub[group] >= kFar) continue;
    for (std::uint32_t node = group * size; node < (group + 1) * size; ++node)
      if (into_[node] < groups && over(into_[node], home, hub) == hub[group]) near.push_back(node);
  }
}

void OnePortLoads::send(std::uint32_t from, std::uint32_t to, double bits) {
  const std::uint32_t nodes = plan_.nodes(), groups = plan_.groups, home = group_[to], by = into_[to];
  double *out = busy_.data(), *in = out + nodes, *up = in + nodes, *down = up + groups, *circuit = down + groups;
  const auto leg = [&](std::uint32_t a, std::uint32_t b) {
    out[a] += bits;
    in[b] += bits;
  };
  const std::int64_t* hub = &hub_[place(home, by, 0)];
  if (group_[from] != home && hub[group_[from]] >= kFar) {
    leg(from, to);
    up[group_[from]] += bits;
    down[home] += bits;
    return;
  }
  for (std::uint32_t node = from; node != to;) {
    const std::uint32_t own = group_[node];
    if (own == home) return leg(node, to);
    const bool its = partner_[node] == to;
    if (!its && (into_[node] == groups || over(into_[node], home, hub) > hub[own] + plan_.inside_cost)) {
      const auto& near = near_[place(home, by, own)];
      const std::uint32_t next =
          own == by ? partner_[to]
                    : near[(node - own * plan_.nodes_per_group) % static_cast<std::uint32_t>(near.size())];
      leg(node, next);
      node = next;
    }
    circuit[node] += bits;
    node = partner_[node];
  }
}

BottleneckSearch::BottleneckSearch(HybridPlan plan, std::uint32_t ports, std::uint32_t most, std::uint64_t seed,
                                   std::uint64_t stream)
    : plan_(std::move(plan)), ports_(ports), most_(most), random_(seed, stream), one_port_(plan_), model_(plan_) {
  own_nodes_.resize(plan_.nodes());
  std::iota(own_nodes_.begin(), own_nodes_.end(), 0u);
}

void BottleneckSearch::begin(const Circuits& start, double limit_ns) {
  circuits_ = start;
  limit_ = limit_ns;
  used_.assign(plan_.nodes(), 0);
  for (const auto& [a, b] : circuits_) {
    ++used_[a];
    ++used_[b];
  }
  current_ = evaluate();
  best_bottleneck_ = -1;
  keep(current_);
  energy_ = energy(current_);
}

void BottleneckSearch::step(std::uint64_t evaluations, double from, double to) {
  const double first = limit_ > 0 ? 0.01 : 1;  // of the energy; a thousandth of it at the end of the schedule
  const auto threshold = [&](double at) {      // powers of two, joined by lines: the same on every machine
    double value = first;
    for (at *= 10; at >= 1; at -= 1) value /= 2;
    return value * (1 - at / 2);
  };
  for (std::uint64_t i = 0; i < evaluations;) {
    const Circuits before = circuits_;
    const std::vector<std::uint32_t> used = used_;
    const double place = from + (to - from) * (static_cast<double>(i++) / static_cast<double>(evaluations));
    if (!move()) {  // counts, so that a search without any move ends, too
      circuits_ = before;
      used_ = used;
      continue;
    }
    const std::vector<double>& busy = evaluate();
    const double found = energy(busy);
    if (found <= energy_ * (1 + threshold(place))) {
      current_ = busy;
      energy_ = found;
      keep(current_);
    } else {
      circuits_ = before;
      used_ = used;
    }
  }
}

bool BottleneckSearch::allowed(std::uint32_t a, std::uint32_t b) const {
  if (a / plan_.nodes_per_group == b / plan_.nodes_per_group || used_[a] >= ports_ || used_[b] >= ports_) return false;
  return ports_ == 1 || std::none_of(circuits_.begin(), circuits_.end(), [&](const auto& pair) {
           return pair == std::pair(a, b) || pair == std::pair(b, a);
         });
}

// One in twelve adds a circuit, one in twelve takes one away; the others are for one end or for the ends of two.
bool BottleneckSearch::move() {
  const std::uint32_t kind = random_.below(12);
  if (kind == 0 || circuits_.empty()) return circuits_.size() < most_ && add();
  if (kind == 1) {
    const std::uint32_t i = random_.below(static_cast<std::uint32_t>(circuits_.size()));
    --used_[circuits_[i].first];
    --used_[circuits_[i].second];
    circuits_[i] = circuits_.back();
    circuits_.pop_back();
    return true;
  }
  return kind < 6 ? redirect() : exchange();
}

bool BottleneckSearch::add() {
  const std::uint32_t a = random_.below(plan_.nodes()), b = random_.below(plan_.nodes());
  if (!allowed(a, b)) return false;
  circuits_.push_back({a, b});
  ++used_[a];
  ++used_[b];
  return true;
}

bool BottleneckSearch::redirect() {
  const std::uint32_t size = plan_.nodes_per_group;
  auto& pair = circuits_[random_.below(static_cast<std::uint32_t>(circuits_.size()))];
  if (random_.below(2) == 0) std::swap(pair.first, pair.second);
  const std::uint32_t group = random_.below(5) > 0 ? pair.second / size : random_.below(plan_.groups);
  const std::uint32_t node = group * size + random_.below(size), old = pair.second;
  --used_[pair.first];  // as if it were not there
  --used_[old];
  if (node == old || !allowed(pair.first, node)) return false;
  pair.second = node;
  ++used_[pair.first];
  ++used_[node];
  return true;
}

bool BottleneckSearch::exchange() {
  const auto count = static_cast<std::uint32_t>(circuits_.size());
  const std::uint32_t i = random_.below(count), j = random_.below(count);
  if (i == j) return false;
  const auto [a, b] = circuits_[i];
  auto [c, d] = circuits_[j];
  if (random_.below(2) == 0) std::swap(c, d);
  for (const std::uint32_t node : {a, b, c, d}) --used_[node];
  if (!allowed(a, d) || !allowed(c, b)) return false;
  circuits_[i] = {a, d};
  circuits_[j] = {c, b};
  for (const std::uint32_t node : {a, b, c, d}) ++used_[node];
  return true;
}

const std::vector<double>& BottleneckSearch::evaluate() {
  if (ports_ == 1) {
    partner_.assign(plan_.nodes(), OnePortLoads::kNone);
    for (const auto& [a, b] : circuits_) {
      partner_[a] = b;
      partner_[b] = a;
    }
    return one_port_.busy(partner_);
  }
  model_.loads(circuits_, own_nodes_);
  many_ports_ = model_.resource_bits();
  for (std::size_t r = 0; r < many_ports_.size(); ++r) many_ports_[r] /= model_.capacity()[r];
  return many_ports_;
}

double BottleneckSearch::energy(const std::vector<double>& busy) const {
  double sum = 0;
  if (limit_ > 0) {
    const double most = *std::max_element(busy.begin(), busy.end());
    for (const double value : busy) sum += value;
    return most <= limit_ ? sum : 2e300;
  }
  for (const double value : busy) {
    double power = value / best_bottleneck_;
    for (int i = 0; i < 5; ++i) power *= power;
    sum += power;
  }
  return sum;
}

void BottleneckSearch::keep(const std::vector<double>& busy) {
  const double most = *std::max_element(busy.begin(), busy.end());
  const double total = std::accumulate(busy.begin(), busy.end(), 0.0);
  const bool lower = best_bottleneck_ < 0 || most < best_bottleneck_;
  if (limit_ > 0 ? best_bottleneck_ >= 0 && (most > limit_ || total >= best_total_)
                 : !lower && (most > best_bottleneck_ || total >= best_total_))
    return;
  best_ = circuits_;
  best_bottleneck_ = most;
  best_total_ = total;
  energy_ = energy(current_);  // in the new unit
}

}  // namespace isoplane
