// Distances between groups of nodes over links with lengths: the dual of a concurrent flow.
#pragma once

#include <cstddef>
#include <cstdint>

#include "isoplane/general.hpp"

namespace isoplane {

constexpr std::int32_t kMaxLength = 65535;

// Unidirectional links between the switches of all planes: those of switch i are [start[i], start[i + 1]).
struct LengthGraph {
  std::size_t switches;
  const std::int64_t* start;
  const std::int32_t* head;
  const std::int32_t* length;  // from 0 to kMaxLength
};

// Groups of nodes with the switches of their links, in all planes together.
struct Terminals {
  std::size_t count;
  const std::int64_t* nodes;
  NodeLinks links;
};

// Returns the sum over the sources a, which are groups, and over all groups b of nodes(a) · nodes(b) · distance(a,
// b), or -1 if a group is out of reach. Nodes forward nothing: a path is in one plane. Unless `load` is null, adds to
// the load of each link the pairs of nodes whose traffic takes it if all shortest paths share it evenly.
std::int64_t weighted_distances(const LengthGraph& graph, const Terminals& groups, const std::int64_t* sources,
                                std::size_t count, double* load);

}  // namespace isoplane
