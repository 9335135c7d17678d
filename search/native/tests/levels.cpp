// Loads level by level against a recount by maps, and the walk over connection sets under a workload.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <memory>
#include <stdexcept>
#include <tuple>
#include <vector>

#include "check.hpp"
#include "isoplane/level_loads.hpp"
#include "isoplane/level_walk.hpp"
#include "oracle.hpp"

namespace {

using isoplane::Basis;
using isoplane::LevelAnnealing;
using isoplane::LevelLoads;
using isoplane::LevelTask;
using isoplane::LevelTotals;
using isoplane::LevelWalk;
using isoplane::Random;

std::shared_ptr<LevelTask> task_of(int n, bool folded, std::uint32_t per_switch, std::uint64_t seed) {
  auto task = std::make_shared<LevelTask>();
  task->n = n;
  task->folded = folded;
  task->nodes_per_switch = per_switch;
  task->level_start = {0};
  Random random(seed, 0);
  for (std::uint32_t level = 0; level < 3; ++level) {
    for (std::uint32_t message = 0; message < 3 * task->nodes(); ++message) {
      const std::uint32_t source = random.below(task->nodes());
      const std::uint32_t step = 1 + random.below(task->nodes() - 1);
      task->source.push_back(source);
      task->destination.push_back((source + step) % task->nodes());
      task->bytes.push_back(1 + random.below(1000));
      task->half.push_back(task->bytes.back() / 2);
    }
    task->level_start.push_back(static_cast<std::uint32_t>(task->source.size()));
    task->repetitions.push_back(1 + level);
  }
  return task;
}

// The generators on the route over an offset: by trying all sets of links, the smallest first, then in ascending order.
std::vector<std::uint32_t> route_of(std::vector<std::uint32_t> generators, bool folded, std::uint32_t offset) {
  std::sort(generators.begin(), generators.end());
  const auto n = static_cast<int>(generators.size());
  std::uint32_t all = 0, found = 0;
  for (const std::uint32_t generator : generators) all ^= generator;
  for (std::uint32_t set = 0; set < 1u << n; ++set) {
    std::uint32_t sum = 0;
    for (int k = 0; k < n; ++k) sum ^= set >> k & 1u ? generators[static_cast<std::size_t>(k)] : 0u;
    if (sum == offset) found = set;
  }
  std::vector<std::uint32_t> route;
  const bool over_all = folded && 1 + n - std::popcount(found) < std::popcount(found);
  if (over_all) route.push_back(all);
  for (int k = 0; k < n; ++k)
    if ((found >> k & 1u) != (over_all ? 1u : 0u)) route.push_back(generators[static_cast<std::size_t>(k)]);
  return route;
}

using Link = std::tuple<int, std::uint32_t, std::uint32_t>;  // plane or kind, switch or node, generator

LevelTotals recount(const LevelTask& task, const std::vector<std::uint32_t>& generators) {
  std::vector<std::uint32_t> unit;
  for (int i = 0; i < task.n; ++i) unit.push_back(1u << i);
  std::map<Link, std::int64_t> sums;
  LevelTotals totals;
  for (std::size_t level = 0; level < task.repetitions.size(); ++level) {
    std::map<Link, std::int64_t> loads;
    for (std::uint32_t i = task.level_start[level]; i < task.level_start[level + 1]; ++i) {
      const std::uint32_t from = task.source[i] / task.nodes_per_switch,
                          to = task.destination[i] / task.nodes_per_switch;
      const std::vector<std::uint32_t> routes[2] = {route_of(unit, task.folded, from ^ to),
                                                    route_of(generators, task.folded, from ^ to)};
      for (int plane = 0; plane < 2; ++plane) {
        const std::size_t own = routes[plane].size(), other = routes[1 - plane].size();
        const std::int64_t half = plane == 0 ? task.half[i] : task.bytes[i] - task.half[i];
        const std::int64_t bytes = own < other ? task.bytes[i] : own == other ? half : 0;
        if (bytes == 0) continue;
        std::uint32_t at = from;
        for (const std::uint32_t generator : routes[plane]) {
          loads[{plane, at, generator}] += bytes;
          at ^= generator;
        }
        loads[{2 + plane, task.source[i], 0}] += bytes;
        loads[{4 + plane, task.destination[i], 0}] += bytes;
      }
    }
    std::int64_t peak = 0;
    for (const auto& [link, load] : loads) {
      peak = std::max(peak, load);
      totals.total += task.repetitions[level] * load;
      totals.busiest = std::max(totals.busiest, sums[link] += task.repetitions[level] * load);
    }
    totals.levels += task.repetitions[level] * peak;
  }
  return totals;
}

void totals_equal_a_recount_by_maps() {
  for (const int n : {2, 3, 5})
    for (const bool folded : {false, true})
      for (const std::uint32_t per_switch : {1u, 3u}) {
        const auto task = task_of(n, folded, per_switch, 5);
        LevelLoads loads(task);
        Random random(7, 0);
        for (int trial = 0; trial < 5; ++trial) {
          const Basis basis = Basis::random(n, random);
          const LevelTotals found = loads(basis), expected = recount(*task, {basis.columns(), basis.columns() + n});
          CHECK(found.levels == expected.levels && found.busiest == expected.busiest && found.total == expected.total);
          CHECK(found.level_spread >= static_cast<double>(found.levels) * (1 - 1e-12));
          CHECK(found.busiest_spread >= static_cast<double>(found.busiest) * (1 - 1e-12));
        }
      }
}

LevelAnnealing settings_of(std::int64_t kept, bool needs_times) {
  return {0.002, 0.05, 20, 100, 1.2, 1, 1, 0, kept, needs_times};
}

void the_split_of_a_run_does_not_change_a_walk() {
  const auto task = task_of(4, false, 1, 3);
  const auto measure = [](LevelWalk& walk) {
    for (const auto& candidate : walk.unmeasured()) walk.set_time(candidate, 100 + candidate[0]);
  };
  for (const bool needs_times : {false, true}) {
    LevelWalk whole(task, settings_of(4, needs_times), 1, 2, {1, 2, 4, 8});
    LevelWalk parts(task, settings_of(4, needs_times), 1, 2, {1, 2, 4, 8});
    measure(whole);
    measure(parts);
    whole.run(1000);
    isoplane::State state = parts.state();
    for (const std::int64_t share : {1, 99, 300, 600}) {
      LevelWalk part(task, settings_of(4, needs_times), state);
      part.run(share);
      state = part.state();
    }
    CHECK(state == whole.state() && whole.evaluations() == 1000);
    measure(whole);
    CHECK(whole.unmeasured().empty());
  }
}

void a_walk_keeps_the_best_ranks_and_the_shortest_time() {
  const auto task = task_of(3, true, 2, 4);
  const auto rank = [&](const std::vector<std::uint32_t>& generators) {
    const LevelTotals totals = LevelLoads(task)(Basis(3, generators.data()));
    return std::pair(totals.levels + totals.busiest, totals.total);
  };
  LevelWalk walk(task, settings_of(3, true), 1, 0, {1, 2, 4});
  walk.set_time({4, 2, 1}, 50);
  walk.run(3000);
  std::pair best = rank({1, 2, 4});
  for (const auto& basis : oracle::all_bases(3)) best = std::min(best, rank({basis.begin(), basis.begin() + 3}));
  CHECK(rank(walk.unmeasured().front()) == best);
  for (const auto& candidate : walk.unmeasured()) walk.set_time(candidate, 70);
  CHECK((walk.designs().front() == LevelWalk::Candidate{1, 2, 4}));  // though it is no longer kept
  const auto designs = walk.designs();
  CHECK(designs.size() >= 3 && designs.size() <= 5);
  for (std::size_t i = 2; i < designs.size(); ++i) CHECK(rank(designs[i - 1]) < rank(designs[i]));
}

void a_walk_accepts_better_offers() {
  const auto task = task_of(3, false, 1, 9);
  LevelWalk walk(task, settings_of(1, false), 1, 0, {1, 2, 4}), other(task, settings_of(1, false), 1, 1, {1, 2, 4});
  walk.run(2000);
  other.offer(walk.designs().front());
  CHECK(other.designs() == walk.designs());
  CHECK(check::throws<std::invalid_argument>([&] { other.offer({1, 2, 3}); }));
  CHECK(check::throws<std::invalid_argument>([&] { other.offer({1, 2}); }));
  CHECK(check::throws<std::invalid_argument>([&] { other.set_time({1, 2, 7}, -1); }));
}

void damaged_states_and_workloads_are_rejected() {
  const auto task = task_of(3, false, 1, 9);
  isoplane::State state = LevelWalk(task, settings_of(1, false), 1, 0, {1, 2, 4}).state();
  state.back() ^= 1;
  CHECK(check::throws<std::invalid_argument>([&] { LevelWalk(task, settings_of(1, false), state); }));
  CHECK(check::throws<std::invalid_argument>([&] { LevelWalk(task, settings_of(0, false), 1, 0, {1, 2, 4}); }));
  LevelTask other = *task;
  other.destination[0] = other.source[0];
  CHECK(check::throws<std::invalid_argument>([&] { other.check(); }));
  other = *task;
  other.half[0] = other.bytes[0] + 1;
  CHECK(check::throws<std::invalid_argument>([&] { other.check(); }));
  other = *task;
  other.level_start.back() += 1;
  CHECK(check::throws<std::invalid_argument>([&] { other.check(); }));
}

}  // namespace

void test_levels() {
  totals_equal_a_recount_by_maps();
  the_split_of_a_run_does_not_change_a_walk();
  a_walk_keeps_the_best_ranks_and_the_shortest_time();
  a_walk_accepts_better_offers();
  damaged_states_and_workloads_are_rejected();
}
