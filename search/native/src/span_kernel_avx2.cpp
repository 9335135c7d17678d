// AVX2: 16 vectors at a time. AVX-512 machines use it too: these tables are short.
#include "span_kernel.hpp"

#if defined(__x86_64__)

#include <immintrin.h>

// The region lasts to the end of the file.
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC target("avx2")
#endif

#include "span_kernel.inl"

namespace {

// A vector v ^ g lies in block (v ^ g) / 16; inside it the halves change places when bit 3 of g is set, and the eight
// entries of a half are exchanged by its low bits.
void add(const std::uint16_t* direct, const std::uint16_t* moved, std::uint16_t generator, std::size_t vectors,
         std::uint16_t* out) {
  alignas(16) std::uint8_t order[16];
  for (unsigned byte = 0; byte < 16; ++byte) order[byte] = static_cast<std::uint8_t>(byte ^ (generator & 7u) << 1);
  const __m256i shuffle = _mm256_broadcastsi128_si256(_mm_load_si128(reinterpret_cast<const __m128i*>(order)));
  const std::size_t half = generator & 8u;
  const std::size_t block = generator & ~std::size_t{15};
  for (std::size_t v = 0; v < vectors; v += 16) {
    const std::uint16_t* from = moved + (v ^ block);
    const __m128i low = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + half));
    const __m128i high = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + (half ^ 8u)));
    const __m256i exchanged = _mm256_shuffle_epi8(_mm256_set_m128i(high, low), shuffle);
    const __m256i sum = _mm256_add_epi16(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(direct + v)), exchanged);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + v), sum);
  }
}

}  // namespace

namespace isoplane::variants {

SpanKernel span_avx2() { return {add, least, merge}; }

}  // namespace isoplane::variants

#if defined(__clang__)
#pragma clang attribute pop
#endif

#endif
