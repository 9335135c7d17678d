// Distances of a regular graph after the loss of any one edge, or of any one vertex.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "isoplane/fault_distances.hpp"
#include "isoplane/graph_distances.hpp"
#include "isoplane/score.hpp"

namespace isoplane {

// The largest distances after losses, the largest sum of distances after that of an edge, and by how much distances
// exceed the aims, added up over losses and pairs of vertices.
struct Losses {
  std::int64_t edge_diameter = 0, vertex_diameter = 0, edge_hops = 0, beyond = 0;
};

class GraphLosses {
 public:
  // `degree` neighbours of each vertex, which may change. Only what the score uses is computed.
  GraphLosses(std::size_t vertices, std::size_t degree, const std::uint32_t* next, const Scalarisation& score);

  static bool matter(const Scalarisation& score) {
    return score.uses(Metric::kCableFaultDiameter) || score.uses(Metric::kCableFaultHops) ||
           score.uses(Metric::kSwitchFaultDiameter);
  }
  // Lower bounds, from the distances of the whole graph.
  static Losses least(const DistanceSums& whole) { return {whole.diameter, whole.diameter, whole.hops, 0}; }
  // Of a connected graph; `aims` has the diameters that distances should not exceed. If `beyond` exceeds `most`, no
  // more is said.
  Losses operator()(const DistanceSums& whole, const Losses& aims, std::int64_t most);

 private:
  bool edges_, edge_hops_, vertices_lost_;
  std::vector<std::int64_t> nodes_, starts_;
  std::vector<std::int32_t> at_;
  FaultDistances distances_;
  std::vector<std::int64_t> longer_;  // by each edge, if its sum matters
};

}  // namespace isoplane
