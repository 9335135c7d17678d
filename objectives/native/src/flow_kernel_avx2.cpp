// AVX2: four sources at a time.
#include <cstring>

#include "flow_step.hpp"
#include "inline.hpp"

#if defined(__x86_64__)

// The region extends to the end of the file, where templates are instantiated.
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC target("avx2")
#endif

#include "flow_kernel.inl"

namespace isoplane::variants {

void move_flows_avx2(const FlowStep& step) { FlowKernel<4>::move(step); }

}  // namespace isoplane::variants

#if defined(__clang__)
#pragma clang attribute pop
#endif

#endif
