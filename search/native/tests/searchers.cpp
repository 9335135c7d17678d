// Tests of the contract of all kinds of searchers, and of completions against brute force.
#include <algorithm>
#include <bit>
#include <limits>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

#include "check.hpp"
#include "cases.hpp"
#include "isoplane/anneal.hpp"
#include "isoplane/completions.hpp"
#include "isoplane/neighbourhood.hpp"
#include "isoplane/symmetry.hpp"
#include "isoplane/tempering.hpp"
#include "oracle.hpp"

namespace {

using cases::Case;
using isoplane::Completions;
using isoplane::Random;
using isoplane::State;
using oracle::Columns;
using oracle::Evaluator;
using oracle::Metric;
using oracle::Score;
using SharedEvaluator = std::shared_ptr<const Evaluator>;

const isoplane::Schedule kSchedule{0.002, 0.03, 10, 200, 1.25, false};
const isoplane::Rungs kRungs{0.0005, 0.02, 5};
const isoplane::Descent kDescent{3, 0.001};

template <class Kind>
void a_run_depends_neither_on_its_split_nor_on_saving(const typename Kind::Settings& settings) {
  oracle::Draw draw(11);
  for (const Case& task : cases::kCases)
    for (const int n : {2, 3, 5, 8}) {
      const auto evaluator = oracle::evaluator(n, n % 2 == 0, task.layout, task.components);
      Kind whole(evaluator, oracle::goal(*evaluator, task.front), settings, 3, 1, {});
      auto other =
          std::make_unique<Kind>(evaluator, oracle::goal(*evaluator, task.front), settings, 3, 1, std::nullopt);
      for (int stop = 0; stop < 20; ++stop) {
        const std::int64_t evaluations = 1 + draw.below(120);
        whole.run(evaluations);
        other->run(evaluations / 2);
        const State state = other->state();
        other = std::make_unique<Kind>(evaluator, oracle::goal(*evaluator, task.front), settings, state);
        CHECK(other->state() == state);
        other->run(evaluations - evaluations / 2);
        CHECK(other->state() == whole.state());
        CHECK(other->evaluations() == whole.evaluations());
        CHECK(other->goal().designs() == whole.goal().designs());
      }
      for (const Columns& generators : whole.goal().designs()) CHECK(oracle::is_basis(generators, n));
    }
}

template <class Kind, class Other>
void a_state_that_is_damaged_or_of_another_kind_is_rejected(const typename Kind::Settings& settings,
                                                            const typename Other::Settings& others) {
  const auto evaluator = oracle::evaluator(5, false, true, cases::kHopsAndCables);
  const auto larger = oracle::evaluator(6, false, true, cases::kHopsAndCables);
  Kind one(evaluator, oracle::goal(*evaluator, false), settings, 1, 0, {});
  Other other(evaluator, oracle::goal(*evaluator, false), others, 1, 0, {});
  one.run(333);
  const State state = one.state();
  const auto rejected = [&](const SharedEvaluator& evaluator, const State& words) {
    return check::throws<std::invalid_argument>(
        [&] { Kind(evaluator, oracle::goal(*evaluator, false), settings, words); });
  };
  for (std::size_t i = 0; i < state.size(); ++i) {
    State altered = state;
    altered[i] ^= std::uint64_t{1} << i % 64;
    CHECK(rejected(evaluator, altered));
    CHECK(rejected(evaluator, State(state.begin(), state.begin() + static_cast<std::ptrdiff_t>(i))));
  }
  CHECK(rejected(evaluator, other.state()) && rejected(larger, state) && !rejected(evaluator, state));
}

// An offered design is recorded at once; an initial design is never lost.
template <class Kind>
void no_design_is_forgotten(const typename Kind::Settings& settings) {
  oracle::Draw draw(5);
  for (const int n : {3, 6}) {
    const auto evaluator = oracle::evaluator(n, true, true, cases::kHopsAndCables);
    const Columns start = draw.basis(n);
    Kind good(evaluator, oracle::goal(*evaluator, false), settings, 3, 1, start);
    CHECK(good.goal().designs() == std::vector<Columns>{start});
    good.run(2000);
    const Columns best = good.goal().designs()[0];
    CHECK(oracle::score(*evaluator, best) <= oracle::score(*evaluator, start));
    Kind poor(evaluator, oracle::goal(*evaluator, false), settings, 4, 1, {});
    poor.offer(best);
    CHECK(oracle::best(*evaluator, poor.goal().designs()) <= oracle::score(*evaluator, best));
    CHECK(poor.evaluations() == 0);
    poor.run(500);
    CHECK(oracle::best(*evaluator, poor.goal().designs()) <= oracle::score(*evaluator, best));
  }
}

// Every completion, by brute force over the missing generators.
void complete(std::vector<Columns>& all, Columns generators, int n, std::uint32_t missing) {
  if (missing == 0) {
    if (oracle::is_basis(generators, n)) all.push_back(generators);
    return;
  }
  const auto place = static_cast<std::size_t>(std::countr_zero(missing));
  for (std::uint32_t v = 1; v < 1u << n; ++v) {
    generators[place] = v;
    complete(all, generators, n, missing & (missing - 1));
  }
}

std::set<std::uint32_t> set_of(const Columns& generators, int n) {
  return {generators.begin(), generators.begin() + n};
}

// With a price per length, the cost is sum + length / 64, which the tables round down term by term.
double cost(const Evaluator& evaluator, const Columns& generators, bool cables) {
  const auto found = oracle::exact_metrics_of(evaluator, generators);
  const double length = static_cast<double>(found[static_cast<std::size_t>(Metric::kCableLength)]);
  return static_cast<double>(found[0]) + (cables ? length / 64 : 0);
}

void the_best_completions_match_brute_force(bool cables) {
  oracle::Draw draw(21);
  Random random(8, 0);
  const isoplane::Prices prices{1, cables ? 1.0 / 64 : 0, 0};
  const double rounding = cables ? 8 : 0;
  for (const int n : {2, 3, 4, 5})
    for (const bool folded : {false, true}) {
      std::vector<oracle::Component> components{{Metric::kSumOfDistances}};
      if (cables) components.push_back({Metric::kCableLength});
      const auto evaluator = oracle::evaluator(n, folded, cables, components);
      Completions completions(evaluator);
      for (int repeat = 0; repeat < 12; ++repeat) {
        const Columns present = draw.basis(n);
        std::uint32_t missing = 1u << draw.below(n);
        if (repeat % 2 != 0 && n > 2) missing |= 1u << draw.below(n);
        std::vector<Columns> all;
        complete(all, present, n, missing);
        double least = std::numeric_limits<double>::infinity();
        for (const Columns& generators : all)
          if (set_of(generators, n) != set_of(present, n))
            least = std::min(least, cost(*evaluator, generators, cables));
        const auto found = completions.best(present, missing, prices, 0, 1, random);
        CHECK(completions.drain_evaluations() > 0);
        if (found.empty()) {
          CHECK(least + rounding >= cost(*evaluator, present, cables));
          continue;
        }
        CHECK(oracle::is_basis(found[0], n) && set_of(found[0], n) != set_of(present, n));
        CHECK(cost(*evaluator, found[0], cables) <= least + rounding);
        for (int k = 0; k < n; ++k)
          if ((missing >> k & 1u) == 0)
            CHECK(found[0][static_cast<std::size_t>(k)] == present[static_cast<std::size_t>(k)]);
      }
    }
}

// Large cubes, whose sums exceed 16 bits: the tables must agree with the kernel.
void completions_of_large_cubes_lower_the_sum(int n, bool folded) {
  const auto evaluator = oracle::evaluator(n, folded, false, {{Metric::kSumOfDistances}});
  Random random(9, 0);
  const Columns present = isoplane::Symmetry::random(n, random).member(n, random);
  Completions completions(evaluator);
  const auto found = completions.best(present, 1u << 3, {1, 0, 0}, 0, 4, random);
  CHECK(found.size() == 4);
  Score last = {};
  for (const Columns& generators : found) {
    const Score score = oracle::score(*evaluator, generators);
    CHECK(oracle::is_basis(generators, n) && last <= score && score <= oracle::score(*evaluator, present));
    last = score;
  }
}

void completions_by_three_generators_are_no_worse_bases() {
  oracle::Draw draw(31);
  Random random(10, 0);
  for (const int n : {3, 5, 7})
    for (const bool folded : {false, true}) {
      const auto evaluator = oracle::evaluator(n, folded, false, {{Metric::kSumOfDistances}});
      Completions completions(evaluator);
      for (int repeat = 0; repeat < 10; ++repeat) {
        const Columns present = draw.basis(n);
        for (const Columns& generators : completions.best(present, 7, {1, 0, 0}, 0, 3, random)) {
          CHECK(oracle::is_basis(generators, n));
          CHECK(oracle::score(*evaluator, generators) <= oracle::score(*evaluator, present));
        }
      }
    }
}

void members_of_a_symmetry_are_bases() {
  Random random(12, 0);
  for (int n = 2; n <= isoplane::kMaxN; ++n)
    for (int repeat = 0; repeat < 20; ++repeat)
      CHECK(oracle::is_basis(isoplane::Symmetry::random(n, random).member(n, random), n));
}

}  // namespace

void test_searchers() {
  using isoplane::Chain;
  using isoplane::Neighbourhood;
  using isoplane::Tempering;
  a_run_depends_neither_on_its_split_nor_on_saving<Chain>(kSchedule);
  a_run_depends_neither_on_its_split_nor_on_saving<Tempering>(kRungs);
  a_run_depends_neither_on_its_split_nor_on_saving<Neighbourhood>(kDescent);
  a_state_that_is_damaged_or_of_another_kind_is_rejected<Chain, Tempering>(kSchedule, kRungs);
  a_state_that_is_damaged_or_of_another_kind_is_rejected<Tempering, Neighbourhood>(kRungs, kDescent);
  a_state_that_is_damaged_or_of_another_kind_is_rejected<Neighbourhood, Chain>(kDescent, kSchedule);
  no_design_is_forgotten<Chain>(kSchedule);
  no_design_is_forgotten<Tempering>(kRungs);
  no_design_is_forgotten<Neighbourhood>(kDescent);
  the_best_completions_match_brute_force(false);
  the_best_completions_match_brute_force(true);
  completions_by_three_generators_are_no_worse_bases();
  for (const bool folded : {false, true}) {
    completions_of_large_cubes_lower_the_sum(14, folded);
    completions_of_large_cubes_lower_the_sum(16, folded);
  }
  members_of_a_symmetry_are_bases();
}
