// The inlining attribute of the kernels, and the variants for dispatch.cpp.
#pragma once

#include "isoplane/kernel.hpp"

#define INLINE inline __attribute__((always_inline))

namespace isoplane::variants {

Kernel scalar(int n, bool folded);
#if defined(__x86_64__)
Kernel avx2(int n, bool folded);
Kernel avx512(int n, bool folded);
#endif

}  // namespace isoplane::variants
