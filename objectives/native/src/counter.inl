// Population counts word by word, for instruction sets without a vector population count.

namespace {

using isoplane::Vec;

template <int L>
INLINE std::int64_t count_ones(Vec<L> v) {
  std::int64_t ones = 0;
#pragma GCC unroll 8
  for (int lane = 0; lane < L; ++lane) ones += std::popcount(v[lane]);
  return ones;
}

template <int L, int M>
struct Counters {
  std::int64_t ones[M] = {};

  INLINE void add(const Vec<L> (&planes)[M], Vec<L> mask, Vec<L> other_mask) {
    std::uint64_t words[M][2][L];
#pragma GCC unroll 17
    for (int i = 0; i < M; ++i) {
      const Vec<L> a = planes[i] & mask;
      const Vec<L> b = planes[i] & other_mask;
      __builtin_memcpy(words[i][0], &a, sizeof a);
      __builtin_memcpy(words[i][1], &b, sizeof b);
    }
    // Counting from memory beats taking lanes out of vector registers; the barrier keeps compilers from undoing it.
    __asm__("" : "+m"(words));
#pragma GCC unroll 17
    for (int i = 0; i < M; ++i) {
      std::int64_t here = 0;
#pragma GCC unroll 8
      for (int lane = 0; lane < L; ++lane) here += std::popcount(words[i][0][lane]) + std::popcount(words[i][1][lane]);
      ones[i] += here;
    }
  }

  INLINE std::int64_t total(int i) const { return ones[i]; }
};

}  // namespace
