// Distances of a regular graph after the loss of any one edge, vertex or rack of vertices.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "isoplane/fault_distances.hpp"
#include "isoplane/graph_distances.hpp"
#include "isoplane/rack_losses.hpp"
#include "isoplane/score.hpp"

namespace isoplane {

// The largest distances after losses, the largest sum of distances after that of an edge, and by how much distances
// exceed the aims, added up over losses and pairs of vertices; those after the loss of a rack apart.
struct Losses {
  std::int64_t edge_diameter = 0, vertex_diameter = 0, edge_hops = 0, beyond = 0;
  RackLoss rack{};
  std::int64_t rack_beyond = 0;
};

// Of a graph whose vertices are in racks.
class GraphRacks {
 public:
  // `rack` of each place, ascending: two or more.
  GraphRacks(std::size_t degree, const std::vector<std::uint32_t>& rack);

  // A lower bound of the mean, from the distances of the whole graph.
  RackLoss least(const DistanceSums& whole) const;
  // `next` has the neighbours of each vertex, `places` its place. Sets what the loss of a rack does, and by how much
  // distances exceed an aim.
  void lose(const std::uint32_t* next, const std::vector<std::uint32_t>& places, std::int64_t aim, Losses& losses);

 private:
  std::size_t degree_;
  std::vector<std::uint32_t> rack_;
  std::vector<std::uint32_t> left_, number_, next_;  // vertices, their numbers among these, and their neighbours
  std::vector<std::int64_t> held_;                   // by each rack
  std::int64_t pairs_ = 0;                           // that are left, over all losses
  std::map<std::size_t, GraphDistances> distances_;  // by the number of vertices that are left
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
