// Constant bit planes of the routing values y: computed at compile time, so that loading the library
// runs no code of an instruction set that the processor may lack.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace isoplane::tables {

constexpr int distance_bits(int n) { return std::bit_width(static_cast<unsigned>(n)); }
constexpr int max_int(int a, int b) { return a > b ? a : b; }
constexpr int min_int(int a, int b) { return a < b ? a : b; }

// Offset inside a block: bit i of word w stands for y = 64 w + i.
constexpr std::array<std::uint64_t, 6> kLowBits = {0xAAAAAAAAAAAAAAAAu, 0xCCCCCCCCCCCCCCCCu, 0xF0F0F0F0F0F0F0F0u,
                                                   0xFF00FF00FF00FF00u, 0xFFFF0000FFFF0000u, 0xFFFFFFFF00000000u};

// Parity of (mask & y) for the six low bits of y, for every mask.
constexpr std::array<std::uint64_t, 64> make_parity() {
  std::array<std::uint64_t, 64> table{};
  for (unsigned mask = 0; mask < 64; ++mask)
    for (unsigned bit = 0; bit < 6; ++bit)
      if (mask >> bit & 1u) table[mask] ^= kLowBits[bit];
  return table;
}
inline constexpr auto kParity = make_parity();

// Word w of entry m: all ones where the parity of (m & w) is odd.
template <int Lanes>
constexpr std::array<std::array<std::uint64_t, Lanes>, Lanes> make_lane_parity() {
  std::array<std::array<std::uint64_t, Lanes>, Lanes> table{};
  for (unsigned m = 0; m < Lanes; ++m)
    for (unsigned w = 0; w < Lanes; ++w) table[m][w] = std::popcount(m & w) & 1 ? ~std::uint64_t{0} : std::uint64_t{0};
  return table;
}
template <int Lanes>
alignas(64) inline constexpr auto kLaneParity = make_lane_parity<Lanes>();

// Plane 1 in a block whose high bits of y have a given weight: the distance in bit planes and,
// for folded cubes, a mask of the offsets whose route takes the folded link.
template <int N, bool Folded, int Lanes>
struct Side {
  static constexpr int kBits = distance_bits(N);
  std::array<std::array<std::uint64_t, Lanes>, kBits> distance{};
  std::array<std::uint64_t, Lanes> fold{};
};

// Bits of a word whose positions have k ones; only the first 2^N positions.
template <int N>
constexpr std::array<std::uint64_t, 7> make_weight_masks() {
  std::array<std::uint64_t, 7> masks{};
  for (unsigned i = 0; i < 1u << min_int(N, 6); ++i) masks[std::popcount(i)] |= std::uint64_t{1} << i;
  return masks;
}

template <int N, bool Folded, int Lanes>
constexpr auto make_sides() {
  constexpr int kBlockBits = 6 + std::countr_zero(static_cast<unsigned>(Lanes));
  constexpr int kHigh = max_int(N - kBlockBits, 0);
  constexpr auto kMasks = make_weight_masks<N>();
  std::array<Side<N, Folded, Lanes>, kHigh + 1> sides{};
  for (int high = 0; high <= kHigh; ++high)
    for (unsigned word = 0; word < Lanes; ++word)
      for (int low = 0; low <= min_int(N, 6); ++low) {  // all offsets of a weight at once: compilers are slow here
        const int weight = low + std::popcount(word) + high;
        const bool fold = Folded && 2 * weight > N + 1;
        const int distance = fold ? N + 1 - weight : weight;
        for (int b = 0; b < distance_bits(N); ++b)
          if (distance >> b & 1) sides[high].distance[b][word] |= kMasks[low];
        if (fold) sides[high].fold[word] |= kMasks[low];
      }
  return sides;
}
template <int N, bool Folded, int Lanes>
alignas(64) inline constexpr auto kSides = make_sides<N, Folded, Lanes>();

}  // namespace isoplane::tables
