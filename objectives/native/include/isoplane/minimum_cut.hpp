// Minimum cuts of graphs with integer capacities.
#pragma once

#include <cstddef>
#include <cstdint>

namespace isoplane {

// Unidirectional links in any order; capacities are at least 0 and add up to less than 2^63.
struct CutLinks {
  std::size_t vertices, links;
  const std::int32_t* tail;
  const std::int32_t* head;
  const std::int64_t* capacity;
};

// Returns the least capacity of the links from a set of vertices with the source to the others, with the sink, and
// marks the smallest such set with 1, all others with 0.
std::int64_t minimum_cut(const CutLinks& graph, std::size_t source, std::size_t sink, std::uint8_t* side);

}  // namespace isoplane
