// Annealing over circuits: designs are feasible, and the split of a run into calls does not change it.
#include <cstdint>
#include <algorithm>
#include <memory>
#include <set>
#include <stdexcept>
#include <vector>

#include "check.hpp"
#include "isoplane/bottleneck_walk.hpp"
#include "isoplane/circuit_walk.hpp"
#include "isoplane/random.hpp"

namespace {

using isoplane::BottleneckWalk;
using isoplane::CircuitWalk;
using isoplane::HybridCandidate;
using isoplane::HybridEvaluator;
using isoplane::HybridMetric;
using isoplane::HybridTask;

std::shared_ptr<HybridTask> task_of(std::uint32_t ports, std::uint32_t circuits, bool free,
                                    std::vector<HybridMetric> metrics) {
  auto task = std::make_shared<HybridTask>();
  auto& plan = task->plan;
  plan.groups = 3;
  plan.nodes_per_group = 3;
  plan.node_rate = 10;
  plan.up_rate = 12;
  plan.circuit_rate = 32;
  plan.inside_cost = 32;
  plan.circuit_cost = 5;
  plan.units = {10 * 0x1p46, 12 * 0x1p46, 32 * 0x1p46, 460 * 0x1p10, 1340 * 0x1p10, 80 * 0x1p10, 10, 56};
  plan.wait_start = {0};
  for (std::uint32_t i = 0; i < 9; ++i)
    for (const std::uint32_t step : {2u, 4u}) {
      plan.source.push_back(i);
      plan.destination.push_back((i + step) % 9);
      plan.bits.push_back(8000.0 * (1 + i));
      plan.wait_start.push_back(0);
    }
  task->metrics = std::move(metrics);
  task->ports = ports;
  task->max_circuits = circuits;
  task->placement_is_free = free;
  return task;
}

const HybridCandidate kNoCircuits{0, 1, 2, 3, 4, 5, 6, 7, 8};
constexpr CircuitWalk::Settings kSettings{0.002, 0.2, 20, 50, 1.2};

template <class Walk>
void check_split(const std::shared_ptr<HybridTask>& task, typename Walk::Settings settings, std::uint64_t stream) {
  Walk whole(task, settings, 1, stream, kNoCircuits), parts(task, settings, 1, stream, kNoCircuits);
  whole.run(400);
  isoplane::State state = parts.state();
  for (const std::int64_t share : {1, 49, 100, 250}) {
    Walk part(task, settings, state);
    part.run(share);
    state = part.state();
  }
  CHECK(state == whole.state());
  CHECK(whole.evaluations() == 400);
}

void the_split_of_a_run_does_not_change_a_walk() {
  for (const bool free : {false, true})
    for (const HybridMetric metric : {HybridMetric::kCompletion, HybridMetric::kCompletionByPackets,
                                      HybridMetric::kBottleneck, HybridMetric::kTotal})
      check_split<CircuitWalk>(task_of(1, 4, free, {metric, HybridMetric::kTotal}), kSettings, 2);
  for (const std::uint32_t ports : {1u, 2u})
    for (const std::uint64_t stream : {0u, 1u})
      check_split<BottleneckWalk>(task_of(ports, 4, false, {HybridMetric::kBottleneck, HybridMetric::kTotal}),
                                  {40, 1.2}, stream);
}

void a_bottleneck_walk_accepts_better_offers() {
  const HybridCandidate placed{3, 1, 2, 0, 4, 5, 6, 7, 8};
  const auto task = task_of(1, 4, false, {HybridMetric::kBottleneck, HybridMetric::kTotal});
  HybridEvaluator evaluate(task);
  const auto score = [&](const HybridCandidate& candidate) { return evaluate(task->design_of(candidate)); };
  const BottleneckWalk::Settings settings{40, 1.2};
  BottleneckWalk walk(task, settings, 1, 0, placed), other(task, settings, 1, 1, placed);
  walk.run(400);
  const HybridCandidate best = walk.designs()[0];
  CHECK(score(best) < score(placed));
  CHECK(std::equal(placed.begin(), placed.end(), best.begin()));
  other.offer(best);
  CHECK(other.designs()[0] == best);
  other.offer(placed);
  CHECK(other.designs()[0] == best);
  CHECK(check::throws<std::invalid_argument>([&] { other.offer(kNoCircuits); }));
  isoplane::State state = walk.state();
  state.back() ^= 1;
  CHECK(check::throws<std::invalid_argument>([&] { BottleneckWalk(task, settings, state); }));
}

// Times of a few ns, so that many circuits have the same bottleneck time in whole ns: the total breaks ties.
void a_bottleneck_walk_ranks_offers_by_score() {
  std::vector<HybridCandidate> designs{kNoCircuits};
  for (std::uint32_t a = 0; a < 6; ++a)
    for (std::uint32_t b = a / 3 * 3 + 3; b < 9; ++b) {
      designs.push_back(kNoCircuits);
      designs.back().insert(designs.back().end(), {a, b});
    }
  const auto task = task_of(1, 1, false, {HybridMetric::kBottleneck, HybridMetric::kTotal});
  isoplane::Random random(1, 0);
  for (double& bits : task->plan.bits) bits = 1 + random.below(16);
  HybridEvaluator evaluate(task);
  const auto score = [&](const HybridCandidate& candidate) { return evaluate(task->design_of(candidate)); };
  for (const auto& first : designs)
    for (const auto& second : designs) {
      BottleneckWalk walk(task, {400, 1.2}, 1, 0, first);
      walk.offer(second);
      CHECK(score(walk.designs()[0]) == std::min(score(first), score(second)));
    }
}

void designs_are_feasible() {
  for (const std::uint32_t ports : {1u, 2u}) {
    const auto task = task_of(ports, 4, true, {HybridMetric::kCompletion});
    CircuitWalk walk(task, kSettings, 3, ports, kNoCircuits);
    for (int k = 0; k < 40; ++k) {
      walk.run(20);
      const auto design = task->design_of(walk.designs()[0]);  // throws if it is infeasible
      std::set<std::pair<std::uint32_t, std::uint32_t>> pairs;
      for (const auto& [a, b] : design.circuits) pairs.insert(std::pair(std::min(a, b), std::max(a, b)));
      CHECK(pairs.size() == design.circuits.size() || ports > 1);  // parallel circuits only with several ports
    }
  }
}

void a_walk_never_loses_its_best_design() {
  const auto task = task_of(1, 4, false, {HybridMetric::kCompletion, HybridMetric::kTotal});
  HybridEvaluator evaluate(task);
  CircuitWalk walk(task, kSettings, 5, 0, kNoCircuits);
  auto best = evaluate(task->design_of(walk.designs()[0]));
  for (int k = 0; k < 40; ++k) {
    walk.run(25);
    auto score = evaluate(task->design_of(walk.designs()[0]));
    CHECK(score <= best);
    best = std::move(score);
  }
}

// Scores below the limit are exact, whichever metric comes first; all others are reported as not below it.
void a_limit_saves_runs_without_changing_results() {
  for (const HybridMetric metric : {HybridMetric::kCompletion, HybridMetric::kCompletionByPackets}) {
    const auto task = task_of(1, 4, false, {metric, HybridMetric::kTotal});
    HybridEvaluator evaluate(task);
    CircuitWalk walk(task, kSettings, 7, 0, kNoCircuits);
    auto limit = evaluate(task->design_of(kNoCircuits));
    for (int k = 0; k < 30; ++k) {
      walk.run(5);
      const auto design = task->design_of(walk.designs()[0]);
      const auto exact = evaluate(design);
      for (const std::int64_t shift : {-1, 0, 1}) {
        limit[0] = exact[0] + shift;
        evaluate.lower_bound(design);
        evaluate.first_run(design);
        const auto limited = evaluate.score(limit);
        CHECK((limited < limit) == (exact < limit));
        CHECK(!(exact < limit) || limited == exact);
      }
    }
  }
}

void infeasible_candidates_are_rejected() {
  const auto task = task_of(1, 1, false, {HybridMetric::kCompletion});
  const auto rejected = [&](HybridCandidate candidate) {
    return check::throws<std::invalid_argument>([&] { task->design_of(candidate); });
  };
  const auto with_circuits = [](std::vector<std::uint32_t> ends) {
    HybridCandidate all = kNoCircuits;
    all.insert(all.end(), ends.begin(), ends.end());
    return all;
  };
  CHECK(!rejected(with_circuits({0, 3})));
  CHECK(rejected(with_circuits({0})) && rejected(with_circuits({0, 1})) && rejected(with_circuits({0, 9})) &&
        rejected(with_circuits({0, 3, 1, 4})));
  CHECK(rejected({0, 0, 2, 3, 4, 5, 6, 7, 8}) && rejected({0, 1}));
  isoplane::State state = CircuitWalk(task, kSettings, 1, 1, kNoCircuits).state();
  state.back() ^= 1;
  CHECK(check::throws<std::invalid_argument>([&] { CircuitWalk(task, kSettings, state); }));
  CHECK(check::throws<std::invalid_argument>([&] { task_of(1, 5, false, {HybridMetric::kTotal})->check(); }));
}

}  // namespace

void test_circuits() {
  the_split_of_a_run_does_not_change_a_walk();
  a_bottleneck_walk_accepts_better_offers();
  a_bottleneck_walk_ranks_offers_by_score();
  designs_are_feasible();
  a_walk_never_loses_its_best_design();
  a_limit_saves_runs_without_changing_results();
  infeasible_candidates_are_rejected();
}
