// Exact search: every basis up to the order of its generators, and up to symmetry where that is cheap to see.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "isoplane/goal.hpp"

namespace isoplane {

// Bases are walked as ascending generators g_1 < ... < g_n. Permuting coordinates changes neither distances nor loads,
// so it is enough to meet one of each class: the first generators are taken only if no permutation of coordinates gives
// a lexicographically smaller set (the smallest set of a class begins with the smallest prefix). A layout does tell
// coordinates apart: a candidate that could beat the best by its loads and its shortest possible cables is tried under
// all permutations.
inline constexpr int kExactMaxN = 7;

class ExactSearch {
 public:
  // `front`: keep the front of the first two components instead of the best score. Throws std::invalid_argument when
  // n > kExactMaxN.
  ExactSearch(std::shared_ptr<const Evaluator> evaluator, bool front);

  int n() const { return evaluator_->n(); }
  // Units of work: the prefixes.
  std::size_t units() const { return prefixes_.size(); }

 private:
  friend class ExactLane;
  struct Walk;
  void make_permutations();
  void extend(std::vector<std::uint32_t>& prefix, int depth);
  bool smallest(const std::vector<std::uint32_t>& prefix) const;
  bool descend(Walk& walk, int level) const;
  void judge(Walk& walk) const;
  void permute(Walk& walk, const Loads& loads) const;
  Ingredients lower_bound(const Loads& loads, const Columns& generators) const;

  std::shared_ptr<const Evaluator> evaluator_;
  bool front_;
  bool cables_;  // whether the score depends on cables
  std::vector<std::vector<std::uint32_t>>
      permutations_;                               // of coordinates, as tables over all vectors; the identity first
  std::vector<std::vector<std::uint8_t>> orders_;  // the same as where each coordinate goes
  std::vector<std::vector<std::uint32_t>> prefixes_;
  // The cheapest vectors of each weight, and the lengths of plane 0 in ascending order: what permutations can reach at
  // best.
  std::vector<std::int64_t> least_length_;
  std::vector<std::int64_t> least_price_;
  std::vector<std::int64_t> unit_lengths_;
};

// One of several walkers that share the units of a search: the first-th, and every step-th after it. It can pause
// between any two sets of n - 1 generators, so that its calls are short whatever a unit holds.
class ExactLane {
 public:
  ExactLane(std::shared_ptr<const ExactSearch> search, std::size_t first, std::size_t step);
  ~ExactLane();

  // Knowing the designs found elsewhere, walks on until so many candidates are judged, or a few more, or its units are
  // done. Returns the designs that survive, incumbents among them.
  std::vector<Columns> run(std::int64_t evaluations, const std::vector<Columns>& incumbents);

  int n() const { return search_->n(); }
  bool done() const { return unit_ >= search_->units(); }
  std::int64_t evaluations() const { return evaluations_; }

 private:
  std::shared_ptr<const ExactSearch> search_;
  std::size_t unit_;
  std::size_t step_;
  std::int64_t evaluations_ = 0;
  std::unique_ptr<ExactSearch::Walk> walk_;
};

}  // namespace isoplane
