// Metrics of any network: distances by its cables, loads of its links by its routes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "isoplane/reach.hpp"

namespace isoplane {

// Links of groups of nodes in a plane: those of group i are start[i] to before start[i + 1], any number of them.
struct NodeLinks {
  const std::int64_t* start;
  const std::int32_t* at;  // the switch of each link
};

// Nodes with links to the same switches in every plane: they send alike.
struct NodeGroups {
  std::size_t count;
  const std::int64_t* nodes;     // of each group
  std::vector<NodeLinks> links;  // for each plane
};

// How many ordered pairs of nodes are farther apart than 0, 1, 2, ... hops in the plane and over the links where they
// are nearest, up to the last number that is not 0: its sum is that of all distances, its length the diameter. The
// first node of a pair is in one of the sources, which are groups; all nodes must be connected in some plane.
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

// Links of ends of routes in a plane, as `NodeLinks`.
struct EndLinks {
  const std::int64_t* start;
  const std::int32_t* target;  // of each link: what its routes are asked for by
  const std::int32_t* goal;    // of each link: the switch where they end
};

// Nodes to which every switch forwards alike in every plane.
struct Ends {
  std::size_t count;
  const std::int64_t* nodes;    // of each end
  std::vector<EndLinks> links;  // for each plane
};

// How packets are shared out over ways: a plane, a link of the sender and one of the receiver. Without weights all
// shortest ways of all planes share a packet evenly. With them each plane that has a way and a weight has its part,
// which its own shortest ways share evenly.
struct PlanePolicy {
  std::vector<std::int64_t> weight;  // of each plane; empty: the nearest
};

// A route that does not lead to its destination.
struct BadRoute : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Packets in more parts than can be counted.
struct TooManyParts : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct LoadTask {
  std::vector<RoutedPlane> planes;
  NodeGroups groups;
  Ends ends;
  PlanePolicy policy;
};

// The least multiple of `parts` into which a packet is divided so that each of its ways to some ends has whole parts.
// Throws BadRoute and TooManyParts.
std::int64_t packet_parts(const LoadTask& task, std::int64_t parts);

// What is added to, for each plane; what nodes send and receive over their links is empty where nobody asks for it.
struct LoadSums {
  std::vector<std::int64_t*> link;      // [label][port]
  std::vector<std::int64_t*> sent;      // by link of the groups, all nodes of a group together
  std::vector<std::int64_t*> received;  // by link of the ends
};

// Adds what each link carries when every node sends `whole` parts to every node of the ends; all shares of `whole` are
// whole numbers. Throws BadRoute.
void add_loads(const LoadTask& task, std::int64_t whole, const LoadSums& sums);

}  // namespace isoplane
