// Tests of the bounds for orders of coordinates, and of the last steps of an exact search.
#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <vector>

#include "check.hpp"
#include "cases.hpp"
#include "isoplane/classes.hpp"
#include "isoplane/coordinates.hpp"
#include "isoplane/valid_inequalities.hpp"
#include "oracle.hpp"

namespace {

using cases::Metric;
using isoplane::CoordinateOrders;
using isoplane::LastTwo;
using isoplane::PartialSet;
using isoplane::Permutation;
using isoplane::ValidInequalities;
using isoplane::Vectors;
using oracle::Columns;
using oracle::Evaluator;
using oracle::ExactMetrics;

// Every metric is in the score.
const std::vector<isoplane::Component> kAllMetrics{
    {Metric::kSumOfDistances, Metric::kMaxLoad, Metric::kDiameter, Metric::kLongestCable},
    {Metric::kCableLength, Metric::kDelay},
    {Metric::kDelayPaper, Metric::kCost}};
// In racks of a half of the switches at n = 3, up to an eighth of 32.
const std::vector<isoplane::Component> kRackLosses{{Metric::kRackFaultDiameter, Metric::kRackFaultAspl}};

std::size_t at(int i) { return static_cast<std::size_t>(i); }

Vectors vectors_of(const Columns& basis, int size) {
  Vectors set{};
  for (int k = 0; k < size; ++k) set[at(k)] = static_cast<std::uint16_t>(basis[at(k)]);
  return set;
}

// The basis with its coordinates in another order.
Columns reordered(const Permutation& order, const Columns& basis, int n) {
  Columns image{};
  for (int k = 0; k < n; ++k) image[at(k)] = isoplane::permuted(order, static_cast<std::uint16_t>(basis[at(k)]));
  return image;
}

template <class Visit>
void in_all_orders(int n, const Visit& visit) {
  Permutation order{};
  std::iota(order.begin(), order.end(), std::uint8_t{0});  // the first n of them are permuted
  do visit(order);
  while (std::next_permutation(order.begin(), order.begin() + n));
}

bool never_above(const ExactMetrics& lower, const ExactMetrics& found) {
  for (std::size_t m = 0; m < found.size(); ++m)
    if (lower[m] > found[m]) return false;
  return true;
}

// The lower bound for a partial basis holds for every order of the coordinates.
void the_lowest_metrics_are_a_lower_bound() {
  oracle::Draw draw(11);
  for (int n = 3; n <= 5; ++n)
    for (const bool folded : {false, true}) {
      const auto evaluator = oracle::evaluator(n, folded, true, kAllMetrics);
      const CoordinateOrders orders(*evaluator, {n, folded});
      const auto of_racks = oracle::evaluator(n, folded, true, kRackLosses);
      const CoordinateOrders rack_orders(*of_racks, {n, folded});
      for (int repeat = 0; repeat < 40; ++repeat) {
        const Columns basis = draw.basis(n);
        in_all_orders(n, [&](const Permutation& order) {
          const Columns image = reordered(order, basis, n);
          const ExactMetrics found = oracle::exact_metrics_of(*evaluator, image);
          for (int size = 0; size <= n; ++size) {
            int lightest = n;
            for (int k = size; k < n; ++k) lightest = std::min(lightest, isoplane::weight(basis[at(k)]));
            const auto lower = orders.lowest(found[0], vectors_of(basis, size), size, size == n ? 0 : lightest);
            CHECK(lower && never_above(*lower, found));
            const ExactMetrics lost = oracle::exact_metrics_of(*of_racks, image);
            const auto least = rack_orders.lowest(lost[0], vectors_of(basis, size), size, size == n ? 0 : lightest);
            for (const Metric metric : {Metric::kRackFaultDiameter, Metric::kRackFaultAspl})
              CHECK((*least)[static_cast<std::size_t>(metric)] <= lost[static_cast<std::size_t>(metric)]);
          }
        });
      }
    }
}

// Branch and bound over orders agrees with trying all of them.
void the_best_order_is_found() {
  oracle::Draw draw(12);
  const std::vector<std::vector<isoplane::Component>> scores{{{Metric::kDelay}},
                                                             {{Metric::kCost}},
                                                             {{Metric::kDelayPaper}, {Metric::kCost}},
                                                             {{Metric::kLongestCable}, {Metric::kCableLength}},
                                                             cases::kHopsAndCables,
                                                             kRackLosses,
                                                             {{Metric::kRackFaultAspl}, {Metric::kCableLength}},
                                                             kAllMetrics};
  for (int n = 2; n <= 5; ++n)
    for (const bool folded : {false, true})
      for (const auto& components : scores)
        for (int repeat = 0; repeat < 10; ++repeat) {
          const auto evaluator = oracle::evaluator(n, folded, true, components);
          const CoordinateOrders orders(*evaluator, {n, folded});
          const Columns basis = draw.basis(n);
          Columns rows{};
          isoplane::transpose(basis.data(), n, rows.data());
          const auto goal = oracle::goal(*evaluator, false);
          CHECK(orders.search(evaluator->loads(rows.data()), basis, *goal) > 0);
          oracle::Score best = oracle::score(*evaluator, basis);
          in_all_orders(n, [&](const Permutation& order) {
            best = std::min(best, oracle::score(*evaluator, reordered(order, basis, n)));
          });
          CHECK(oracle::score(*evaluator, goal->designs()[0]) == best);
        }
}

// Interchangeable places are tried in one order only, without losing an optimum.
void skipping_twin_places_loses_no_optimum() {
  oracle::Draw draw(13);
  for (int n = 3; n <= 5; ++n)
    for (int twins = 2; twins <= n; ++twins) {
      isoplane::Site site = draw.site(n);
      for (std::uint32_t v = 1; v < 1u << n; ++v) {
        const int low = isoplane::weight(v & ((1u << twins) - 1));
        const std::uint32_t representative = (v >> twins << twins) | ((1u << low) - 1);
        site.length_mm[v] = site.length_mm[representative];
        site.price_cents[v] = site.price_cents[representative];
        site.longest_mm[v] = site.longest_mm[representative];
      }
      const Evaluator evaluator(n, false, site, isoplane::Scalarisation({{Metric::kDelay}}));
      const CoordinateOrders orders(evaluator, {n, false});
      const Columns basis = draw.basis(n);
      Columns rows{};
      isoplane::transpose(basis.data(), n, rows.data());
      const auto goal = oracle::goal(evaluator, false);
      orders.search(evaluator.loads(rows.data()), basis, *goal);
      oracle::Score best = oracle::score(evaluator, basis);
      in_all_orders(n, [&](const Permutation& order) {
        best = std::min(best, oracle::score(evaluator, reordered(order, basis, n)));
      });
      CHECK(oracle::score(evaluator, goal->designs()[0]) == best);
    }
}

// Two planes of two links, against all possible loads.
void inequalities_for_loads_are_valid() {
  const std::vector<std::int64_t> plane0{10, 30}, plane1{10, 20};
  for (std::int64_t sum = 0; sum <= 6; ++sum) {
    const isoplane::LoadRanges ranges{{0, 0}, {1, 3}, {3, 6}};
    const ValidInequalities inequalities({}, std::vector<isoplane::LoadRanges>(7, ranges));
    std::int64_t least = -1;
    for (std::int64_t a = 1; a <= 3; ++a)
      for (std::int64_t b = 1; b <= 3; ++b)
        for (std::int64_t c = 1; c <= 3; ++c) {
          const std::int64_t d = 2 * sum - a - b - c;
          if (d < 1 || d > 3 || a + b < 3 || c + d < 3) continue;
          const std::int64_t total = 10 * a + 30 * b + 10 * c + 20 * d;
          least = least < 0 ? total : std::min(least, total);
        }
    const auto found = inequalities.least_load_mm(sum, plane0, plane1);
    CHECK(found.has_value() == (least >= 0));
    CHECK(!found || *found == least);
  }
  CHECK(!ValidInequalities(3, false).least_load_mm(13, plane0, plane1));  // with identical planes it is 12
}

struct Visits {
  std::set<std::vector<std::uint16_t>> classes;
  int count = 0;
};

// Sets grow as in a search with pruning, but nothing is pruned.
void grow(int n, Vectors& set, int size, std::int64_t symmetries, Visits& found) {
  const auto in_span = [&](int count, std::uint16_t vector) {
    Columns columns{};
    for (int k = 0; k < count; ++k) columns[at(k)] = set[at(k)];
    std::set<std::uint32_t> sums{0};
    for (int k = 0; k < count; ++k)
      for (const std::uint32_t sum : std::set<std::uint32_t>(sums)) sums.insert(sum ^ columns[at(k)]);
    return sums.count(vector) > 0;
  };
  if (size < n - 2) {
    const PartialSet parent(n, set, size, symmetries);
    for (std::uint16_t v = 1; v < 1u << n; ++v) {
      if (in_span(size, v)) continue;
      const bool quick = size + 1 == n - 2;
      const std::int64_t child_symmetries =
          quick ? std::int64_t{parent.may_be_parent_of(v)} : parent.child_automorphisms(v);
      if (child_symmetries == 0) continue;
      set[at(size)] = v;
      grow(n, set, size + 1, child_symmetries, found);
      set[at(size)] = 0;
    }
    return;
  }
  LastTwo bases(n, set);
  for (std::uint16_t x = 1; x < 1u << n; ++x)
    for (std::uint16_t y = 1; y < x; ++y) {
      if (in_span(size, x)) continue;
      set[at(size)] = x;
      const bool independent = !in_span(size + 1, y);
      set[at(size)] = 0;
      if (!independent || !bases.accepts(x, y)) continue;
      ++found.count;
      std::vector<std::uint16_t> least;
      in_all_orders(n, [&](const Permutation& order) {
        std::vector<std::uint16_t> image{isoplane::permuted(order, x), isoplane::permuted(order, y)};
        for (int k = 0; k < size; ++k) image.push_back(isoplane::permuted(order, set[at(k)]));
        std::sort(image.begin(), image.end());
        if (least.empty() || image < least) least = image;
      });
      found.classes.insert(least);
    }
}

void the_last_two_vectors_reach_every_class() {
  constexpr std::size_t kClasses[] = {7, 51, 885};
  for (int n = 3; n <= 5; ++n) {
    Visits found;
    Vectors set{};
    std::int64_t permutations = 1;
    for (int i = 2; i <= n; ++i) permutations *= i;
    grow(n, set, 0, permutations, found);
    CHECK(found.classes.size() == kClasses[n - 3]);
    CHECK(found.count < 2 * static_cast<int>(found.classes.size()));
  }
}

}  // namespace

void test_orders() {
  the_lowest_metrics_are_a_lower_bound();
  the_best_order_is_found();
  skipping_twin_places_loses_no_optimum();
  inequalities_for_loads_are_valid();
  the_last_two_vectors_reach_every_class();
}
