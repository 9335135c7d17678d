// Maximum concurrent flow: a first-order method, and the exact certificates taken from its iterates.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

namespace isoplane {

// Unidirectional links, in any order, and what each source sends to every vertex. A source sends nothing to itself, and
// every vertex to which it sends is in reach.
struct FlowNetwork {
  std::size_t vertices, links, sources;
  const std::int32_t* tail;
  const std::int32_t* head;
  const std::int64_t* capacity;  // 0: unlimited
  const std::int32_t* source;    // the vertex of each source
  const std::int64_t* demand;    // [source][vertex]
};

// The primal-dual hybrid gradient method on: minimise the load of the busiest link, relative to its capacity, over all
// flows that carry the demands, aggregated by source. The duals are a potential of each source at every vertex and a
// length of each link. Iterates are reflected and pulled back to an anchor (Halpern), which moves to the iterate at
// restarts. Steps are proportional to the capacity of a link; the weights of flows, potentials and lengths adapt at
// restarts to the distances that each of them travelled. Lu and Yang, Restarted Halpern PDHG for linear programming,
// 2024; Applegate et al., Practical large-scale linear programming using primal-dual hybrid gradient, 2021.
class FlowIterations {
 public:
  explicit FlowIterations(const FlowNetwork& network);
  ~FlowIterations();

  // Iterates `kPeriod` times per period.
  void run(std::size_t periods);
  // The lengths of links after the last period, of mean 1 if weighted by capacity; 0 where it is unlimited.
  const std::vector<double>& lengths() const;
  // The flows of a source over all links after the last period: at least 0, balanced but for an error.
  void flows_of(std::size_t source, double* flow) const;

  static constexpr std::size_t kPeriod = 50;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Shortest paths over integer lengths from the vertices of all sources: a tree of each, by Dijkstra's algorithm.
class FlowTrees {
 public:
  explicit FlowTrees(const FlowNetwork& network);

  // Finds the tree of a source; links of unlimited capacity may have a length as well.
  void from(std::size_t source, const std::int64_t* length);
  // The vertices in reach, ascending by distance, with the source first.
  const std::vector<std::int32_t>& order() const { return order_; }
  std::int64_t distance(std::size_t vertex) const { return distance_[vertex]; }
  bool is_reached(std::size_t vertex) const { return distance_[vertex] != kFar; }
  // The link over which a vertex is reached; -1 at the source.
  std::int64_t link_to(std::size_t vertex) const { return link_to_[vertex]; }

 private:
  static constexpr std::int64_t kFar = std::numeric_limits<std::int64_t>::max();
  FlowNetwork network_;
  std::vector<std::int64_t> start_, out_, distance_, link_to_;
  std::vector<std::int32_t> order_;
};

// An unsigned number of 128 bits.
struct WideSum {
  std::uint64_t low, high;
};

// Returns the sum over all sources and vertices of demand · distance; false if a vertex with demand is out of reach.
// Unless `load` is null, adds the demand over the tree of each source to the load of the class of each of its links.
bool demand_distances(const FlowNetwork& network, const std::int64_t* length, const std::int32_t* link_class,
                      std::int64_t* load, WideSum& total);

// Turns the flows of all sources into exact ones, [source][link]: `scale` times the demand arrives at every vertex, and
// nothing is lost elsewhere. The flows of the iterations decide only by which links it arrives: their cycles are
// cancelled, and from the farthest vertices back to the source each one takes what it needs over its links in
// proportion to their flows; one without any, over the tree of shortest paths. Needs scale · demand < 2^62 in total.
void feasible_flow(const FlowNetwork& network, const FlowIterations& iterations, const std::int64_t* length,
                   std::int64_t scale, std::int64_t* flow);

}  // namespace isoplane
