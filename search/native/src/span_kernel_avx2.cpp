// AVX2: 16 vectors at a time. AVX-512 machines also use it, because these tables are short.
#include "span_kernel.hpp"

#if defined(__x86_64__)

#include <immintrin.h>

// The target region extends to the end of the file.
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC target("avx2")
#endif

#include "span_kernel.inl"

namespace {

// A vector v ^ g lies in block (v ^ g) / 16; within the block the halves are swapped if bit 3 of g is set, and the
// eight entries of a half are permuted by its low bits.
struct Moved {
  Moved(const std::uint16_t* values, std::uint16_t generator)
      : values_(values), half_(generator & 8u), block_(generator & ~std::size_t{15}) {
    alignas(16) std::uint8_t order[16];
    for (unsigned byte = 0; byte < 16; ++byte) order[byte] = static_cast<std::uint8_t>(byte ^ (generator & 7u) << 1);
    shuffle_ = _mm256_broadcastsi128_si256(_mm_load_si128(reinterpret_cast<const __m128i*>(order)));
  }
  // The values of v ^ g for the sixteen vectors starting at v.
  __m256i operator[](std::size_t v) const {
    const std::uint16_t* from = values_ + (v ^ block_);
    const __m128i low = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + half_));
    const __m128i high = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + (half_ ^ 8u)));
    return _mm256_shuffle_epi8(_mm256_set_m128i(high, low), shuffle_);
  }

 private:
  const std::uint16_t* values_;
  std::size_t half_;
  std::size_t block_;
  __m256i shuffle_;
};

void add(const std::uint16_t* direct, const std::uint16_t* moved, std::uint16_t generator, std::size_t vectors,
         std::uint16_t* out) {
  const Moved exchanged(moved, generator);
  for (std::size_t v = 0; v < vectors; v += 16) {
    const __m256i direct_values = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(direct + v));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + v), _mm256_add_epi16(direct_values, exchanged[v]));
  }
}

std::uint16_t least_sum(const std::uint16_t* direct, const std::uint16_t* moved, std::uint16_t generator,
                        std::size_t vectors) {
  const Moved exchanged(moved, generator);
  __m256i found = _mm256_set1_epi16(-1);
  for (std::size_t v = 0; v < vectors; v += 16) {
    const __m256i direct_values = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(direct + v));
    found = _mm256_min_epu16(found, _mm256_add_epi16(direct_values, exchanged[v]));
  }
  const __m128i both = _mm_min_epu16(_mm256_castsi256_si128(found), _mm256_extracti128_si256(found, 1));
  return static_cast<std::uint16_t>(_mm_extract_epi16(_mm_minpos_epu16(both), 0));
}

}  // namespace

namespace isoplane::variants {

SpanKernel span_avx2() { return {add, least, merge, least_sum}; }

}  // namespace isoplane::variants

#if defined(__clang__)
#pragma clang attribute pop
#endif

#endif
