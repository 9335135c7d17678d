// AVX2 with POPCNT: 256 offsets at a time.
#include <bit>
#include <cstdint>
#include <type_traits>

#include "inline.hpp"
#include "tables.hpp"
#include "vec.hpp"

#if defined(__x86_64__)

// The region extends to the end of the file, where templates are instantiated.
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,popcnt,bmi,bmi2"))), apply_to = function)
#else
#pragma GCC target("avx2,popcnt,bmi,bmi2")
#endif

#include "counter.inl"
#include "kernel.inl"

namespace isoplane::variants {

Kernel avx2(int n, bool folded) { return select<4>(n, folded); }

}  // namespace isoplane::variants

#if defined(__clang__)
#pragma clang attribute pop
#endif

#endif
