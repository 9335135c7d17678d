// Native tests of the inner loops of the search; run by ctest, preferably with sanitizers.
#include <algorithm>
#include <bit>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

#include "check.hpp"
#include "isoplane/anneal.hpp"
#include "isoplane/symmetry.hpp"
#include "cases.hpp"
#include "oracle.hpp"

namespace {

using cases::Case;
using cases::kCases;
using cases::kDelayAndLoad;
using cases::kHops;
using cases::kHopsAndCables;
using cases::kSumAndLoad;
using isoplane::Basis;
using isoplane::Chain;
using isoplane::kMaxN;
using isoplane::Move;
using isoplane::Random;
using isoplane::Symmetry;
using oracle::Columns;
using oracle::Component;
using oracle::Evaluator;
using oracle::ExactMetrics;
using oracle::Metric;
using oracle::Score;

void random_numbers_depend_on_seed_and_stream_only() {
  Random first(7, 0), again(7, 0), other_stream(7, 1), other_seed(8, 0);
  int same_stream = 0, same_seed = 0;
  for (int draw = 0; draw < 100; ++draw) {
    const std::uint64_t bits = first();
    CHECK(bits == again());
    same_stream += bits == other_stream();
    same_seed += bits == other_seed();
    CHECK(first.below(3) < 3);
    again.below(3);
  }
  CHECK(same_stream == 0 && same_seed == 0);
}

// Rows are the transpose, generator k has the coordinates 2^k, and the generators of coordinates add up to the vector.
bool consistent(const Basis& basis, Random& random) {
  const int n = basis.n();
  Columns rows{};
  isoplane::transpose(basis.columns(), n, rows.data());
  if (!std::equal(rows.begin(), rows.begin() + n, basis.rows())) return false;
  for (int k = 0; k < n; ++k)
    if (basis.coordinates(basis.columns()[k]) != 1u << k) return false;
  const std::uint32_t vector = random.below(1u << n);
  const std::uint32_t coordinates = basis.coordinates(vector);
  std::uint32_t sum = 0;
  for (int k = 0; k < n; ++k) sum ^= coordinates >> k & 1u ? basis.columns()[k] : 0u;
  return sum == vector;
}

void moves_keep_a_basis_and_its_inverse() {
  Random random(1, 0);
  for (int n = 2; n <= kMaxN; ++n)
    for (const bool exchanges : {false, true}) {
      Basis basis = Basis::random(n, random);
      CHECK(consistent(basis, random));
      int exchanged = 0;
      for (int step = 0; step < 300; ++step) {
        const Columns before = basis.generators();
        const Move move = basis.propose(random, exchanges);
        exchanged += move.kind == Move::Kind::kExchange;
        basis.apply(move);
        CHECK(oracle::is_basis(basis.generators(), n));
        if (random.below(2) == 0) {
          basis.commit(move);
        } else {
          basis.apply(move);
          CHECK(basis.generators() == before);
        }
        CHECK(consistent(basis, random));
      }
      CHECK((exchanged > 0) == exchanges);
    }
}

void a_vector_can_be_added_exactly_if_a_basis_results() {
  Random random(2, 0);
  for (int n = 2; n <= 6; ++n) {
    const Basis basis = Basis::random(n, random);
    for (int column = 0; column < n; ++column)
      for (std::uint32_t vector = 0; vector < 1u << n; ++vector) {
        Columns sum = basis.generators();
        sum[static_cast<std::size_t>(column)] ^= vector;
        CHECK(basis.can_add(column, vector) == oracle::is_basis(sum, n));
      }
  }
}

void a_basis_keeps_the_order_of_its_generators_and_rejects_dependent_ones() {
  oracle::Draw draw(3);
  Random random(3, 0);
  for (int n = 2; n <= kMaxN; ++n)
    for (int repeat = 0; repeat < 20; ++repeat) {
      const Columns generators = draw.basis(n);
      const Basis basis(n, generators.data());
      CHECK(basis.generators() == generators);
      CHECK(consistent(basis, random));
      const Columns dependent = draw.dependent(n);
      CHECK(check::throws<std::invalid_argument>([&] { Basis(n, dependent.data()); }));
      Columns large = generators;
      large[0] ^= 1u << n;
      CHECK(check::throws<std::invalid_argument>([&] { Basis(n, large.data()); }));
    }
}

void orbits_partition_all_entries() {
  Random random(4, 0);
  for (int n = 2; n <= kMaxN; ++n)
    for (int repeat = 0; repeat < 10; ++repeat) {
      const Symmetry symmetry = Symmetry::random(n, random);
      Columns covered{};
      int entries = 0;
      bool transposed = true;
      for (const auto& orbit : symmetry.orbits) {
        Columns rows{};
        isoplane::transpose(orbit.columns.data(), n, rows.data());
        transposed = transposed && rows == orbit.rows;
        for (std::size_t k = 0; k < covered.size(); ++k) {
          entries += std::popcount(orbit.columns[k]);
          covered[k] |= orbit.columns[k];
        }
      }
      CHECK(transposed);
      CHECK(entries == n * n);
      CHECK(std::all_of(covered.begin(), covered.begin() + n, [n](std::uint32_t c) { return c == (1u << n) - 1; }));
    }
}

// Whether the coordinates of each cycle have equal loads, and so do its generators. A cycle is the set of rows, or of
// columns, of an orbit within the invariant unit basis.
bool has_equal_loads_in_cycles(const Symmetry& symmetry, const isoplane::Loads& loads, int n) {
  for (const auto& orbit : symmetry.orbits) {
    bool diagonal = true;
    std::set<std::int32_t> of_coordinates, of_generators;
    for (int k = 0; k < n; ++k) {
      const auto i = static_cast<std::size_t>(k);
      diagonal = diagonal && (orbit.columns[i] & ~symmetry.unit[i]) == 0;
      if (orbit.rows[i] != 0) of_coordinates.insert(loads.load[0][k]);
      if (orbit.columns[i] != 0) of_generators.insert(loads.load[1][k]);
    }
    if (diagonal && (of_coordinates.size() != 1 || of_generators.size() != 1)) return false;
  }
  return true;
}

void sums_of_orbits_have_equal_loads_in_every_cycle() {
  Random random(5, 0);
  for (int n = 2; n <= 10; ++n)
    for (const bool folded : {false, true}) {
      const auto evaluator = oracle::evaluator(n, folded, false, kHops);
      int bases = 0;
      for (int repeat = 0; repeat < 60; ++repeat) {
        const Symmetry symmetry = Symmetry::random(n, random);
        CHECK(oracle::is_basis(symmetry.unit, n));
        Columns sum{}, rows{};
        for (const auto& orbit : symmetry.orbits) {
          if (random.below(2) == 0) continue;
          for (std::size_t k = 0; k < sum.size(); ++k) sum[k] ^= orbit.columns[k];
        }
        if (!oracle::is_basis(sum, n)) continue;
        ++bases;
        isoplane::transpose(sum.data(), n, rows.data());
        CHECK(has_equal_loads_in_cycles(symmetry, evaluator->loads(rows.data()), n));
      }
      CHECK(bases > 0);
    }
}

void goals_keep_non_dominated_designs() {
  Random random(6, 0);
  const auto evaluator = oracle::evaluator(3, false, false, kSumAndLoad);
  const auto point_of = [](const Columns& mark) { return std::pair<oracle::Int128, oracle::Int128>(mark[0], mark[1]); };
  for (int repeat = 0; repeat < 100; ++repeat) {
    const auto front = isoplane::pareto_front(*evaluator);
    const auto best = isoplane::best_score(*evaluator);
    oracle::Points seen;
    CHECK(front->designs().empty() && best->designs().empty());
    for (int k = 0; k < 60; ++k) {
      const std::uint32_t range = repeat % 2 == 0 ? 8 : 1000;
      const Columns mark{1 + random.below(range), 1 + random.below(range)};
      const ExactMetrics found{mark[0], mark[1], 0, 0, 0, 0};
      const bool beaten = std::any_of(seen.begin(), seen.end(), [&](const auto& point) {
        return point.first <= mark[0] && point.second <= mark[1];
      });
      CHECK(front->beatable(found) == !beaten);
      CHECK(best->beatable(found) == (seen.empty() || point_of(mark) < *seen.begin()));
      front->note(found, mark);
      best->note(found, mark);
      seen.insert(point_of(mark));
      CHECK(point_of(best->favourite(random)) == *seen.begin());
      CHECK(oracle::non_dominated(seen).contains(point_of(front->favourite(random))));
    }
    const auto kept = front->designs();
    oracle::Points kept_points;
    for (const Columns& mark : kept) kept_points.insert(point_of(mark));
    CHECK(kept.size() == kept_points.size() && kept_points == oracle::non_dominated(seen));
    CHECK(best->designs().size() == 1);
  }
}

Chain chain_of(const std::shared_ptr<const Evaluator>& evaluator, bool front, std::optional<Columns> start = {}) {
  return {evaluator, oracle::goal(*evaluator, front), {0.002, 0.03, 10, 200, 1.25, false}, 3, 1, start};
}

void chains_do_not_depend_on_the_split_of_a_run() {
  for (const Case& task : kCases)
    for (const int n : {2, 4, 7, 9}) {
      const auto evaluator = oracle::evaluator(n, n % 2 == 0, task.layout, task.components);
      Chain whole = chain_of(evaluator, task.front), tenths = chain_of(evaluator, task.front),
            odd = chain_of(evaluator, task.front);
      whole.run(3000);
      for (int part = 0; part < 10; ++part) tenths.run(300);
      for (int done = 0, part = 1; done < 3000; done += part, part = std::min(2 * part + 1, 3000 - done)) odd.run(part);
      CHECK(whole.evaluations() == 3000 && tenths.evaluations() == 3000 && odd.evaluations() == 3000);
      CHECK(whole.goal().designs() == tenths.goal().designs());
      CHECK(whole.goal().designs() == odd.goal().designs());
      for (const Columns& generators : whole.goal().designs()) CHECK(oracle::is_basis(generators, n));
    }
}

}  // namespace

void test_bottleneck();
void test_exact_search();  // exact.cpp
void test_orders();
void test_circuits();   // circuits.cpp
void test_graphs();     // graphs.cpp
void test_hosts();      // hosts.cpp
void test_planes();     // planes.cpp
void test_levels();     // levels.cpp
void test_searchers();  // searchers.cpp
void test_phase_search();

int main() {
  random_numbers_depend_on_seed_and_stream_only();
  moves_keep_a_basis_and_its_inverse();
  a_vector_can_be_added_exactly_if_a_basis_results();
  a_basis_keeps_the_order_of_its_generators_and_rejects_dependent_ones();
  orbits_partition_all_entries();
  sums_of_orbits_have_equal_loads_in_every_cycle();
  goals_keep_non_dominated_designs();
  chains_do_not_depend_on_the_split_of_a_run();
  test_bottleneck();
  test_exact_search();
  test_orders();
  test_searchers();
  test_circuits();
  test_graphs();
  test_hosts();
  test_planes();
  test_levels();
  test_phase_search();
  return check::finish();
}
