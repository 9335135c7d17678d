#include "isoplane/symmetry.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <utility>

namespace isoplane {
namespace {

// About one random invariant matrix in four is a basis; for some symmetries very few are.
constexpr int kAttempts = 64;

using Permutation = std::array<int, kMaxN>;

Permutation shuffled(int n, Random& random) {
  Permutation labels{};
  for (int i = 0; i < n; ++i) labels[static_cast<std::size_t>(i)] = i;
  for (int i = n - 1; i > 0; --i)
    std::swap(labels[static_cast<std::size_t>(i)], labels[random.below(static_cast<std::uint32_t>(i) + 1)]);
  return labels;
}

// As many cycles of one random length as fit, then random shorter ones.
Permutation random_cycles(int n, Random& random) {
  Permutation next{};
  int begin = 0;
  int remaining = n;
  int length = 2 + static_cast<int>(random.below(static_cast<std::uint32_t>(n) - 1));
  while (begin < n) {
    for (; begin + length <= n; begin += length)
      for (int i = 0; i < length; ++i) next[static_cast<std::size_t>(begin + i)] = begin + (i + 1) % length;
    remaining = n - begin;
    if (remaining > 0) length = 1 + static_cast<int>(random.below(static_cast<std::uint32_t>(remaining)));
  }
  return next;
}

bool independent(const Columns& generators, int n) {
  Columns pivot{};
  for (int k = 0; k < n; ++k) {
    std::uint32_t rest = generators[static_cast<std::size_t>(k)];
    while (rest != 0 && pivot[static_cast<std::size_t>(std::countr_zero(rest))] != 0)
      rest ^= pivot[static_cast<std::size_t>(std::countr_zero(rest))];
    if (rest == 0) return false;
    pivot[static_cast<std::size_t>(std::countr_zero(rest))] = rest;
  }
  return true;
}

}  // namespace

Columns Symmetry::member(int n, Random& random) const {
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    Columns sum{};
    for (const Orbit& orbit : orbits)
      if (random() >> 63 != 0)
        for (std::size_t k = 0; k < sum.size(); ++k) sum[k] ^= orbit.columns[k];
    if (independent(sum, n)) return sum;
  }
  return unit;
}

Symmetry Symmetry::random(int n, Random& random) {
  const Permutation next = random_cycles(n, random);
  const Permutation coordinate = shuffled(n, random);
  const Permutation generator = shuffled(n, random);
  const auto at = [](const Permutation& p, int i) { return static_cast<std::size_t>(p[static_cast<std::size_t>(i)]); };
  Symmetry symmetry;
  std::array<std::array<bool, kMaxN>, kMaxN> seen{};
  for (int i = 0; i < n; ++i) {
    symmetry.unit[at(generator, i)] = 1u << at(coordinate, i);
    for (int k = 0; k < n; ++k) {
      if (seen[static_cast<std::size_t>(i)][static_cast<std::size_t>(k)]) continue;
      Orbit orbit;
      int a = i;
      int b = k;
      do {
        seen[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)] = true;
        orbit.rows[at(coordinate, a)] |= 1u << at(generator, b);
        orbit.columns[at(generator, b)] |= 1u << at(coordinate, a);
        a = static_cast<int>(at(next, a));
        b = static_cast<int>(at(next, b));
      } while (a != i || b != k);
      symmetry.orbits.push_back(orbit);
    }
  }
  return symmetry;
}

}  // namespace isoplane
