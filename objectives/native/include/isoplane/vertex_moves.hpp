// Balanced cuts of graphs, improved by moves of single vertices.
#pragma once

#include <cstddef>
#include <cstdint>

namespace isoplane {

// Vertices with a number of nodes and edges with costs, listed at both of their vertices: those of vertex i are
// [start[i], start[i + 1]).
struct CutGraph {
  std::size_t vertices;
  const std::int64_t* start;
  const std::int32_t* head;
  const std::int64_t *cost, *weight;  // of each edge; nodes of each vertex
  const std::int64_t* node_cost;      // of each vertex: cost of a node of it on the other side
};

// One pass of moves between the sides, each vertex at most once, the one that lowers the cut most first, then the one
// with the lowest number. The sides may differ by twice the nodes of the heaviest vertex, or as long as moves lower
// their difference. A cut is balanced if at most half of the nodes of one vertex on the heavy side, at their costs,
// even the sides. `side` becomes the best balanced cut on the way, the first one of equals; it does not change if there
// is none. The pass ends after `patience` moves without a better cut, but not before a balanced one.
void move_vertices(const CutGraph& graph, std::int64_t patience, std::uint8_t* side);

}  // namespace isoplane
