// Distances between all vertices of a regular graph that changes by small moves: of a move, only the searches from
// vertices are repeated from which a distance changes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "isoplane/graph_distances.hpp"

namespace isoplane {

class TrackedDistances {
 public:
  static constexpr std::uint8_t kFar = 0xFF;  // hops to a vertex that is not reached; more are not kept

  // From this number of vertices and degree on, few distances change by a move: some 20 % of the rows at 1,024 vertices
  // of degree 11, but 80 % at degree 3, where it takes as long to find them as to search from all.
  static bool pays(std::size_t vertices, std::size_t degree) { return vertices >= 512 && degree >= 6; }

  // The graph with these neighbours, `degree` of each vertex, which is connected, with fewer than 255 hops between any.
  TrackedDistances(std::size_t vertices, std::size_t degree, const std::uint32_t* next);

  // The sums, as those of `GraphDistances`, of a graph that differs from the kept one in the neighbours of some
  // vertices.
  DistanceSums changed(const std::uint32_t* next, std::span<const std::uint32_t> vertices, std::int64_t diameter,
                       std::int64_t penalty, std::int64_t limit);
  // Keeps the graph whose sums were returned last, if it is connected, with fewer than 255 hops between any.
  void keep(const std::uint32_t* next);

 private:
  void find_sources(const std::uint32_t* next, std::span<const std::uint32_t> vertices);
  void weigh(std::uint32_t source);
  void set_diameter(std::int64_t diameter);

  std::size_t vertices_, degree_;
  GraphDistances search_;
  std::vector<std::uint8_t> hops_;           // [vertex][vertex]
  std::vector<std::int64_t> sums_, beyond_;  // of each row, beyond `diameter_`
  std::vector<std::int64_t> largest_;        // of each row
  std::int64_t diameter_ = 0;
  std::vector<std::uint32_t> sources_;           // whose rows the last move changes
  std::vector<std::uint8_t> differs_, nearest_;  // of each vertex
};

}  // namespace isoplane
