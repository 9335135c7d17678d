// Exact search: branch and bound over symmetry classes of bases, or enumeration of all classes.
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

// Counts of a search tree; the counts of different units add up.
struct ExactCounts {
  explicit ExactCounts(int n);

  // By number of generators:
  std::vector<std::int64_t> sets;  // classes visited (with pruning, the largest sets may be visited more than once)
  // Sum of the orbit sizes of the classes; 0 if classes may be visited more than once.
  std::vector<unsigned __int128> labelled;
  std::vector<std::int64_t> cut;        // of `sets`, those pruned by the bound
  std::int64_t evaluations = 0;         // bases whose sum of distances was looked up, and orders of coordinates
  std::vector<std::int64_t> histogram;  // classes of bases by sum of distances; only if all are visited
};

// Permuting coordinates changes neither distances nor loads, so one basis per symmetry class is enough. The search tree
// has one set of generators per class (see PartialSet), with a lower bound on the sum of distances of any completion
// (see PartialSums): a set is pruned when that exceeds the largest sum of a basis that could still beat the incumbents.
// Cables do depend on the order of coordinates: a basis that could win by its loads and its shortest possible cables is
// tried in all orders of its coordinates.
class ExactSearch {
 public:
  // `front`: search for the front of the first two components instead of the best score. `everything`: disable pruning,
  // so that the counts cover all classes. Throws std::invalid_argument when n > kExactMaxN.
  ExactSearch(std::shared_ptr<const Evaluator> evaluator, bool front, bool everything, std::vector<Columns> incumbents,
              ValidInequalities inequalities);

  int n() const { return evaluator_->n(); }
  // Units of work: sets of a few generators.
  std::size_t units() const { return units_.size(); }
  // Counts of the search tree above the units.
  const ExactCounts& above() const { return above_; }
  // The largest sum of distances of a basis that could beat the incumbents.
  int most() const { return most_; }

  struct Result {
    ExactCounts counts;
    std::vector<std::int64_t> evaluations;  // of each unit
    // (unit relative to the first, design) of the survivors that are not incumbents.
    std::vector<std::pair<std::size_t, Columns>> designs;
  };
  // Searches the units first .. last - 1. The result of a unit is a pure function of the incumbents, so units can run
  // on any number of workers, and repeatedly. After `cancel` it returns quickly, with an invalid result.
  Result run(std::size_t first, std::size_t last) const;
  // Computation in seconds, and sets visited, below all units.
  struct Work {
    double seconds = 0;
    double sets = 0;
  };
  // Estimates of both, each from one random path below a random unit. Their mean is unbiased, but they vary by orders
  // of magnitude (Knuth, Estimating the efficiency of backtrack programs, 1975).
  std::vector<Work> probe(std::uint64_t seed, int paths) const;
  void cancel() { cancelled_ = true; }

 private:
  struct Unit {
    Vectors set{};
    std::int64_t symmetries = 1;
  };
  class Walk;

  int largest_sum(const Goal& goal, int from) const;  // of a basis that could improve on the goal; at most `from`
  std::unique_ptr<Goal> goal() const;

  std::shared_ptr<const Evaluator> evaluator_;
  bool front_;
  bool everything_;
  bool cables_;  // whether the score depends on cables or racks
  std::vector<Columns> incumbents_;
  CoordinateOrders orders_;
  int most_;
  std::int64_t permutations_ = 1;  // n!
  int depth_;                      // number of generators of a unit
  std::vector<Unit> units_;        // scattered, so that the first ones are a sample of all
  ExactCounts above_;
  std::atomic<bool> cancelled_{false};
};

}  // namespace isoplane
