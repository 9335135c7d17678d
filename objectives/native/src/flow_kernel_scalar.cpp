// Portable variant: two sources at a time.
#include "flow_kernel.inl"

namespace isoplane::variants {

void move_flows_scalar(const FlowStep& step) { FlowKernel<2>::move(step); }

}  // namespace isoplane::variants
