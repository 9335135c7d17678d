// Random numbers whose state is four words: xoshiro256** (Blackman and Vigna, 2018), seeded by splitmix64.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "isoplane/splitmix64.hpp"

namespace isoplane {

class Random {
 public:
  using State = std::array<std::uint64_t, 4>;

  // Resumes from the state of another generator.
  explicit Random(const State& state) : state_(state) {}
  const State& state() const { return state_; }

  // Each stream of a seed is a different sequence.
  Random(std::uint64_t seed, std::uint64_t stream) {
    std::uint64_t mixed = splitmix64(seed) ^ stream;
    for (auto& word : state_) word = splitmix64(mixed);
  }

  std::uint64_t operator()() {
    auto& s = state_;
    const std::uint64_t result = std::rotl(s[1] * 5, 7) * 9;
    const std::uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = std::rotl(s[3], 45);
    return result;
  }

  // A number below `bound` (at most 2^32), from 32 fresh bits; the bias is below bound / 2^32.
  std::uint32_t below(std::uint32_t bound) { return static_cast<std::uint32_t>(((*this)() >> 32) * bound >> 32); }

  // A number above 0 and at most 1.
  double uniform() { return (static_cast<double>((*this)() >> 11) + 1) * 0x1p-53; }

 private:
  State state_{};
};

}  // namespace isoplane
