// Minimum of many changing keys.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

namespace isoplane {

// Keys are stored in blocks, each with a floor, a lower bound on its keys. Increasing a key leaves the floor unchanged;
// a floor is only raised to the true minimum of its block when it is the smallest floor. So changing a key is almost
// free, and finding the minimum takes a scan of the floors and often of one block, both without the unpredictable
// branches of a heap. All is inline: the fluid model asks for a minimum at every event.
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

  using Keys = double __attribute__((vector_size(16)));
  using Bits = std::int64_t __attribute__((vector_size(16)));

  static Keys load(const double* keys) {
    Keys two;
    std::memcpy(&two, keys, sizeof two);
    return two;
  }

  static Keys smaller(Keys a, Keys b) { return a < b ? a : b; }

  // Minimum of the keys, whose number is a multiple of eight. Four independent chains hide the latency of the dependent
  // minima.
  static double least(const double* keys, std::size_t count) {
    Keys a = load(keys), b = load(keys + 2), c = load(keys + 4), d = load(keys + 6);
    for (std::size_t i = 8; i < count; i += 8) {
      a = smaller(a, load(keys + i));
      b = smaller(b, load(keys + i + 2));
      c = smaller(c, load(keys + i + 4));
      d = smaller(d, load(keys + i + 6));
    }
    a = smaller(smaller(a, b), smaller(c, d));
    return std::min(a[0], a[1]);
  }

  // Bit mask of the keys that equal this one.
  template <std::size_t kCount>
  static std::uint64_t equal(const double* keys, double key) {
    const Keys wanted{key, key};
    Bits found{0, 0};
    for (std::size_t i = 0; i < kCount; i += 2)
      found |= (load(keys + i) == wanted) & Bits{std::int64_t{1} << i, std::int64_t{2} << i};
    return static_cast<std::uint64_t>(found[0] | found[1]);
  }

  std::size_t least_floor(double floor) const;
  void raise_floor(std::size_t block);

  std::size_t size_ = 0;
  std::vector<double> keys_, floors_;  // padded with absent keys
  std::vector<std::size_t> firsts_;    // per block: index of a key that equals the floor, or once did
};

inline void Least::reset(std::size_t count) {
  keys_.clear();
  floors_.clear();
  firsts_.clear();
  grow(count);
}

inline void Least::grow(std::size_t count) {
  const std::size_t blocks = (count + kBlock - 1) / kBlock;
  size_ = count;
  keys_.resize(blocks * kBlock, kNone);
  floors_.resize((blocks + kFloors - 1) / kFloors * kFloors, kNone);
  firsts_.resize(blocks, 0);
}

inline std::size_t Least::first() {
  if (size_ == 0) return 0;
  for (;;) {
    const double floor = least(floors_.data(), floors_.size());
    if (floor == kNone) return size_;
    const std::size_t block = least_floor(floor);
    if (keys_[firsts_[block]] == floor) return firsts_[block];
    raise_floor(block);
  }
}

inline std::size_t Least::least_floor(double floor) const {
  std::size_t block = 0;
  std::uint64_t found = equal<kFloors>(floors_.data(), floor);
  while (found == 0) found = equal<kFloors>(floors_.data() + (block += kFloors), floor);
  return block + static_cast<std::size_t>(std::countr_zero(found));
}

inline void Least::raise_floor(std::size_t block) {
  const double* keys = keys_.data() + block * kBlock;
  floors_[block] = least(keys, kBlock);
  firsts_[block] = block * kBlock + static_cast<std::size_t>(std::countr_zero(equal<kBlock>(keys, floors_[block])));
}

}  // namespace isoplane
