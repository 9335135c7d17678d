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
  // Units of work: the prefixes, which can be walked in any order.
  std::size_t units() const { return prefixes_.size(); }

  struct Found {
    std::vector<Columns> designs;  // those that survive, incumbents among them
    std::int64_t evaluations;
  };
  // Walks the units [begin, end), knowing the designs that were found before.
  Found run(std::size_t begin, std::size_t end, const std::vector<Columns>& incumbents) const;

 private:
  struct Walk;
  void make_permutations();
  void extend(std::vector<std::uint32_t>& prefix, int depth);
  bool smallest(const std::vector<std::uint32_t>& prefix) const;
  void descend(Walk& walk, int level, std::uint32_t above) const;
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

}  // namespace isoplane
