#include "isoplane/least.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

namespace isoplane {
namespace {

using Keys = double __attribute__((vector_size(16)));
using Bits = std::int64_t __attribute__((vector_size(16)));

Keys load(const double* keys) {
  Keys two;
  std::memcpy(&two, keys, sizeof two);
  return two;
}

Keys smaller(Keys a, Keys b) { return a < b ? a : b; }

// Minimum of the keys, whose number is a multiple of eight. Four independent chains hide the latency of the dependent
// minima.
double least(const double* keys, std::size_t count) {
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
std::uint64_t equal(const double* keys, double key) {
  const Keys wanted{key, key};
  Bits found{0, 0};
  for (std::size_t i = 0; i < kCount; i += 2)
    found |= (load(keys + i) == wanted) & Bits{std::int64_t{1} << i, std::int64_t{2} << i};
  return static_cast<std::uint64_t>(found[0] | found[1]);
}

}  // namespace

void Least::reset(std::size_t count) {
  keys_.clear();
  floors_.clear();
  firsts_.clear();
  grow(count);
}

void Least::grow(std::size_t count) {
  const std::size_t blocks = (count + kBlock - 1) / kBlock;
  size_ = count;
  keys_.resize(blocks * kBlock, kNone);
  floors_.resize((blocks + kFloors - 1) / kFloors * kFloors, kNone);
  firsts_.resize(blocks, 0);
}

std::size_t Least::first() {
  if (size_ == 0) return 0;
  for (;;) {
    const double floor = least(floors_.data(), floors_.size());
    if (floor == kNone) return size_;
    const std::size_t block = least_floor(floor);
    if (keys_[firsts_[block]] == floor) return firsts_[block];
    raise_floor(block);
  }
}

std::size_t Least::least_floor(double floor) const {
  std::size_t block = 0;
  std::uint64_t found = equal<kFloors>(floors_.data(), floor);
  while (found == 0) found = equal<kFloors>(floors_.data() + (block += kFloors), floor);
  return block + static_cast<std::size_t>(std::countr_zero(found));
}

void Least::raise_floor(std::size_t block) {
  const double* keys = keys_.data() + block * kBlock;
  floors_[block] = least(keys, kBlock);
  firsts_[block] = block * kBlock + static_cast<std::size_t>(std::countr_zero(equal<kBlock>(keys, floors_[block])));
}

}  // namespace isoplane
