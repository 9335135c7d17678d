// AVX-512: rows of 512 bits in a register, with a vector population count.
#include <bit>

#include "graph_kernel.hpp"

#if defined(__x86_64__)

#include <immintrin.h>

// The target region extends to the end of the file.
#if defined(__clang__)
#pragma clang attribute push( \
    __attribute__((target("avx2,popcnt,avx512f,avx512vl,avx512bw,avx512dq,avx512vpopcntdq"))), apply_to = function)
#else
#pragma GCC target("avx2,popcnt,avx512f,avx512vl,avx512bw,avx512dq,avx512vpopcntdq")
#endif

namespace {

template <int W>
void count_row(const std::uint64_t* words, std::uint64_t* bits) {
  if constexpr (W == 8) {
    const __m512i count = _mm512_popcnt_epi64(_mm512_loadu_si512(words));
    _mm512_storeu_si512(bits, _mm512_add_epi64(_mm512_loadu_si512(bits), count));
  } else {
    for (int word = 0; word < W; ++word) bits[word] += static_cast<std::uint64_t>(std::popcount(words[word]));
  }
}

#include "graph_kernel.inl"

}  // namespace

namespace isoplane::variants {

GraphSteps graph_steps_avx512() { return {graph_step<1>, graph_step<2>, graph_step<4>, graph_step<8>}; }
HostSteps host_steps_avx512() { return host_steps(); }

}  // namespace isoplane::variants

#if defined(__clang__)
#pragma clang attribute pop
#endif

#endif
