// AVX-512 with a vector population count: 512 offsets at a time.
#include <bit>
#include <cstdint>
#include <type_traits>

#include "inline.hpp"
#include "tables.hpp"
#include "vec.hpp"

#if defined(__x86_64__)

#include <immintrin.h>

#if defined(__clang__)
#pragma clang attribute push(                                                                           \
    __attribute__((target("avx2,popcnt,bmi,bmi2,avx512f,avx512vl,avx512bw,avx512dq,avx512vpopcntdq"))), \
    apply_to = function)
#else
#pragma GCC target("avx2,popcnt,bmi,bmi2,avx512f,avx512vl,avx512bw,avx512dq,avx512vpopcntdq")
#endif

namespace {

using isoplane::Vec;

template <int L>
INLINE Vec<L> count_lanes(Vec<L> v) {
  if constexpr (L == 8) {
    return reinterpret_cast<Vec<L>>(_mm512_popcnt_epi64(reinterpret_cast<__m512i>(v)));
  } else if constexpr (L == 4) {
    return reinterpret_cast<Vec<L>>(_mm256_popcnt_epi64(reinterpret_cast<__m256i>(v)));
  } else {
    for (int lane = 0; lane < L; ++lane) v[lane] = static_cast<std::uint64_t>(std::popcount(v[lane]));
    return v;
  }
}

template <int L>
INLINE std::int64_t add_lanes(Vec<L> v) {
  std::uint64_t all = 0;
#pragma GCC unroll 8
  for (int lane = 0; lane < L; ++lane) all += v[lane];
  return static_cast<std::int64_t>(all);
}

template <int L>
INLINE std::int64_t count_ones(Vec<L> v) {
  return add_lanes<L>(count_lanes<L>(v));
}

template <int L, int M>
struct Counters {
  Vec<L> ones[M] = {};  // lanes are summed at the end

  INLINE void add(const Vec<L> (&planes)[M], Vec<L> mask, Vec<L> other_mask) {
#pragma GCC unroll 17
    for (int i = 0; i < M; ++i) ones[i] += count_lanes<L>(planes[i] & mask) + count_lanes<L>(planes[i] & other_mask);
  }

  INLINE std::int64_t total(int i) const { return add_lanes<L>(ones[i]); }
};

}  // namespace

#include "kernel.inl"

namespace isoplane::variants {

Kernel avx512(int n, bool folded) { return select<8>(n, folded); }

}  // namespace isoplane::variants

#if defined(__clang__)
#pragma clang attribute pop
#endif

#endif
