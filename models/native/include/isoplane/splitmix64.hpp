// Random numbers whose state is one word: splitmix64 (Steele, Lea and Flood, 2014).
#pragma once

#include <cstdint>

namespace isoplane {

inline std::uint64_t splitmix64(std::uint64_t& state) {
  std::uint64_t z = state += 0x9E3779B97F4A7C15u;
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
  z = (z ^ z >> 27) * 0x94D049BB133111EBu;
  return z ^ z >> 31;
}

}  // namespace isoplane
