// The variants that span_kernel.cpp chooses from.
#pragma once

#include "isoplane/partial_sums.hpp"

namespace isoplane::variants {

#if defined(__x86_64__)
SpanKernel span_avx2();
#endif

}  // namespace isoplane::variants
