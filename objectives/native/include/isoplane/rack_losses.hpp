// Distances after the loss of any one rack, with all its switches and their nodes.
#pragma once

#include <algorithm>
#include <cstdint>

namespace isoplane {

// The largest distance, and the largest mean over ordered pairs, one of a switch with itself included, in 10^-9 hops.
struct RackLoss {
  std::int64_t diameter = 0, mean = 0;
  void add(const RackLoss& other) {
    diameter = std::max(diameter, other.diameter);
    mean = std::max(mean, other.mean);
  }
};

// The quotient in 10^-9, to the nearest; 0 for no pairs.
inline std::int64_t billionths(std::int64_t hops, std::int64_t pairs) {
  __extension__ using Wide = __int128;
  if (pairs == 0) return 0;
  return static_cast<std::int64_t>((Wide{2'000'000'000} * hops + pairs) / (Wide{2} * pairs));
}

// Two planes of cubes on the same 2^n switches, of which each rack has `held` consecutive ones, the last perhaps fewer.
class CubeRacks {
 public:
  CubeRacks(int n, bool folded, std::int64_t held);

  std::int64_t racks() const { return (switches_ + held_ - 1) / held_; }
  // Whether exchanging two coordinates, the bits at `place` and the next, exchanges racks.
  bool are_twins(int place) const { return translates_ && (held_ >> place) != 2; }
  // From the columns of a basis of plane 1.
  RackLoss operator()(const std::uint32_t* columns) const;
  // No rack makes less of these than of a sum of distances and a diameter without a loss.
  RackLoss least(std::int64_t sum_of_distances, std::int64_t diameter) const;

 private:
  int n_;
  bool folded_;
  std::int64_t switches_, held_;
  bool translates_;  // whether racks are the cosets of one, which translations exchange
};

}  // namespace isoplane
