// The least of many keys that change.
#pragma once

#include <cstddef>
#include <limits>
#include <vector>

namespace isoplane {

// Keys in blocks, each with a floor: no key of the block is below it. A key that rises leaves the floor as it is, and
// only a floor that is the least one is raised to what its block really has. To change a key thus costs next to
// nothing, and to find the least one a run over the floors and often one over a block, both without the branches of a
// heap, which no processor can foresee.
class Least {
 public:
  static constexpr double kNone = std::numeric_limits<double>::infinity();  // key of what does not count

  // So many keys that do not count.
  void reset(std::size_t count);
  // Adds keys that do not count.
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
  // Whose key is the least, or size() if none counts. Among equal ones the calls so far decide.
  std::size_t first();

 private:
  static constexpr std::size_t kBlock = 32, kFloors = 8;  // floors are so many at a time

  std::size_t least_floor(double floor) const;
  void raise_floor(std::size_t block);

  std::size_t size_ = 0;
  std::vector<double> keys_, floors_;  // beyond the last one as if they did not count
  std::vector<std::size_t> firsts_;    // of every block: whose key is equal to the floor, or was
};

}  // namespace isoplane
