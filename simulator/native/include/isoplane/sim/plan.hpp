// The simulated system as plain data: planes with their routes, links with their delays, switches, and packets.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "isoplane/routing_cache.hpp"

namespace isoplane::sim {

using Tick = std::int64_t;  // a flit takes one tick in the crossbar, `flit_ticks` ticks on a link

inline constexpr std::uint16_t kArrived = 0xFFFF;  // instead of a port: this is the destination
inline constexpr std::uint16_t kNoRoute = 0xFFFE;  // instead of a port: no packet to the destination passes the switch
inline constexpr int kMaxChannels = 16;
// The longest time to drain a full output; it determines the horizon of events.
inline constexpr Tick kMaxOutputTicks = 1 << 22;

enum class Group { kXor, kTorus, kTable };
enum class FlowControl { kStoreAndForward, kCutThrough, kWormhole };

// Selection of the way of a message: a way is a plane, a link of the source in it and a link of the destination.
enum class Policy {
  kNearest,   // the shortest ways of all planes, in turn
  kSpray,     // the planes that have a way, in turn, and their shortest ways
  kAdaptive,  // the way with the fewest flits to send at the source, among the shortest ways of each plane
  kShares,    // the planes that have a way, in proportion to their shares, and their shortest ways
  // As kNearest, unless that way has more than `spill_flits` flits to send at the source, and more than twice as many
  // as another one, which then takes its place.
  kSpill
};

// Selection of the path of a packet between two switches.
enum class PathSelection {
  kMinimal,
  kValiant,  // over a random region
  kUgal      // minimal, or over a random region, by the occupancy of the first links times the hops
};

// Routing of a plane, looked up by the row of a switch and a column. The column is the offset to the destination
// switch, or, in a table, the column of the destination node or of its switch.
struct RoutePlan {
  Group group = Group::kXor;
  std::vector<std::uint32_t> shape;        // of a torus, first coordinate fastest
  std::vector<std::int32_t> row;           // of every switch
  std::vector<std::uint32_t> column;       // of every node link; empty: one column per switch
  std::vector<std::uint16_t> next_port;    // [row][column], or empty; unused for nodes of the switch itself
  std::vector<std::uint32_t> path_starts;  // [row][column] + 1, if whole paths are given
  std::vector<std::uint16_t> path_ports;   // concatenated paths
  // Number of links between switches, [row][column], in a table [switch][column]; empty if not needed.
  std::vector<std::int32_t> hops;
  std::vector<std::int32_t> dimension;  // [switch][port]; empty: any channel may be used
  std::vector<std::uint8_t> dateline;   // [switch][port]
  int channel_classes = 1;
  int start_class = 0;  // before the first hop; -1 if every hop moves to the next class
  // A packet keeps its class on the way to a higher dimension, and enters the next class on the way to a lower one.
  bool ordered_dimensions = false;

  std::size_t rows() const { return row.empty() ? 0 : static_cast<std::size_t>(*std::ranges::max_element(row)) + 1; }
  std::size_t columns() const { return column.empty() ? row.size() : next_port.size() / rows(); }
};

// Routes of a plane to regions of switches, as in `Detours` of models/routing; empty if not needed.
struct DetourPlan {
  std::uint32_t regions = 0;
  std::vector<std::uint16_t> region;     // of every switch
  std::vector<std::uint16_t> next_port;  // [switch][region], unused inside the region
  std::vector<std::uint32_t> entry;      // [switch][region]: first switch of the region on the route to it
  std::vector<std::uint16_t> hops;       // [switch][region]: number of links to that switch
};

struct PlanePlan {
  std::uint32_t switches = 0;
  std::uint32_t ports = 0;
  std::vector<std::int32_t> peer;          // [switch][port]: switch at the other end, or -1
  std::vector<std::int32_t> peer_port;     // [switch][port]
  std::vector<std::int32_t> cable;         // [switch][port]: delay in ticks
  std::vector<std::uint32_t> node_switch;  // [node link]: the switch at its other end, by node
  RoutePlan routes;
  DetourPlan detours;
  // Individual values for links, switches and nodes; empty: the common value of the plan.
  std::vector<std::int32_t> flit_ticks;       // [switch][port]: ticks for a flit
  std::vector<std::int32_t> switch_delay;     // [switch]
  std::vector<std::uint32_t> node_start;      // [node + 1]: its first node link; empty: one per node
  std::vector<std::int32_t> node_cable;       // [node link]
  std::vector<std::int32_t> node_flit_ticks;  // [node link]

  std::uint32_t nodes() const {
    return static_cast<std::uint32_t>(node_start.empty() ? node_switch.size() : node_start.size() - 1);
  }
  std::uint32_t first_link(std::uint32_t node) const { return node_start.empty() ? node : node_start[node]; }
  std::uint32_t links(std::uint32_t node) const { return first_link(node + 1) - first_link(node); }
  bool has_choice() const;  // whether a node has several links
};

// What the caches hold at the start.
enum class CacheStart {
  kCold,     // nothing
  kWarm,     // all destinations that can pass their port passed it before, in ascending order
  kExchange  // each node sent to the node i further, for i = 1, 2, ...
};

// Look-ups of heads in the routing tables of switches. The switch delay includes a hit in the cache of the input port;
// without caches, the look-up in the table.
struct LookUpPlan {
  bool cached = false;
  CacheShape cache;  // of each input port
  CacheStart start = CacheStart::kWarm;
  Tick miss_delay = 0;      // what a miss adds to the switch delay
  Tick table_interval = 0;  // least time between two look-ups in the table of a switch; 0: no limit

  bool counted() const { return cached || table_interval != 0; }
};

struct Plan {
  std::vector<PlanePlan> planes;
  Policy policy = Policy::kNearest;
  std::vector<std::uint32_t> shares;  // by plane, for kShares
  bool direct = false;                // node i contains switch i, its only switch
  Tick node_cable = 0;                // delay between a node and its switch
  Tick switch_delay = 0;              // from the first bit of a flit in to its first bit out
  Tick routing_delay = 0;             // the part of the switch delay that only heads need, at the front of their queue
  LookUpPlan look_ups;
  Tick flit_ticks = 2;            // flit time on a link of the default rate: the crossbar speed-up
  int channels = 4;               // virtual channels per link
  std::int64_t buffer_flits = 8;  // input buffer per virtual channel, in flits
  std::int64_t output_flits = 8;  // output buffer, in flits
  FlowControl flow_control = FlowControl::kCutThrough;
  std::int64_t flit_bits = 256;
  std::int64_t header_bits = 0;      // per packet
  std::int64_t payload_bits = 2048;  // maximum per packet
  bool padded = true;                // all packets have the maximum size
  bool shorter_queue = false;        // decides a tie between planes; otherwise they take turns
  std::int64_t spill_flits = 0;      // for kSpill
  PathSelection path_selection = PathSelection::kMinimal;
  std::int64_t ugal_bias = 0;    // in flits times hops; in favour of minimal paths
  bool drop_deadlocked = false;  // otherwise a deadlock ends the run
  Tick deadlock_interval = 0;    // ticks between deadlock checks; 0: none

  std::int64_t packet_flits() const { return (header_bits + payload_bits + flit_bits - 1) / flit_bits; }
  std::uint32_t nodes() const { return planes.front().nodes(); }
  // Whether every pair of nodes has a single way, so that no choice is needed.
  bool single_way() const { return planes.size() == 1 && planes.front().node_start.empty(); }
  // Whether the choice of ways depends on the flits that wait for each link of a source.
  bool counts_backlogs() const { return policy == Policy::kAdaptive || policy == Policy::kSpill; }
  // Whether the choice of ways depends on the route lengths of a plane.
  bool needs_hops(const PlanePlan& plane) const;
  Tick cable(const PlanePlan& plane, std::size_t link) const {
    return plane.node_cable.empty() ? node_cable : plane.node_cable[link];
  }
  Tick switch_delay_of(const PlanePlan& plane, std::uint32_t at) const {
    return plane.switch_delay.empty() ? switch_delay : plane.switch_delay[at];
  }
  // The part of a switch delay that only heads need.
  Tick routing_delay_of(const PlanePlan& plane, std::uint32_t at) const {
    return std::min(routing_delay, switch_delay_of(plane, at) - flit_ticks);
  }

  // Throws std::invalid_argument if the values are inconsistent.
  void check() const;
};

}  // namespace isoplane::sim
