// Tests of the local search for circuits: its incremental routes, and its invariants.
#include "isoplane/bottleneck.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "check.hpp"

namespace {

using isoplane::BottleneckSearch;
using isoplane::HybridModel;
using isoplane::HybridPlan;
using isoplane::OnePortLoads;
using isoplane::Random;

// Every node sends to some others; circuits are cheaper or dearer than a segment inside a group.
HybridPlan plan_of(std::uint32_t groups, std::uint32_t size, std::int64_t circuit_cost, Random& random) {
  HybridPlan plan;
  plan.groups = groups;
  plan.nodes_per_group = size;
  plan.node_rate = 10;
  plan.up_rate = 16;
  plan.circuit_rate = 32;
  plan.inside_cost = 32;
  plan.circuit_cost = circuit_cost;
  for (std::uint32_t from = 0; from < plan.nodes(); ++from)
    for (std::uint32_t to = 0; to < plan.nodes(); ++to) {
      if (from == to || random.below(3) == 0) continue;
      plan.source.push_back(from);
      plan.destination.push_back(to);
      plan.bits.push_back(1 + random.below(1000));
    }
  plan.wait_start.assign(plan.source.size() + 1, 0);
  return plan;
}

HybridModel::Circuits random_circuits(const HybridPlan& plan, Random& random) {
  HybridModel::Circuits circuits;
  std::vector<bool> used(plan.nodes(), false);
  for (std::uint32_t attempt = random.below(3 * plan.nodes()); attempt > 0; --attempt) {
    const std::uint32_t a = random.below(plan.nodes()), b = random.below(plan.nodes());
    if (a / plan.nodes_per_group == b / plan.nodes_per_group || used[a] || used[b]) continue;
    used[a] = used[b] = true;
    circuits.push_back({a, b});
  }
  return circuits;
}

void routes_without_tables_equal_those_of_the_model() {
  Random random(1, 0);
  for (int trial = 0; trial < 200; ++trial) {
    const std::uint32_t groups = 2 + random.below(4), size = 1 + random.below(5);
    const HybridPlan plan = plan_of(groups, size, trial % 2 == 0 ? 5 : 50, random);
    if (plan.source.empty()) continue;
    const auto circuits = random_circuits(plan, random);
    std::vector<std::uint32_t> node_of(plan.nodes()), partner(plan.nodes(), OnePortLoads::kNone);
    std::iota(node_of.begin(), node_of.end(), 0u);
    for (const auto& [a, b] : circuits) {
      partner[a] = b;
      partner[b] = a;
    }
    const auto expected = HybridModel(plan).loads(circuits, node_of);
    OnePortLoads loads(plan);
    loads.set(partner);
    std::vector<double> busy = loads.bits();
    for (std::size_t r = 0; r < busy.size(); ++r) busy[r] /= loads.rate(r);
    const double total = std::accumulate(busy.begin(), busy.end(), 0.0);
    CHECK(std::abs(*std::max_element(busy.begin(), busy.end()) - expected.bottleneck_ns) < 1e-6);
    CHECK(std::abs(total - expected.total_ns) < 1e-6);
  }
}

// Removes the circuits of one or two nodes and joins two of the freed nodes, if their groups differ.
OnePortLoads::Changes random_changes(const HybridPlan& plan, const OnePortLoads::Partners& partner, Random& random) {
  OnePortLoads::Changes changes;
  std::vector<std::uint32_t> free;
  for (std::uint32_t count = 1 + random.below(2); count > 0; --count) {
    const std::uint32_t node = random.below(plan.nodes());
    free.push_back(node);
    changes.emplace_back(node, OnePortLoads::kNone);
    if (partner[node] == OnePortLoads::kNone) continue;
    free.push_back(partner[node]);
    changes.emplace_back(partner[node], OnePortLoads::kNone);
  }
  const std::uint32_t a = free[random.below(static_cast<std::uint32_t>(free.size()))];
  const std::uint32_t b = free[random.below(static_cast<std::uint32_t>(free.size()))];
  if (a / plan.nodes_per_group == b / plan.nodes_per_group) return changes;
  changes.emplace_back(a, b);
  changes.emplace_back(b, a);
  return changes;
}

void incremental_changes_equal_rerouting_everything() {
  Random random(4, 0);
  for (int trial = 0; trial < 60; ++trial) {
    const HybridPlan plan = plan_of(2 + random.below(4), trial % 10 == 9 ? 70 : 1 + random.below(6), 30, random);
    OnePortLoads::Partners partner(plan.nodes(), OnePortLoads::kNone);
    OnePortLoads loads(plan), rerouted(plan);
    loads.set(partner);
    for (int k = 0; k < 60; ++k) {
      const auto changes = random_changes(plan, partner, random);
      const auto before = loads.bits();
      loads.change(changes);
      if (random.below(3) == 0) {
        loads.undo();
        CHECK(loads.bits() == before);
        continue;
      }
      for (const auto& [node, other] : changes) partner[node] = other;
      rerouted.set(partner);
      CHECK(loads.bits() == rerouted.bits());
    }
  }
}

void a_search_respects_ports_and_limits(std::uint32_t ports) {
  Random random(2, ports);
  const HybridPlan plan = plan_of(3, 4, 5, random);
  BottleneckSearch search(plan, ports, 5, 3, 0), in_parts(plan, ports, 5, 3, 0);
  search.begin({}, 0);
  in_parts.begin({}, 0);
  const double before = search.bottleneck_ns();
  search.step(0, 2000, 2000);
  for (const std::uint64_t from : {0u, 700u, 1400u})
    in_parts.step(from, std::min<std::uint64_t>(from + 700, 2000), 2000);
  CHECK(search.best() == in_parts.best());
  CHECK(search.bottleneck_ns() <= before);
  CHECK(search.best().size() <= 5);
  std::vector<std::uint32_t> node_of(plan.nodes()), used(plan.nodes(), 0);
  std::iota(node_of.begin(), node_of.end(), 0u);
  for (const auto& [a, b] : search.best()) {
    CHECK(++used[a] <= ports);
    CHECK(++used[b] <= ports);
  }
  CHECK(std::abs(HybridModel(plan).loads(search.best(), node_of).bottleneck_ns - search.bottleneck_ns()) < 1e-6);
  const double limit = search.bottleneck_ns() + 0.5, total = search.total_ns();
  const auto start = search.best();
  search.begin(start, limit);
  search.step(0, 2000, 2000);
  CHECK(search.bottleneck_ns() <= limit);
  CHECK(search.total_ns() <= total);
}

}  // namespace

void test_bottleneck() {
  routes_without_tables_equal_those_of_the_model();
  incremental_changes_equal_rerouting_everything();
  a_search_respects_ports_and_limits(1);
  a_search_respects_ports_and_limits(2);
}
