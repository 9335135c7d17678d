// Inequalities that hold for every network of one dimension and family.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "isoplane/score.hpp"

namespace isoplane {

// Range of the total load of some links of one plane, in packets.
struct LoadRange {
  std::int64_t least;
  std::int64_t most;
};
// Indexed by the number of links, starting at 0.
using LoadRanges = std::vector<LoadRange>;

class ValidInequalities {
 public:
  // The elementary ones: of two offsets that differ in one coordinate, at most one has a route over that generator, and
  // each offset sends two packets, so a link carries at most 2^n.
  ValidInequalities(int n, bool folded);
  // `floor`: lower bounds of the metrics. `loads`: by the sum of distances; networks with other sums do not exist.
  ValidInequalities(const ExactMetrics& floor, std::vector<LoadRanges> loads)
      : floor_(floor), loads_(std::move(loads)) {}

  const ExactMetrics& floor() const { return floor_; }
  // The largest sum of distances that a network can have.
  std::int64_t largest_sum() const { return static_cast<std::int64_t>(loads_.size()) - 1; }
  // Lower bound on the sum of load x length over the links of both planes, given lower bounds of their lengths in
  // ascending order; nothing if no network has that sum of distances.
  std::optional<std::int64_t> least_load_mm(std::int64_t sum, std::span<const std::int64_t> plane0,
                                            std::span<const std::int64_t> plane1) const;

 private:
  ExactMetrics floor_{};
  std::vector<LoadRanges> loads_;
};

}  // namespace isoplane
