// The orders of coordinates of one basis: with a layout they tell designs apart that are otherwise the same.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "isoplane/classes.hpp"
#include "isoplane/goal.hpp"
#include "isoplane/laws.hpp"

namespace isoplane {

class CoordinateOrders {
 public:
  CoordinateOrders(const Evaluator& evaluator, Laws laws);

  // Ingredients that no basis with this sum of distances goes below, if it contains a set of vectors up to an order of
  // coordinates, and its other generators have at least `least_weight` coordinates; nothing when there is none.
  std::optional<Ingredients> lowest(std::int64_t sum, const Vectors& set, int size, int least_weight) const;
  // Tries the orders of a basis that could be news to the goal; returns how many were looked at, in part or whole.
  std::int64_t settle(const Loads& loads, const Columns& generators, Goal& goal) const;

 private:
  struct Assignment;
  Totals of_any_order(const Assignment& assignment) const;
  Totals plane0(const Assignment& assignment, std::uint32_t top) const;
  Ingredients bound(const Assignment& assignment) const;
  void divide(Assignment& assignment, Goal& goal, std::int64_t& looked_at) const;
  Ingredients raised(const Totals& totals) const;
  void descend(Assignment& assignment, Goal& goal, std::int64_t& looked_at) const;
  void make_tables();

  // Lower bounds of what the links of plane 1 take, ascending: of a set of vectors up to an order of coordinates.
  using Links = std::array<std::int64_t, kMaxLinks>;
  struct Ranked {
    std::vector<std::vector<std::int64_t>> of_weight;    // ascending: the values of the vectors of a weight,
    std::vector<std::vector<std::int64_t>> from_weight;  // and the first n of those of at least a weight
    Links lightest{};                                    // of the lightest basis
  };
  Ranked rank(const std::vector<std::int64_t>& values) const;
  Links least(const Ranked& ranked, const Vectors& set, int size, int least_weight) const;

  const Evaluator& evaluator_;
  Laws laws_;
  int n_;
  int links_;
  // How many coordinates wait for a place on top, and for one of the others, with so many of the highest places taken.
  int above(int taken) const { return std::max(0, top_ - taken); }
  int below(int taken) const { return std::min(n_ - top_, n_ - taken); }
  std::size_t entry(int taken, std::uint32_t placed, int above_left, int below_left) const {
    return (static_cast<std::size_t>(placed) * static_cast<std::size_t>(above(taken) + 1) +
            static_cast<std::size_t>(above_left)) *
               static_cast<std::size_t>(below(taken) + 1) +
           static_cast<std::size_t>(below_left);
  }
  bool are_twins(int place) const;
  int top_;                          // how many places are on top
  std::vector<std::uint32_t> tops_;  // and the sets of as many coordinates

  // With the highest places taken: the least value of vectors by what they have there and how many coordinates wait for
  // a place on top and for another one.
  std::vector<std::vector<std::int64_t>> length_;
  std::vector<std::vector<std::int64_t>> price_;
  std::array<bool, kMaxN> twins_{};  // whether a place and the next higher one are alike
  Ranked lengths_, prices_;
  std::vector<std::int64_t> lengths0_;  // of plane 0, ascending
  // Of single coordinates, ascending: in all places, and in those on top and below that are left.
  std::vector<std::int64_t> all_places_;
  std::vector<std::vector<std::int64_t>> places_above_, places_below_;
  std::int64_t total_length0_ = 0;
  std::int64_t total_price0_ = 0;
};

}  // namespace isoplane
