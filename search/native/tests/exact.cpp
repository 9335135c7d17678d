// Tests of the exact search and its building blocks.
#include "isoplane/exact.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <memory>
#include <numeric>
#include <set>
#include <stdexcept>
#include <vector>

#include "check.hpp"
#include "cases.hpp"
#include "oracle.hpp"

namespace {

using cases::Case;
using cases::kCases;
using cases::kHops;
using isoplane::ExactCounts;
using isoplane::ExactSearch;
using isoplane::Isa;
using isoplane::PartialSums;
using isoplane::Permutation;
using isoplane::Vectors;
using oracle::Columns;
using oracle::Evaluator;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

int hops(int n, bool folded, std::uint32_t routing_value) {
  const int weight = std::popcount(routing_value);
  return folded ? std::min(weight, n + 1 - weight) : weight;
}

// f_w(v) by its definition, over all sums of the first `size` generators and with w further ones.
int added(int n, bool folded, const Columns& generators, int size, int w, std::uint32_t v) {
  int sum = 0;
  for (std::uint32_t y = 0; y < 1u << size; ++y) {
    std::uint32_t offset = v;
    for (int k = 0; k < size; ++k)
      if (y >> k & 1u) offset ^= generators[at(k)];
    sum += std::min(hops(n, folded, offset), hops(n, folded, (y << w) | ((1u << w) - 1)));
  }
  return sum;
}

void tables_of_partial_sums_match_their_definition() {
  oracle::Draw draw(5);
  for (int n = 2; n <= 6; ++n)
    for (const bool folded : {false, true})
      for (int isa = 0; isa < 2; ++isa) {
        if (!isoplane::isa_available(static_cast<Isa>(isa))) continue;
        const Columns generators = draw.basis(n);
        PartialSums sums(n, folded, static_cast<Isa>(isa));
        for (int size = 0; size < n; ++size) {
          for (std::uint32_t v = 0; v < 1u << n; ++v)
            for (int w = 1; w <= n - size; ++w)
              if (sums.coset(size)[v] != 0) CHECK(sums.added(size, w)[v] == added(n, folded, generators, size, w, v));
          CHECK(sums.sum(size) == added(n, folded, generators, size, 0, 0));
          sums.extend(size, static_cast<std::uint16_t>(generators[at(size)]));
        }
        CHECK(sums.sum(n) == added(n, folded, generators, n, 0, 0));
      }
}

void cosets_are_those_of_the_span() {
  oracle::Draw draw(6);
  for (int n = 2; n <= 7; ++n) {
    const Columns generators = draw.basis(n);
    PartialSums sums(n, false, Isa::kScalar);
    std::vector<bool> spanned(std::size_t{1} << n);
    spanned[0] = true;
    for (int size = 0; size < n; ++size) {
      std::set<std::uint16_t> names;
      for (std::uint32_t v = 0; v < 1u << n; ++v) {
        names.insert(sums.coset(size)[v]);
        CHECK((sums.coset(size)[v] == 0) == spanned[v]);
        for (std::uint32_t u = 0; u < v; ++u)
          CHECK(sums.coset(size)[u ^ v] == (sums.coset(size)[u] ^ sums.coset(size)[v]));
      }
      CHECK(names.size() == std::size_t{1} << (n - size));
      sums.extend(size, static_cast<std::uint16_t>(generators[at(size)]));
      const std::vector<bool> before = spanned;
      for (std::uint32_t v = 0; v < 1u << n; ++v)
        if (before[v]) spanned[v ^ generators[at(size)]] = true;
    }
  }
}

// The outlook is a lower bound for every completion of a partial basis.
void an_outlook_is_a_lower_bound() {
  for (const int n : {3, 4})
    for (const bool folded : {false, true})
      for (const Columns& basis : oracle::all_bases(n)) {
        PartialSums sums(n, folded, Isa::kScalar);
        for (int size = 0; size < n; ++size) {
          int lightest = n;
          for (int k = size; k < n; ++k) lightest = std::min(lightest, std::popcount(basis[at(k)]));
          const PartialSums::Outlook outlook = sums.outlook(size, lightest);
          const int total = added(n, folded, basis, n, 0, 0);
          CHECK(outlook.least <= total);
          for (int k = size; k < n; ++k) {
            const auto next = static_cast<std::uint16_t>(basis[at(k)]);
            CHECK(outlook.rest[at(sums.place(size, next))] + sums.added(size, 1)[next] <= total);
          }
          sums.extend(size, static_cast<std::uint16_t>(basis[at(size)]));
        }
      }
}

void automorphisms_are_all_permutations_that_keep_the_set() {
  oracle::Draw draw(7);
  for (int n = 2; n <= 6; ++n)
    for (int repeat = 0; repeat < 20; ++repeat) {
      const Columns basis = draw.basis(n);
      const int size = 1 + repeat % n;
      Vectors set{};
      std::copy_n(basis.begin(), size, set.begin());
      const std::set<std::uint16_t> members(set.begin(), set.begin() + size);
      std::set<Permutation> expected;
      Permutation order{};
      std::iota(order.begin(), order.begin() + n, std::uint8_t{0});
      do {
        std::set<std::uint16_t> images;
        for (const std::uint16_t member : members) images.insert(isoplane::permuted(order, member));
        if (images == members) expected.insert(order);
      } while (std::next_permutation(order.begin(), order.begin() + n));
      const auto found = isoplane::automorphisms(n, set, size);
      CHECK(std::set<Permutation>(found.begin(), found.end()) == expected && found.size() == expected.size());
    }
}

struct Found {
  ExactCounts counts;
  std::int64_t evaluations = 0;
  std::vector<Columns> designs;
};

// Runs all units in parts of `step` units, each independent of the others.
Found walk(const ExactSearch& search, std::size_t step, std::vector<Columns> incumbents) {
  Found found{search.above(), 0, std::move(incumbents)};
  for (std::size_t first = 0; first < search.units(); first += step) {
    const ExactSearch::Result part = search.run(first, first + step);
    for (std::size_t k = 0; k < part.counts.sets.size(); ++k) {
      found.counts.sets[k] += part.counts.sets[k];
      found.counts.labelled[k] += part.counts.labelled[k];
    }
    found.counts.histogram.resize(std::max(found.counts.histogram.size(), part.counts.histogram.size()));
    for (std::size_t s = 0; s < part.counts.histogram.size(); ++s)
      found.counts.histogram[s] += part.counts.histogram[s];
    found.evaluations = std::accumulate(part.evaluations.begin(), part.evaluations.end(), found.evaluations);
    for (const auto& [unit, design] : part.designs) found.designs.push_back(design);
  }
  return found;
}

void exact_search_finds_what_brute_force_finds() {
  for (const int n : {2, 3, 4}) {
    const std::vector<Columns> everything = oracle::all_bases(n);
    for (const bool folded : {false, true})
      for (const Case& task : kCases)
        for (const bool all : {false, true})
          for (const std::size_t step : {1, 3, 1000}) {
            const auto evaluator = oracle::evaluator(n, folded, task.layout, task.components);
            const std::vector<Columns> incumbents{everything.back()};
            const auto found =
                walk(ExactSearch(evaluator, task.front, all, incumbents, {n, folded}), step, incumbents).designs;
            if (task.front) {
              const auto expected = oracle::non_dominated(oracle::points(*evaluator, everything));
              CHECK(oracle::non_dominated(oracle::points(*evaluator, found)) == expected);
            } else {
              CHECK(oracle::best(*evaluator, found) == oracle::best(*evaluator, everything));
            }
          }
  }
}

// Of all designs with the least excess over a limit that some designs, or none, meet.
void fronts_under_limits_are_what_brute_force_finds() {
  using isoplane::Metric;
  const auto of_metric = [](Metric metric) { return isoplane::Sum{{1, {metric}}}; };
  for (const int n : {3, 4}) {
    const std::vector<Columns> everything = oracle::all_bases(n);
    for (const bool folded : {false, true})
      for (const Metric limited : {Metric::kCableLength, Metric::kLongestCable, Metric::kDiameter})
        for (const bool attainable : {false, true}) {
          const auto single = oracle::evaluator(n, folded, true, {{limited}});
          const auto most = attainable ? oracle::score(*single, everything[everything.size() / 2]).part[0] : 1;
          const auto evaluator = std::make_shared<Evaluator>(
              n, folded, oracle::Draw(99).site(n),
              isoplane::Scalarisation({of_metric(Metric::kDelay), of_metric(Metric::kMaxLoad)},
                                      {{{1, {limited}}, {-most, {}}}}, {}));
          const isoplane::Int128 excess = oracle::best(*evaluator, everything).part[0];
          CHECK(!attainable || excess == 0);
          const auto points = [&](const std::vector<Columns>& candidates) {
            oracle::Points least;
            for (const Columns& generators : candidates) {
              const auto found = oracle::score(*evaluator, generators);
              if (found.part[0] == excess) least.emplace(found.part[1], found.part[2]);
            }
            return oracle::non_dominated(least);
          };
          const auto found = walk(ExactSearch(evaluator, true, false, {everything.back()}, {n, folded}), 7, {}).designs;
          CHECK(points(found) == points(everything));
        }
  }
}

// Numbers of classes under permutations of generators and of coordinates, and of the bases in them.
void every_class_is_visited_once() {
  constexpr std::int64_t kClasses[] = {2, 7, 51, 885, 44206};
  constexpr std::int64_t kBases[] = {3, 28, 840, 83328, 27998208};
  for (int n = 2; n <= 6; ++n)
    for (const bool folded : {false, true}) {
      const ExactSearch search(oracle::evaluator(n, folded, false, kHops), false, true, {}, {n, folded});
      const Found found = walk(search, 7, {});
      CHECK(found.counts.sets[at(n)] == kClasses[n - 2]);
      CHECK(static_cast<std::int64_t>(found.counts.labelled[at(n)]) == kBases[n - 2]);
      CHECK(found.evaluations == kClasses[n - 2]);
      const auto& histogram = found.counts.histogram;
      CHECK(std::accumulate(histogram.begin(), histogram.end(), std::int64_t{0}) == kClasses[n - 2]);
    }
}

// Orbits by brute force: the number of classes with each sum.
void the_histogram_counts_classes() {
  for (const int n : {3, 4})
    for (const bool folded : {false, true}) {
      std::map<int, std::set<std::vector<std::uint16_t>>> classes;
      for (const Columns& basis : oracle::all_bases(n)) {
        std::vector<std::uint16_t> least;
        Permutation order{};
        std::iota(order.begin(), order.begin() + n, std::uint8_t{0});
        do {
          std::vector<std::uint16_t> image;
          for (int k = 0; k < n; ++k)
            image.push_back(isoplane::permuted(order, static_cast<std::uint16_t>(basis[at(k)])));
          std::sort(image.begin(), image.end());
          if (least.empty() || image < least) least = image;
        } while (std::next_permutation(order.begin(), order.begin() + n));
        classes[added(n, folded, basis, n, 0, 0)].insert(least);
      }
      const ExactSearch search(oracle::evaluator(n, folded, false, kHops), false, true, {}, {n, folded});
      const auto histogram = walk(search, 1000, {}).counts.histogram;
      for (std::size_t sum = 0; sum < histogram.size(); ++sum)
        CHECK(histogram[sum] == static_cast<std::int64_t>(classes[static_cast<int>(sum)].size()));
    }
}

void a_cancelled_search_ends_at_once_and_large_n_is_rejected() {
  const auto evaluator = oracle::evaluator(6, false, false, kHops);
  ExactSearch search(evaluator, false, true, {}, {6, false});
  search.cancel();
  CHECK(search.run(0, search.units()).counts.sets[6] == 0);
  CHECK(check::throws<std::invalid_argument>(
      [] { ExactSearch(oracle::evaluator(11, false, false, kHops), false, false, {}, {11, false}); }));
}

}  // namespace

void test_exact_search() {
  tables_of_partial_sums_match_their_definition();
  cosets_are_those_of_the_span();
  an_outlook_is_a_lower_bound();
  automorphisms_are_all_permutations_that_keep_the_set();
  exact_search_finds_what_brute_force_finds();
  fronts_under_limits_are_what_brute_force_finds();
  every_class_is_visited_once();
  the_histogram_counts_classes();
  a_cancelled_search_ends_at_once_and_large_n_is_rejected();
}
