// The orders of coordinates of one basis: designs that differ only in the lengths of their cables.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "isoplane/classes.hpp"
#include "isoplane/goal.hpp"
#include "isoplane/valid_inequalities.hpp"

namespace isoplane {

class CoordinateOrders {
 public:
  CoordinateOrders(const Evaluator& evaluator, ValidInequalities inequalities);

  // Lower bounds of the exact metrics of any basis with this sum of distances that contains a set of vectors, up to an
  // order of coordinates, and whose other generators have at least `least_weight` coordinates; nothing if none exists.
  std::optional<ExactMetrics> lowest(std::int64_t sum, const Vectors& set, int size, int least_weight) const;
  // Branch and bound over the orders of a basis that could improve on the goal; returns the number of orders visited,
  // partial ones included.
  std::int64_t search(const Loads& loads, const Columns& generators, Goal& goal) const;

 private:
  struct Assignment;
  Totals totals_of_any_order(const Assignment& assignment) const;
  Totals of_plane0(const Assignment& assignment) const;
  Totals plane0(const Assignment& assignment, std::uint32_t top) const;
  ExactMetrics bound(const Assignment& assignment) const;
  void divide(Assignment& assignment, Goal& goal, std::int64_t& visited) const;
  ExactMetrics raised(const Totals& totals) const;
  void descend(Assignment& assignment, Goal& goal, std::int64_t& visited) const;
  void make_tables();

  // Lower bounds of the lengths or prices of the links of plane 1, ascending, up to an order of coordinates.
  using Links = std::array<std::int64_t, kMaxLinks>;
  struct Ranked {
    std::vector<std::vector<std::int64_t>> of_weight;    // values of the vectors of a weight, ascending
    std::vector<std::vector<std::int64_t>> from_weight;  // the n smallest of the vectors of at least a weight
    Links greedy{};                                      // of the greedy basis, ascending
  };
  Ranked rank(const std::vector<std::int64_t>& values) const;
  Links least(const Ranked& ranked, const Vectors& set, int size, int least_weight) const;
  std::int64_t longest_of(const Vectors& set, int size, int least_weight) const;

  const Evaluator& evaluator_;
  ValidInequalities inequalities_;
  int n_;
  int links_;
  // Numbers of coordinates without a place that go on top and below it, by the number of highest places taken.
  int above(int taken) const { return std::max(0, top_ - taken); }
  int below(int taken) const { return std::min(n_ - top_, n_ - taken); }
  std::size_t entry(int taken, std::uint32_t placed, int above_left, int below_left) const {
    return (static_cast<std::size_t>(placed) * static_cast<std::size_t>(above(taken) + 1) +
            static_cast<std::size_t>(above_left)) *
               static_cast<std::size_t>(below(taken) + 1) +
           static_cast<std::size_t>(below_left);
  }
  bool are_twins(int place) const;
  int top_;                          // number of places on top
  std::vector<std::uint32_t> tops_;  // all sets of that number of coordinates

  // By the number of highest places taken: the minimum value of a vector, by its bits there and the numbers of its
  // coordinates that still go on top and below it.
  std::vector<std::vector<std::int64_t>> length_;
  std::vector<std::vector<std::int64_t>> price_;
  std::vector<std::vector<std::int64_t>> longest_;
  std::array<bool, kMaxN> twins_{};  // whether a place and the next higher one are interchangeable
  Ranked lengths_, prices_, longests_;
  std::vector<std::int64_t> lengths0_;  // of plane 0, ascending
  // Values of single coordinates, ascending: over all places, and over the remaining ones on top and below.
  std::vector<std::int64_t> all_places_;
  std::vector<std::vector<std::int64_t>> places_above_, places_below_;
  std::int64_t total_length0_ = 0;
  std::int64_t total_price0_ = 0;
};

}  // namespace isoplane
