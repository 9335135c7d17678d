// One iteration of the concurrent flow, and its variants for concurrent_flow.cpp.
#pragma once

#include <cstddef>
#include <cstdint>

namespace isoplane {

inline constexpr std::size_t kLanes = 8;  // sources that are summed in parallel, whatever the instruction set

// Arrays of rows, one for each link or vertex, of `width` sources; the width is a multiple of kLanes. An iterate z
// moves to T(z), is reflected to 2 T(z) - z, and becomes keep · (2 T(z) - z) + (1 - keep) · anchor.
struct FlowStep {
  std::size_t vertices, links, width;
  const std::int32_t* tail;
  const std::int32_t* head;
  const double* flow_step;       // of each link
  const double* potential_step;  // of each vertex
  const double* length;
  const double* least_flow;  // of each source, above which flows are kept: 0, or infinity where there is no source
  const double* demand;
  double *flow, *potential;
  const double *flow_anchor, *potential_anchor;
  double *flow_moved, *potential_moved;  // T(z), written if `is_recorded`
  double* arriving;                      // of the reflected flows, less those that leave; filled
  double* load;                          // of the reflected flows over each link; filled
  double* flow_distance;                 // of each link: squared, between T(z) and z, if `is_recorded`
  double* potential_distance;            // the same of each vertex
  double keep;
  bool is_recorded;
};

// Moves flows first and potentials after them, which need the reflected flows.
using MoveFlows = void (*)(const FlowStep&);

namespace variants {

void move_flows_scalar(const FlowStep& step);
#if defined(__x86_64__)
void move_flows_avx2(const FlowStep& step);
void move_flows_avx512(const FlowStep& step);
#endif

}  // namespace variants

}  // namespace isoplane
