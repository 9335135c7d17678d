// Numbers of edge-disjoint and of shortest paths between groups of nodes.
#pragma once

#include <cstddef>
#include <cstdint>

#include "isoplane/general.hpp"

namespace isoplane {

// Unidirectional links between switches, each with parallel cables: those of switch i are [start[i], start[i + 1]).
// Every link has an opposite one with as many cables.
struct CableGraph {
  std::size_t switches;
  const std::int64_t* start;
  const std::int32_t* head;
  const std::int32_t* cables;    // at least 1
  const std::int64_t* opposite;  // the link from the head to the tail
};

// Pairs of groups without a common switch.
struct GroupPairs {
  std::size_t count;
  const std::int64_t *source, *target;
};

// The number of paths for each pair of which no two take the same cable in the same direction: the largest flow.
void disjoint_paths(const CableGraph& graph, const NodeLinks& groups, const GroupPairs& pairs, std::int64_t* found);

// The number of shortest paths for each pair, over different cables too, in `limbs` words of 64 bits, the lowest first;
// 0 without a path. Returns false if some number of paths to a switch needs more words.
bool shortest_paths(const CableGraph& graph, const NodeLinks& groups, const GroupPairs& pairs, std::size_t limbs,
                    std::uint64_t* found);

}  // namespace isoplane
