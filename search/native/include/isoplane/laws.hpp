// What is known of every network of one dimension and family, whatever its planes.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "isoplane/score.hpp"

namespace isoplane {

// The packets that some links of one plane carry together.
struct LoadRange {
  std::int64_t least;
  std::int64_t most;
};
// Of 0, 1, 2, ... links.
using LoadRanges = std::vector<LoadRange>;

class Laws {
 public:
  // Those that need no proof: of two offsets that differ in one coordinate at most one has a route over that generator,
  // and an offset sends two packets, so a link carries 2^n at most.
  Laws(int n, bool folded);
  // `floor`: no metric is below. `loads`: by the sum of distances; networks with other sums do not exist.
  Laws(const Ingredients& floor, std::vector<LoadRanges> loads) : floor_(floor), loads_(std::move(loads)) {}

  const Ingredients& floor() const { return floor_; }
  // The largest sum of distances that a network can have.
  std::int64_t largest_sum() const { return static_cast<std::int64_t>(loads_.size()) - 1; }
  // What load x length adds up to at least over the links of two planes, each at least as long as it is said here,
  // ascending; nothing when no network has that sum of distances.
  std::optional<std::int64_t> least_load_mm(std::int64_t sum, std::span<const std::int64_t> plane0,
                                            std::span<const std::int64_t> plane1) const;

 private:
  Ingredients floor_{};
  std::vector<LoadRanges> loads_;
};

}  // namespace isoplane
