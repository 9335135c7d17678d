// AVX2: rows of up to 256 bits in a register; the words are counted one by one.
#include <bit>

#include "graph_kernel.hpp"

#if defined(__x86_64__)

#include <immintrin.h>

// The target region extends to the end of the file.
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,popcnt"))), apply_to = function)
#else
#pragma GCC target("avx2,popcnt")
#endif

namespace {

template <int W>
void count_row(const std::uint64_t* words, std::uint64_t* bits) {
  for (int word = 0; word < W; ++word) bits[word] += static_cast<std::uint64_t>(std::popcount(words[word]));
}

#include "graph_kernel.inl"

}  // namespace

namespace isoplane::variants {

GraphSteps graph_steps_avx2() { return {graph_step<1>, graph_step<2>, graph_step<4>, graph_step<8>}; }
HostSteps host_steps_avx2() { return host_steps(); }

}  // namespace isoplane::variants

#if defined(__clang__)
#pragma clang attribute pop
#endif

#endif
