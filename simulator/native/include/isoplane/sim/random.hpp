// Per-node random number generator with one word of state, and the gaps between the messages that a node creates.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace isoplane::sim {

// splitmix64 (Steele, Lea and Flood, 2014).
class Random {
 public:
  Random() = default;
  // Different stream numbers give different streams of the same seed.
  Random(std::uint64_t seed, std::uint64_t stream) : state_(seed) { state_ = (*this)() ^ stream * 0xD1342543DE82EF95u; }

  std::uint64_t operator()() {
    std::uint64_t z = state_ += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
  }

  // A number below `bound`, without bias (Lemire, 2019).
  std::uint32_t below(std::uint32_t bound) {
    for (;;) {
      const std::uint64_t product = ((*this)() >> 32) * bound;
      const auto low = static_cast<std::uint32_t>(product);
      if (low >= bound || low >= -bound % bound) return static_cast<std::uint32_t>(product >> 32);
    }
  }

  // The same for 64-bit bounds, with a bias of at most bound / 2^64.
  std::uint64_t below_large(std::uint64_t bound) {
    return static_cast<std::uint64_t>((static_cast<unsigned __int128>((*this)()) * bound) >> 64);
  }

 private:
  std::uint64_t state_ = 0;
};

// Geometric gaps: ticks until the next success of independent trials, one per tick. The table of P(gap > k) = (1 - p)^k
// in units of 2^-64 uses integer products only, so that all machines draw the same gaps. A gap beyond the table is
// drawn again from its end, which is exact because trials are memoryless.
class Gaps {
 public:
  static constexpr std::uint32_t kLongest = 1024;

  // `chance` of a success in units of 2^-64, positive unless `certain`.
  Gaps(std::uint64_t chance, bool certain) : survival_(kLongest) {
    std::uint64_t survival = certain ? 0 : ~std::uint64_t{0};
    for (auto& entry : survival_) {
      survival = static_cast<std::uint64_t>((static_cast<unsigned __int128>(survival) * (-chance)) >> 64);
      entry = survival;
    }
  }

  // A gap of at least 1; `success`: whether the last trial succeeded.
  std::uint32_t draw(Random& random, bool& success) const {
    const std::uint64_t u = random();
    const auto found = std::partition_point(survival_.begin(), survival_.end(), [u](std::uint64_t s) { return u < s; });
    success = found != survival_.end();
    return success ? static_cast<std::uint32_t>(found - survival_.begin()) + 1 : kLongest;
  }

 private:
  std::vector<std::uint64_t> survival_;  // [k - 1]: P(gap > k)
};

}  // namespace isoplane::sim
