// Native tests of the kernels and of the scalarisation; run by ctest, preferably with sanitizers.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "check.hpp"
#include "isoplane/kernel.hpp"
#include "isoplane/score.hpp"
#include "oracle.hpp"
#include "wide.hpp"

namespace {

using isoplane::Component;
using isoplane::Evaluator;
using isoplane::ExactMetrics;
using isoplane::Isa;
using isoplane::kMaxN;
using isoplane::kMetricCount;
using isoplane::kMinN;
using isoplane::Metric;
using isoplane::Scalarisation;
using isoplane::Score;
using oracle::Draw;
using oracle::Vectors;

constexpr Isa kIsas[] = {Isa::kScalar, Isa::kAvx2, Isa::kAvx512};

Vectors rows_of(const Vectors& generators, int n) {
  Vectors rows{};
  isoplane::transpose(generators.data(), n, rows.data());
  return rows;
}

std::vector<isoplane::Kernel> kernels(int n, bool folded) {
  std::vector<isoplane::Kernel> all{wide_kernel(n, folded)};
  for (const Isa isa : kIsas)
    if (isoplane::isa_available(isa)) all.push_back(isoplane::kernel_for(n, folded, isa));
  return all;
}

bool same(const Loads& a, const Loads& b, int links) {
  for (int plane = 0; plane < 2; ++plane)
    if (!std::equal(a.load[plane], a.load[plane] + links, b.load[plane])) return false;
  return a.sum_of_distances == b.sum_of_distances && a.max_load == b.max_load && a.is_basis == b.is_basis;
}

int repeats(int n) { return n <= 9 ? 30 : n <= 13 ? 6 : 2; }

void kernels_equal_the_oracle() {
  Draw draw(1);
  for (int n = kMinN; n <= kMaxN; ++n)
    for (const bool folded : {false, true})
      for (int repeat = 0; repeat < repeats(n); ++repeat) {
        const Vectors generators = draw.basis(n);
        const Vectors rows = rows_of(generators, n);
        const Loads expected = oracle::evaluate(generators, n, folded);
        CHECK(expected.is_basis);
        for (const auto& kernel : kernels(n, folded)) {
          Loads found;
          kernel.loads(rows.data(), found);
          CHECK(same(found, expected, n + folded));
          CHECK(kernel.sum(rows.data()) == expected.sum_of_distances);
          CHECK(kernel.diameter(rows.data()) == expected.diameter);
        }
      }
}

void kernels_detect_rows_that_are_not_a_basis() {
  Draw draw(2);
  for (int n = kMinN; n <= kMaxN; ++n)
    for (const bool folded : {false, true})
      for (int repeat = 0; repeat < repeats(n); ++repeat) {
        const Vectors rows = rows_of(draw.dependent(n), n);
        for (const auto& kernel : kernels(n, folded)) {
          Loads found;
          kernel.loads(rows.data(), found);
          CHECK(!found.is_basis);
          CHECK(kernel.sum(rows.data()) == -1 && kernel.diameter(rows.data()) == -1);
        }
      }
}

void transpose_exchanges_rows_and_columns() {
  Draw draw(3);
  for (int n = 1; n <= kMaxN; ++n)
    for (int repeat = 0; repeat < 20; ++repeat) {
      Vectors columns{};
      for (int k = 0; k < n; ++k) columns[static_cast<std::size_t>(k)] = draw.below(1u << n);
      const Vectors rows = rows_of(columns, n);
      bool exchanged = true;
      for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i)
        for (std::size_t k = 0; k < static_cast<std::size_t>(n); ++k)
          exchanged = exchanged && (rows[i] >> k & 1u) == (columns[k] >> i & 1u);
      CHECK(exchanged);
      CHECK(rows_of(rows, n) == columns);
    }
}

void the_environment_forces_an_instruction_set() {
  const auto chosen = [](const char* name) {
    setenv("ISOPLANE_ISA", name, 1);
    return isoplane::chosen_isa();
  };
  Isa widest = Isa::kScalar;
  for (const Isa isa : kIsas) {
    const char* name = isoplane::isa_name(isa);
    if (isoplane::isa_available(isa)) {
      widest = isa;
      CHECK(chosen(name) == isa);
    } else {
      CHECK(check::throws<std::runtime_error>([&] { chosen(name); }));
    }
  }
  CHECK(chosen("") == widest);
  CHECK(check::throws<std::runtime_error>([&] { chosen("mmx"); }));
  unsetenv("ISOPLANE_ISA");
  CHECK(isoplane::chosen_isa() == widest);
}

void scores_are_compared_component_by_component_without_overflow() {
  const Scalarisation scalarisation({{Metric::kDelay, Metric::kMaxLoad}, {Metric::kCost}});
  const auto score = [&](std::int64_t delay, std::int64_t load, std::int64_t cost) {
    return scalarisation(ExactMetrics{0, load, 0, delay, 0, cost});
  };
  constexpr std::int64_t kLarge = std::numeric_limits<std::int64_t>::max();
  CHECK(score(3, 4, 9) == score(4, 3, 9));
  CHECK(score(3, 4, 9) < score(4, 3, 10));
  CHECK(score(3, 4, 9) < score(13, 1, 0));
  // (2^63 - 1)^2 against (2^63 - 1)(2^63 - 2): equal as floating-point numbers, and far beyond 64 bits.
  CHECK(score(kLarge, kLarge - 1, 5) < score(kLarge, kLarge, 0));
  CHECK(score(kLarge, kLarge, 0).part[0] / kLarge == kLarge);
  CHECK(scalarisation.approximate(0, {0, 3, 0, 4, 0, 0}) == 12.0);
  CHECK(scalarisation.uses(Metric::kCost) && !scalarisation.uses(Metric::kSumOfDistances));
  CHECK(scalarisation.size() == 2);
  CHECK(check::throws<std::invalid_argument>([] { Scalarisation({}); }));
  CHECK(check::throws<std::invalid_argument>([] { Scalarisation(std::vector<Component>(4, {Metric::kCost})); }));
}

void limits_come_before_components() {
  // The least cost with 2 delay <= 10 and max_load >= 3.
  const Scalarisation scalarisation({{{1, {Metric::kCost}}}},
                                    {{{2, {Metric::kDelay}}, {-10, {}}}, {{-1, {Metric::kMaxLoad}}, {3, {}}}},
                                    ExactMetrics{0, 7, 0, 0, 0, 0});
  const auto score = [&](std::int64_t delay, std::int64_t load, std::int64_t cost) {
    return scalarisation(ExactMetrics{0, load, 0, delay, 0, cost});
  };
  CHECK(score(5, 3, 9).part[0] == 0 && score(5, 3, 9).part[1] == 9);
  CHECK(score(6, 1, 9).part[0] == 4);
  CHECK(score(0, 7, 10) < score(0, 2, 1) && score(5, 3, 8) < score(5, 3, 9));
  // A lower bound of the metrics: the load may still be 7.
  CHECK(scalarisation.lowest(ExactMetrics{0, 1, 0, 6, 0, 4}) == score(6, 7, 4));
  CHECK(!scalarisation.is_monotone() && scalarisation.uses(Metric::kDelay));
}

Evaluator evaluator_of(int n, bool folded, const isoplane::Site& s, const std::vector<Component>& components) {
  return {n, folded, s, Scalarisation(components)};
}

void exact_metrics_match_the_formulas() {
  Draw draw(4);
  for (int n = kMinN; n <= 12; ++n)
    for (const bool folded : {false, true}) {
      const isoplane::Site s = draw.site(n);
      const Vectors generators = draw.basis(n);
      const Vectors rows = rows_of(generators, n);
      const Loads loads = oracle::evaluate(generators, n, folded);
      const ExactMetrics expected = oracle::exact_metrics(loads, generators, n, folded, s);
      std::vector<Component> pairs;
      for (int m = 0; m < static_cast<int>(Metric::kRackFaultDiameter); ++m) {
        const auto metric = static_cast<Metric>(m);
        const Evaluator single = evaluator_of(n, folded, s, {{metric}});
        ExactMetrics found;
        CHECK(single.exact_metrics(rows.data(), generators.data(), found));
        CHECK(found[static_cast<std::size_t>(m)] == expected[static_cast<std::size_t>(m)]);
        CHECK(single(rows.data(), generators.data()).part[0] == expected[static_cast<std::size_t>(m)]);
        CHECK(single.from_loads(loads, generators.data()) == expected);
      }
      const Evaluator all = evaluator_of(n, folded, s, {{Metric::kDelay, Metric::kDelayPaper}, {Metric::kCost}});
      CHECK(same(all.loads(rows.data()), loads, n + folded));
      Score score;
      score.part = {isoplane::Int128{expected[3]} * expected[4], expected[5]};
      CHECK(all(rows.data(), generators.data()) == score);
    }
}

void evaluators_reject_unsupported_input() {
  Draw draw(5);
  const isoplane::Site no_layout{}, of_dimension_4 = draw.site(4);
  const auto rejected = [](int n, const isoplane::Site& s, Metric metric) {
    return check::throws<std::invalid_argument>([&] { evaluator_of(n, false, s, {{metric}}); });
  };
  for (const Metric metric :
       {Metric::kCableLength, Metric::kDelay, Metric::kDelayPaper, Metric::kCost, Metric::kLongestCable}) {
    CHECK(rejected(4, no_layout, metric));
    CHECK(rejected(5, of_dimension_4, metric));
    CHECK(!rejected(4, of_dimension_4, metric));
  }
  CHECK(rejected(kMinN - 1, no_layout, Metric::kMaxLoad) && rejected(kMaxN + 1, no_layout, Metric::kMaxLoad));
  for (const Metric metric : {Metric::kSumOfDistances, Metric::kMaxLoad, Metric::kDiameter}) {
    const Vectors generators = draw.dependent(4);
    ExactMetrics found;
    CHECK(!evaluator_of(4, true, no_layout, {{metric}})
               .exact_metrics(rows_of(generators, 4).data(), generators.data(), found));
    CHECK(evaluator_of(4, true, no_layout, {{metric}}).walks_offsets());
  }
  CHECK(!evaluator_of(4, false, of_dimension_4, {{Metric::kCost}}).walks_offsets());
}

}  // namespace

void test_concurrent_flow();
void test_fluid();  // fluid.cpp
void test_least();  // least.cpp
void test_general();
void test_hybrid();
void test_hybrid_levels();
void test_link_lengths();
void test_minimum_cut();
void test_path_diversity();
void test_translated_loads();  // link_lengths.cpp

int main() {
  kernels_equal_the_oracle();
  kernels_detect_rows_that_are_not_a_basis();
  transpose_exchanges_rows_and_columns();
  the_environment_forces_an_instruction_set();
  scores_are_compared_component_by_component_without_overflow();
  limits_come_before_components();
  exact_metrics_match_the_formulas();
  evaluators_reject_unsupported_input();
  test_concurrent_flow();
  test_fluid();
  test_hybrid();
  test_hybrid_levels();
  test_least();
  test_general();
  test_link_lengths();
  test_minimum_cut();
  test_path_diversity();
  test_translated_loads();
  return check::finish();
}
