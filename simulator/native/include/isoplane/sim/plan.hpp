// What is simulated, as plain data: planes with their routes, links with their delays, switches, and packets.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace isoplane::sim {

using Tick = std::int64_t;  // the crossbar needs one for a flit, a link its interval

inline constexpr std::uint16_t kArrived = 0xFFFF;  // in place of a port: here is the destination
inline constexpr int kMaxChannels = 16;
inline constexpr Tick kMostTicksOfOutput = 1 << 22;  // of a full output on its way: events are planned so far ahead

enum class Group { kXor, kTorus, kTable };
enum class FlowControl { kStoreAndForward, kCutThrough, kWormhole };

// Which way a message takes: a way is a plane, a link of the source in it and a link of the destination.
enum class Policy {
  kNearest,   // the shortest ways of all planes, in turn
  kSpray,     // planes that have a way, in turn, and in each its shortest ways
  kAdaptive,  // of the shortest ways of each plane the one with the fewest flits to send at the source
  kShares     // planes that have a way, in proportion to their shares, and in each its shortest ways
};

// Routing of a plane: what follows from the row of a switch and a column. That is the offset to the destination switch,
// or, of a table, the column of the destination node: of its own, or of its switch.
struct RoutePlan {
  Group group = Group::kXor;
  std::vector<std::uint32_t> shape;        // of a torus, first coordinate fastest
  std::vector<std::int32_t> row;           // of every switch
  std::vector<std::uint32_t> column;       // of every node link, or empty: there is a column for each switch
  std::vector<std::uint16_t> next_port;    // [row][column], or empty; those for nodes of a switch itself do not count
  std::vector<std::uint32_t> path_starts;  // [row][column] + 1, where whole paths are given
  std::vector<std::uint16_t> path_ports;   // all paths, one after the other
  // Links between switches, [row][column], of a table [switch][column]; empty where lengths decide nothing.
  std::vector<std::int32_t> hops;
  std::vector<std::int32_t> dimension;  // [port], or empty: any channel may be used
  std::vector<std::uint8_t> dateline;   // [switch][port]
  int channel_classes = 1;
  int start_class = 0;  // before the first hop; -1 where every hop leads to the next class

  std::size_t rows() const { return row.empty() ? 0 : static_cast<std::size_t>(*std::ranges::max_element(row)) + 1; }
  std::size_t columns() const { return column.empty() ? row.size() : next_port.size() / rows(); }
};

struct PlanePlan {
  std::uint32_t switches = 0;
  std::uint32_t ports = 0;
  std::vector<std::int32_t> peer;          // [switch][port]: switch at the other end, or -1
  std::vector<std::int32_t> peer_port;     // [switch][port]
  std::vector<std::int32_t> cable;         // [switch][port]: delay in ticks
  std::vector<std::uint32_t> node_switch;  // [node link]: the switch at its other end, by node
  RoutePlan routes;
  // Where links, switches or nodes differ; what is empty is as the plan has it for all.
  std::vector<std::int32_t> interval;       // [switch][port]: ticks for a flit
  std::vector<std::int32_t> switch_delay;   // [switch]
  std::vector<std::uint32_t> node_start;    // [node + 1]: where its node links begin; empty: each has one
  std::vector<std::int32_t> node_cable;     // [node link]
  std::vector<std::int32_t> node_interval;  // [node link]

  std::uint32_t nodes() const {
    return static_cast<std::uint32_t>(node_start.empty() ? node_switch.size() : node_start.size() - 1);
  }
  std::uint32_t first_link(std::uint32_t node) const { return node_start.empty() ? node : node_start[node]; }
  std::uint32_t links(std::uint32_t node) const { return first_link(node + 1) - first_link(node); }
  bool has_choice() const;  // whether some node has several links
};

struct Plan {
  std::vector<PlanePlan> planes;
  Policy policy = Policy::kNearest;
  std::vector<std::uint32_t> shares;  // of every plane, of kShares
  bool direct = false;                // switch i is part of node i, its only one
  Tick node_cable = 0;                // between a node and its switch
  Tick switch_delay = 0;              // first bit of a flit in, to its first bit out
  Tick routing_delay = 0;   // the part of it that only heads need, in front of their queue; bodies keep up with them
  Tick interval = 2;        // of flits on a link of the hardware's rate: the speed-up of the crossbar
  int channels = 4;         // virtual channels of every link
  std::int64_t buffer = 8;  // flits that each virtual channel of an input holds
  std::int64_t output = 8;  // flits that an output holds
  FlowControl flow = FlowControl::kCutThrough;
  std::int64_t flit_bits = 256;
  std::int64_t header_bits = 0;      // of every packet
  std::int64_t payload_bits = 2048;  // at most, of every packet
  bool padded = true;                // every packet is as long as the longest
  bool shorter_queue = false;        // which plane a packet takes on a tie; else the planes take turns
  bool drop_deadlocked = false;      // or else end the run
  Tick deadlock_interval = 0;        // how often deadlocks are looked for; 0: never

  std::int64_t packet_flits() const { return (header_bits + payload_bits + flit_bits - 1) / flit_bits; }
  std::uint32_t nodes() const { return planes.front().nodes(); }
  // Whether packets from a node to another have one way only, the same for all nodes: none needs to be chosen.
  bool single_way() const { return planes.size() == 1 && planes.front().node_start.empty(); }
  // Whether the lengths of the routes of a plane decide between ways.
  bool needs_hops(const PlanePlan& plane) const;
  Tick cable(const PlanePlan& plane, std::size_t link) const {
    return plane.node_cable.empty() ? node_cable : plane.node_cable[link];
  }
  Tick switch_delay_of(const PlanePlan& plane, std::uint32_t at) const {
    return plane.switch_delay.empty() ? switch_delay : plane.switch_delay[at];
  }
  // The part of the delay of a switch that only heads need.
  Tick routing_delay_of(const PlanePlan& plane, std::uint32_t at) const {
    return std::min(routing_delay, switch_delay_of(plane, at) - interval);
  }

  // Throws std::invalid_argument where the numbers do not fit together.
  void check() const;
};

}  // namespace isoplane::sim
