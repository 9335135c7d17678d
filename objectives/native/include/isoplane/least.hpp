// Minimum of many changing keys.
#pragma once

#include <cstddef>
#include <limits>
#include <vector>

namespace isoplane {

// Keys are stored in blocks, each with a floor, a lower bound on its keys. Increasing a key leaves the floor unchanged;
// a floor is only raised to the true minimum of its block when it is the smallest floor. So changing a key is almost
// free, and finding the minimum takes a scan of the floors and often of one block, both without the unpredictable
// branches of a heap.
class Least {
 public:
  static constexpr double kNone = std::numeric_limits<double>::infinity();  // key of an absent element

  // `count` absent keys.
  void reset(std::size_t count);
  // Extends to `count` keys, the new ones absent.
  void grow(std::size_t count);
  void set(std::size_t index, double key) {
    const std::size_t block = index / kBlock;
    keys_[index] = key;
    if (key > floors_[block]) return;
    floors_[block] = key;
    firsts_[block] = index;
  }
  double key(std::size_t index) const { return keys_[index]; }
  std::size_t size() const { return size_; }
  // Index of the minimum key, or size() if all are absent. Ties depend on the calls so far.
  std::size_t first();

 private:
  static constexpr std::size_t kBlock = 32, kFloors = 8;  // floors are scanned kFloors at a time

  std::size_t least_floor(double floor) const;
  void raise_floor(std::size_t block);

  std::size_t size_ = 0;
  std::vector<double> keys_, floors_;  // padded with absent keys
  std::vector<std::size_t> firsts_;    // per block: index of a key that equals the floor, or once did
};

}  // namespace isoplane
