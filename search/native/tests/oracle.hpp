// Expected results of searches, by brute force.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "../../../objectives/native/tests/oracle.hpp"
#include "isoplane/basis.hpp"
#include "isoplane/goal.hpp"
#include "isoplane/score.hpp"

namespace oracle {

using isoplane::Columns;
using isoplane::Component;
using isoplane::Evaluator;
using isoplane::ExactMetrics;
using isoplane::Int128;
using isoplane::Metric;
using isoplane::Score;
using Points = std::set<std::pair<Int128, Int128>>;

inline std::shared_ptr<const Evaluator> evaluator(int n, bool folded, bool layout,
                                                  const std::vector<Component>& components) {
  return std::make_shared<Evaluator>(n, folded, layout ? Draw(99).site(n) : isoplane::Site{},
                                     isoplane::Scalarisation(components));
}

inline ExactMetrics exact_metrics_of(const Evaluator& evaluator, const Columns& generators) {
  Columns rows{};
  isoplane::transpose(generators.data(), evaluator.n(), rows.data());
  ExactMetrics found;
  evaluator.exact_metrics(rows.data(), generators.data(), found);
  return found;
}

inline Score score(const Evaluator& evaluator, const Columns& generators) {
  return evaluator.scalarisation()(exact_metrics_of(evaluator, generators));
}

// Appends every basis with ascending generators that begins with the first `count` of `chosen`.
inline void extend(std::vector<Columns>& all, Columns& chosen, int n, int count) {
  if (count == n) {
    if (is_basis(chosen, n)) all.push_back(chosen);
    return;
  }
  const std::uint32_t last = count == 0 ? 0 : chosen[static_cast<std::size_t>(count) - 1];
  for (std::uint32_t g = last + 1; g < 1u << n; ++g) {
    chosen[static_cast<std::size_t>(count)] = g;
    extend(all, chosen, n, count + 1);
  }
}

inline std::vector<Columns> all_bases(int n) {
  std::vector<Columns> all;
  Columns chosen{};
  extend(all, chosen, n, 0);
  return all;
}

inline Score best(const Evaluator& evaluator, const std::vector<Columns>& candidates) {
  Score least = score(evaluator, candidates.front());
  for (const Columns& generators : candidates) least = std::min(least, score(evaluator, generators));
  return least;
}

// The points of the first two components.
inline Points points(const Evaluator& evaluator, const std::vector<Columns>& candidates) {
  Points all;
  for (const Columns& generators : candidates) {
    const Score found = score(evaluator, generators);
    all.emplace(found.part[0], found.part[1]);
  }
  return all;
}

// The non-dominated points.
inline Points non_dominated(const Points& all) {
  Points front;
  for (const auto& point : all)
    if (std::none_of(all.begin(), all.end(), [&](const auto& other) {
          return other != point && other.first <= point.first && other.second <= point.second;
        }))
      front.insert(point);
  return front;
}

inline std::unique_ptr<isoplane::Goal> goal(const Evaluator& evaluator, bool front) {
  return front ? isoplane::pareto_front(evaluator) : isoplane::best_score(evaluator);
}

}  // namespace oracle
