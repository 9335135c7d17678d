// Reference implementation: deliberately slow, offset by offset and link by link.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "isoplane/kernel.hpp"
#include "isoplane/score.hpp"

namespace oracle {

using isoplane::Loads;
using Vectors = std::array<std::uint32_t, isoplane::kMaxN>;

inline bool is_basis(const Vectors& generators, int n) {
  Vectors left = generators;
  for (int i = 0; i < n; ++i) {
    int pivot = i;
    while (pivot < n && left[static_cast<std::size_t>(pivot)] == 0) ++pivot;
    if (pivot == n) return false;
    std::swap(left[static_cast<std::size_t>(i)], left[static_cast<std::size_t>(pivot)]);
    const std::uint32_t vector = left[static_cast<std::size_t>(i)];
    const std::uint32_t lead = std::bit_floor(vector);
    for (int k = i + 1; k < n; ++k)
      if (left[static_cast<std::size_t>(k)] & lead) left[static_cast<std::size_t>(k)] ^= vector;
  }
  return true;
}

// Adds `packets` to every link of the route with this routing value; returns its hops.
inline int walk(std::uint32_t routing_value, int n, bool folded, int packets, std::int32_t* load) {
  const int weight = std::popcount(routing_value);
  const bool through_folded = folded && 2 * weight > n + 1;
  for (int k = 0; k < n; ++k)
    if ((routing_value >> k & 1u) != static_cast<std::uint32_t>(through_folded)) load[k] += packets;
  if (through_folded) load[n] += packets;
  return through_folded ? n + 1 - weight : weight;
}

inline Loads evaluate(const Vectors& generators, int n, bool folded) {
  Loads out{};
  for (std::uint32_t y = 0; y < 1u << n; ++y) {
    std::uint32_t x = 0;
    for (int k = 0; k < n; ++k) x ^= y >> k & 1u ? generators[static_cast<std::size_t>(k)] : 0u;
    const int distance0 = walk(x, n, folded, 0, out.load[0]);
    const int distance1 = walk(y, n, folded, 0, out.load[1]);
    const int tie = distance0 == distance1;
    if (distance0 <= distance1) walk(x, n, folded, 2 - tie, out.load[0]);
    if (distance1 <= distance0) walk(y, n, folded, 2 - tie, out.load[1]);
    out.sum_of_distances += std::min(distance0, distance1);
    out.diameter = std::max(out.diameter, std::min(distance0, distance1));
    // Without its cable, the ends of a generator reach each other over two others in turn, in a folded square over one.
    if (distance0 == 1 || distance1 == 1)
      out.detour = std::max(out.detour, std::min(std::max(distance0, distance1), folded && n == 2 ? 2 : 3) - 1);
  }
  for (int k = 0; k < n + folded; ++k) out.max_load = std::max({out.max_load, out.load[0][k], out.load[1][k]});
  out.is_basis = is_basis(generators, n);
  return out;
}

// All metrics by their formulas: delay = sum of load (hop 2^n + cable length) + endpoint 2 4^n, and so on.
inline isoplane::ExactMetrics exact_metrics(const Loads& loads, const Vectors& generators, int n, bool folded,
                                            const isoplane::Site& s) {
  const std::int64_t switches = std::int64_t{1} << n;
  std::int64_t length = 0, price = 0, hops = 0, links = 0, longest = 0;
  for (int plane = 0; plane < 2; ++plane) {
    std::uint32_t folded_link = 0;
    for (int k = 0; k < n + folded; ++k, ++links) {
      const std::uint32_t unit = plane == 0 ? 1u << k : generators[static_cast<std::size_t>(k % n)];
      const std::uint32_t generator = k < n ? unit : folded_link;
      folded_link ^= generator;
      length += s.length_mm[generator];
      price += s.price_cents[generator];
      longest = std::max(longest, s.longest_mm[generator]);
      hops += loads.load[plane][k] * (s.hop * switches + s.cable_mm * s.length_mm[generator]);
    }
  }
  const std::int64_t ends = s.endpoint * switches * switches;
  return {loads.sum_of_distances,
          loads.max_load,
          length,
          hops + 2 * ends,
          (length * s.cable_mm + s.hop * links * switches) * loads.sum_of_distances + links * ends,
          s.fixed_cents + price,
          longest,
          loads.diameter,
          std::max(loads.diameter, 1 + loads.detour),
          folded ? (n + 1) / 2 : n,
          switches * loads.sum_of_distances + 2 * loads.detour};
}

class Draw {
 public:
  explicit Draw(std::uint64_t seed) : engine_(seed) {}

  std::uint32_t below(std::uint32_t bound) { return static_cast<std::uint32_t>(engine_() % bound); }

  // A random basis.
  Vectors basis(int n) {
    for (;;) {
      Vectors generators{};
      for (int k = 0; k < n; ++k) generators[static_cast<std::size_t>(k)] = below(1u << n);
      if (is_basis(generators, n)) return generators;
    }
  }

  // A basis with one generator replaced by the sum of some others, possibly none.
  Vectors dependent(int n) {
    Vectors generators = basis(n);
    const std::uint32_t column = below(static_cast<std::uint32_t>(n));
    const std::uint32_t others = below(1u << n) & ~(1u << column);
    std::uint32_t sum = 0;
    for (int k = 0; k < n; ++k) sum ^= others >> k & 1u ? generators[static_cast<std::size_t>(k)] : 0u;
    generators[column] = sum;
    return generators;
  }

  isoplane::Site site(int n) {
    isoplane::Site s{{0}, {0}, {0}, 90000, 5, 131000, 1000000, n == 4 ? 3 : 1 << std::max(0, n - 3) << (n == 3)};
    for (std::uint32_t g = 1; g < 1u << n; ++g) {
      s.length_mm.push_back(static_cast<std::int64_t>(1 + below(100)) * 500 << n);
      s.price_cents.push_back(static_cast<std::int64_t>(1 + below(100)) * 100 << n);
      s.longest_mm.push_back(static_cast<std::int64_t>(1 + below(20)) * 500);
    }
    return s;
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace oracle
