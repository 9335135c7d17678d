// Hybrid networks: from circuits and a placement to the time of a workload.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "isoplane/fluid.hpp"
#include "isoplane/transfer_runs.hpp"

namespace isoplane {

enum class Relay { kMessages, kPackets };  // whether a node sends on what it has whole, or packet by packet

// What the fluid model computes with: whole numbers. See `Transfers` for their ranges.
struct FluidUnits {
  double node_rate = 0, up_rate = 0, circuit_rate = 0;  // units of volume in a tick; 0: nobody asks for completions
  double inside = 0, between = 0, circuit = 0;          // delays of a leg: inside, by the packet network, by circuit
  std::uint32_t ticks_log2 = 0, volume_log2 = 0;        // ticks in a ns, units of volume in a bit

  // All in this order.
  static FluidUnits of(const std::array<double, 8>& n) {
    return {n[0], n[1], n[2], n[3], n[4], n[5], static_cast<std::uint32_t>(n[6]), static_cast<std::uint32_t>(n[7])};
  }
};

// The network and the workload; nodes are numbered group by group, processes by node only through a placement.
struct HybridPlan {
  std::uint32_t groups = 2, nodes_per_group = 1;
  double node_rate = 0, up_rate = 0, circuit_rate = 0;  // bits per ns
  std::int64_t inside_cost = 1, circuit_cost = 1;       // of a leg in a group and of a circuit, for the routes
  FluidUnits units;
  Relay relay = Relay::kMessages;
  std::vector<std::uint32_t> source, destination;  // processes, by message
  std::vector<double> bits;
  std::vector<std::uint32_t> wait_start, wait;  // messages that each message waits for

  std::uint32_t nodes() const { return groups * nodes_per_group; }
  void check() const;  // throws std::invalid_argument where the numbers do not fit together
};

// What a design does to a workload.
struct HybridTimes {
  double bottleneck_ns = 0;  // the busiest resource alone
  double total_ns = 0;       // all resources, one after the other
  double crowding_ns = 0;    // the 8-norm of all resources: falls as fewer of them are busy for as long as the busiest
  std::int64_t hops = 0;     // legs of all messages
};

class HybridModel {
 public:
  using Circuits = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

  explicit HybridModel(HybridPlan plan);

  // `node_of`: the node of every process, each node once; circuits between nodes of different groups.
  HybridTimes loads(const Circuits& circuits, const std::vector<std::uint32_t>& node_of);

  // The fluid model, for the design of the last call: all runs.
  Completion completion();
  // One of them. Run 0, at which a search looks first, is computed once for a design, whoever needs it.
  std::int64_t run_ns(std::uint32_t run) { return nearest_ns(ticks_of_run(run)); }
  // The median of all runs if it is at most this; else some number above it, from as few runs as tell so.
  std::int64_t median_ns(std::int64_t most);
  // When each message has arrived, in the first run that takes as many ns as the median.
  std::vector<double> arrivals_ns();

  // Of the last design: bits over every resource. Resources are the links of nodes out, then in; the links up, then
  // down, of all groups; then both directions of every circuit, from the first node of its pair and to it.
  const std::vector<double>& resource_bits() const { return resource_bits_; }
  const std::vector<double>& capacity() const { return capacity_; }
  // The nodes that each message visits, one list after the other, of the last design.
  const std::vector<std::uint32_t>& route_starts() const { return leg_start_; }
  const std::vector<std::uint32_t>& route_nodes() const { return leg_node_; }

 private:
  struct Way {
    std::uint32_t node, circuit;  // far end; resource
  };
  static constexpr std::int64_t kFar = std::int64_t{1} << 60;

  double ticks_of_run(std::uint32_t run);
  double compute_run(std::uint32_t run, std::vector<double>* over);
  std::int64_t nearest_ns(double ticks) const { return isoplane::nearest_ns(ticks, plan_.units.ticks_log2); }
  double crowding(double bottleneck_ns) const;
  void set_circuits(const Circuits& circuits);
  void set_costs(std::uint32_t destination);
  void set_group_costs(std::uint32_t home);
  void exchange();
  void tell(std::uint32_t node);
  void lower(std::uint32_t node, std::int64_t cost);
  void route(std::uint32_t message, std::uint32_t source, std::uint32_t destination);
  std::uint32_t next_node(std::uint32_t node, std::uint32_t destination) const;
  void add_transfers();
  void add_leg(std::uint32_t from, std::uint32_t to, std::uint32_t conversation);  // of source and destination
  std::uint32_t group(std::uint32_t node) const { return group_[node]; }

  HybridPlan plan_;
  std::vector<std::uint32_t> group_;
  std::vector<std::uint32_t> successor_start_, successor_;  // of messages
  std::vector<std::vector<Way>> ways_;                      // circuits of every node, by ascending far end
  std::vector<std::uint32_t> owners_, owner_start_;         // nodes with circuits, ascending; where each group begins
  std::vector<std::int64_t> cost_, hub_cost_;               // to the destination: from nodes, and least of each group
  std::vector<std::int64_t> group_cost_, group_hub_cost_;   // the same, without circuits of the destination itself
  std::uint32_t costs_home_ = 0;                            // the group of destinations that those are for
  std::vector<std::uint32_t> changed_;                      // nodes whose costs others may not know yet
  std::vector<std::vector<std::uint32_t>> routes_;          // by message: nodes
  std::vector<std::uint32_t> order_, leg_start_, leg_node_;
  std::vector<std::uint32_t> first_;  // by message: its first transfer; and how many there are
  Transfers transfers_;
  Fluid fluid_;
  std::optional<double> first_run_ticks_;  // of the last design, once it is known
  std::vector<double> capacity_;           // of every resource, in bits per ns
  std::vector<double> resource_bits_;
};

}  // namespace isoplane
