// Exact search: every inequivalent basis, or every one that could still matter.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "isoplane/classes.hpp"
#include "isoplane/coordinates.hpp"
#include "isoplane/goal.hpp"
#include "isoplane/partial_sums.hpp"

namespace isoplane {

// What a walk went through; walks over different units add up.
struct ExactCounts {
  explicit ExactCounts(int n);

  // For each number of generators:
  std::vector<std::int64_t> sets;  // classes met (with pruning, the largest sets may be met more than once)
  // And how many sets of vectors they stand for, the sizes of their orbits; 0 where classes may be met more than once.
  std::vector<unsigned __int128> labelled;
  std::vector<std::int64_t> cut;        // of `sets`, those whose completions were all excluded by the bound
  std::int64_t evaluations = 0;         // bases whose sum of distances was looked up, and orders of coordinates
  std::vector<std::int64_t> histogram;  // classes of bases for each sum of distances; only where all are met
};

// Permuting coordinates changes neither distances nor loads, so one basis of each class is enough. The walk goes over
// sets of generators, one of each class (see Parent), and knows what any completion costs (see PartialSums): a set is
// cut when all its completions have larger sums than a basis may have that beats the incumbents. A layout does tell
// coordinates apart: a basis that could win by its loads and its shortest possible cables is tried in all orders of its
// coordinates.
class ExactSearch {
 public:
  // `front`: keep the front of the first two components instead of the best score. `everything`: cut nothing, so that
  // the counts are those of all classes. Throws std::invalid_argument when n > kExactMaxN.
  ExactSearch(std::shared_ptr<const Evaluator> evaluator, bool front, bool everything, std::vector<Columns> incumbents,
              Laws laws);

  int n() const { return evaluator_->n(); }
  // Units of work: sets of a few generators.
  std::size_t units() const { return units_.size(); }
  // What the walk to the units went through.
  const ExactCounts& above() const { return above_; }
  // The largest sum of distances that a basis may have and beat the incumbents.
  int most() const { return most_; }

  struct Result {
    ExactCounts counts;
    std::vector<std::int64_t> evaluations;  // of each unit
    // What survived in a unit and is no incumbent; units count from the first one walked.
    std::vector<std::pair<std::size_t, Columns>> designs;
  };
  // Walks the units first .. last - 1. Each is a pure function of the incumbents, so any number of workers may walk
  // any of them, again and again. After `cancel` it returns soon, with a result that means nothing.
  Result run(std::size_t first, std::size_t last) const;
  // Seconds of computation, and sets met, below all units.
  struct Work {
    double seconds = 0;
    double sets = 0;
  };
  // Estimates of them, each from one random path below a random unit. Their mean is unbiased; they differ by orders of
  // magnitude (Knuth 1975, Estimating the efficiency of backtrack programs).
  std::vector<Work> probe(std::uint64_t seed, int paths) const;
  void cancel() { cancelled_ = true; }

 private:
  struct Unit {
    Vectors set{};
    std::int64_t symmetries = 1;
  };
  class Walk;

  int largest_sum(const Goal& goal, int from) const;  // that could be news to the goal
  std::unique_ptr<Goal> goal() const;

  std::shared_ptr<const Evaluator> evaluator_;
  bool front_;
  bool everything_;
  bool cables_;  // whether the score depends on cables
  std::vector<Columns> incumbents_;
  CoordinateOrders orders_;
  int most_;
  std::int64_t permutations_ = 1;  // n!
  int depth_;                      // generators of a unit
  std::vector<Unit> units_;        // scattered, so that those walked first tell how long the others will take
  ExactCounts above_;
  std::atomic<bool> cancelled_{false};
};

}  // namespace isoplane
