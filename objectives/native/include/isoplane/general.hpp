// Metrics of any network: distances over its cables, link loads along its routes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "isoplane/reach.hpp"

namespace isoplane {

// Links of groups of nodes in a plane: those of group i are [start[i], start[i + 1]), possibly none.
struct NodeLinks {
  const std::int64_t* start;
  const std::int32_t* at;  // the switch of each link
};

// Nodes grouped by their links: nodes of a group have links to the same switches in every plane.
struct NodeGroups {
  std::size_t count;
  const std::int64_t* nodes;     // of each group
  std::vector<NodeLinks> links;  // per plane
};

// Numbers of ordered pairs of nodes farther apart than 0, 1, 2, ... hops, up to the last nonzero one; the distance is
// the minimum over planes and links. Their sum is the sum of all distances, their count the diameter, because a pair at
// distance d is counted for 0, ..., d - 1. The first node of a pair is in one of the sources, which are groups; pairs
// that no plane connects, such as a node without links and itself, are at the distance `far`.
std::vector<std::int64_t> pairs_beyond(const std::vector<Cables>& planes, const NodeGroups& groups,
                                       const std::int64_t* sources, std::size_t count, std::size_t far);

// The column that a switch looks up in its row: that of the target, or of the target's offset from the switch.
enum class RouteKey { kTable, kXor, kTorus };

inline constexpr std::uint16_t kNoRoute = 0xFFFE;  // instead of a port: no packet to the destination passes the switch

// Routes as data (isoplane.models.Routes), either next ports or whole paths.
struct RoutePlan {
  RouteKey key = RouteKey::kTable;
  std::vector<std::int64_t> shape;           // of a torus
  const std::int32_t* row = nullptr;         // of each switch
  std::size_t columns = 0;                   // of each row
  const std::uint16_t* next_port = nullptr;  // [rows][columns]
  const std::uint32_t* starts = nullptr;     // [rows * columns + 1]
  const std::uint16_t* path_ports = nullptr;
  const bool* carried = nullptr;  // [switches][columns] of a table: pairs that may take this plane; null: all
};

struct RoutedPlane {
  Cables cables;
  RoutePlan routes;
  const std::int32_t* label;  // of each switch; equivalent switches share one
};

// Links of ends of routes in a plane, like `NodeLinks`.
struct EndLinks {
  const std::int64_t* start;
  const std::int32_t* target;         // of each link: routing target
  const std::int32_t* target_switch;  // of each link: end switch of its routes
};

// Destinations: nodes of an end have the same routes from every switch in every plane.
struct Ends {
  std::size_t count;
  const std::int64_t* nodes;    // of each end
  std::vector<EndLinks> links;  // per plane
};

// Division of packets among ways; a way is a plane, a link of the sender and one of the receiver. Without weights the
// shortest ways of all planes share a packet evenly. With weights each plane with a way and a nonzero weight carries a
// proportional part, shared evenly by its own shortest ways.
struct PlanePolicy {
  std::vector<std::int64_t> weight;  // of each plane; empty: the nearest planes
};

// A route that does not lead to its destination.
struct BadRoute : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Packets divided into more parts than supported.
struct TooManyParts : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct LoadTask {
  std::vector<RoutedPlane> planes;
  NodeGroups groups;
  Ends ends;
  PlanePolicy policy;
};

// Least multiple of `parts` into which a packet is divided such that each of its ways to some ends carries whole parts.
// Throws BadRoute and TooManyParts.
std::int64_t packet_parts(const LoadTask& task, std::int64_t parts);

// Sums to add to, per plane; `sent` and `received` are empty if not required.
struct LoadSums {
  std::vector<std::int64_t*> link;      // [label][port]
  std::vector<std::int64_t*> sent;      // by link of the groups, all nodes of a group together
  std::vector<std::int64_t*> received;  // by link of the ends
};

// Adds the load of each link if every node sends a packet of `parts` units to every node of the ends; all shares
// must be integers. Throws BadRoute.
void add_loads(const LoadTask& task, std::int64_t parts, const LoadSums& sums);

}  // namespace isoplane
