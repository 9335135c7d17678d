// Metrics of any network: distances by its cables, loads of its links by its routes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "isoplane/reach.hpp"

namespace isoplane {

// Nodes at the same switch of every plane: they send alike.
struct NodeGroups {
  std::size_t count;
  const std::int64_t* nodes;                   // of each group
  std::vector<const std::int32_t*> switch_of;  // for each plane, of each group
};

// How many ordered pairs of nodes are farther apart than 0, 1, 2, ... hops in the plane where they are nearest, up to
// the last number that is not 0: its sum is that of all distances, its length the diameter. The first node of a pair is
// in one of the sources, which are groups; all nodes must be connected in some plane.
std::vector<std::int64_t> pairs_beyond(const std::vector<Cables>& planes, const NodeGroups& groups,
                                       const std::int64_t* sources, std::size_t count);

// Which column of its row a switch looks up: that of the target, or its offset from the switch.
enum class RouteKey { kTable, kXor, kTorus };

// Routes as data (isoplane.models.Routes), either next ports or whole paths.
struct RoutePlan {
  RouteKey key = RouteKey::kTable;
  std::vector<std::int64_t> shape;           // of a torus
  const std::int32_t* row = nullptr;         // of each switch
  std::size_t columns = 0;                   // of each row
  const std::uint16_t* next_port = nullptr;  // [rows][columns]
  const std::uint32_t* starts = nullptr;     // [rows * columns + 1]
  const std::uint16_t* path_ports = nullptr;
};

struct RoutedPlane {
  Cables cables;
  RoutePlan routes;
  const std::int32_t* label;  // of each switch: those that look alike share one
};

// Nodes to which every switch forwards alike in every plane.
struct Ends {
  std::size_t count;
  const std::int64_t* nodes;                // of each end
  std::vector<const std::int32_t*> target;  // for each plane, of each end: what its routes are asked for by
  std::vector<const std::int32_t*> goal;    // for each plane, of each end: the switch where they end
};

// A route that does not lead to its destination.
struct BadRoute : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Adds what each link carries when every node sends `whole` units to every end, over the plane with the shortest route,
// or evenly over those that are equally near. `whole` is divisible by 1 to the number of planes.
//   loads[plane][label][port]
// Throws BadRoute.
void add_loads(const std::vector<RoutedPlane>& planes, const NodeGroups& groups, const Ends& ends, std::int64_t whole,
               const std::vector<std::int64_t*>& loads);

}  // namespace isoplane
