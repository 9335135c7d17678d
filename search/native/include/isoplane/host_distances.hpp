// Distances between the hosts of a graph, by breadth-first searches with a bit for each switch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "isoplane/graph_distances.hpp"
#include "isoplane/host_graph.hpp"

namespace isoplane {

// The sum of distances over all ordered pairs of hosts, in hops between switches in the plane nearest to both, and the
// largest distance. They are exact if the sum is at most `limit`; else it is above the limit, and no more is said.
// Hosts that no plane joins are as far apart as there are switches.
class HostDistances {
 public:
  explicit HostDistances(Isa isa = chosen_isa()) : isa_(isa) {}
  DistanceSums operator()(const HostGraph& graph, std::int64_t limit);

 private:
  struct alignas(64) Line {  // so that no row crosses a line of the cache
    std::uint64_t words[8];
  };
  struct Block {
    std::size_t first = 0, words = 0;      // of the rows of all switches
    std::vector<std::vector<Line>> lines;  // of each plane, and one to spare
    std::vector<std::uint64_t> masks;      // of the columns, by the bits of their numbers of hosts
    std::vector<int> bits;
  };
  void fit(const HostGraph& graph);
  void mask(Block& block) const;

  Isa isa_;
  std::vector<Block> blocks_;
  std::vector<std::uint32_t> hosts_;  // that the blocks are for
};

}  // namespace isoplane
