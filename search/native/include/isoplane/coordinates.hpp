// The orders of coordinates of one basis: with a layout they tell designs apart that are otherwise the same.
#pragma once

#include <cstdint>
#include <vector>

#include "isoplane/classes.hpp"
#include "isoplane/goal.hpp"

namespace isoplane {

class CoordinateOrders {
 public:
  explicit CoordinateOrders(const Evaluator& evaluator);

  // Ingredients that no basis with this sum of distances goes below, if it contains a set of vectors up to an order of
  // coordinates, and its other generators have at least `least_weight` coordinates.
  Ingredients lowest(std::int64_t sum, const Vectors& set, int size, int least_weight) const;
  // Tries the orders of a basis that could be news to the goal; returns how many were looked at, in part or whole.
  std::int64_t settle(const Loads& loads, const Columns& generators, Goal& goal) const;

 private:
  struct Assignment;
  Ingredients bound(const Assignment& assignment) const;
  void descend(Assignment& assignment, Goal& goal, std::int64_t& looked_at) const;
  void make_tables();
  void rank(const std::vector<std::int64_t>& values, std::vector<std::vector<std::int64_t>>& of_weight,
            std::vector<std::vector<std::int64_t>>& from_weight) const;

  const Evaluator& evaluator_;
  int n_;
  int links_;
  // With the d highest places taken: the least value of vectors by what they have there and how many coordinates below.
  std::vector<std::vector<std::int64_t>> length_;
  std::vector<std::vector<std::int64_t>> price_;
  // Ascending: the values of the vectors of a weight, and the first n of those of at least a weight.
  std::vector<std::vector<std::int64_t>> length_of_weight_, length_from_weight_;
  std::vector<std::vector<std::int64_t>> price_of_weight_, price_from_weight_;
  std::vector<std::int64_t> lengths0_;                    // of plane 0, ascending
  std::vector<std::vector<std::int64_t>> lengths_below_;  // of the lowest places alone, by their number
  std::int64_t total_length0_ = 0;
  std::int64_t total_price0_ = 0;
};

}  // namespace isoplane
