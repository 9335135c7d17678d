// Hybrid networks: times of a workload for given circuits and placement.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "isoplane/fluid.hpp"
#include "isoplane/packet_ways.hpp"
#include "isoplane/transfer_runs.hpp"

namespace isoplane {

enum class Relay { kMessages, kPackets };  // whether a node forwards whole messages or packets

// Integer units of the fluid model. See `Transfers` for their ranges.
struct FluidUnits {
  double node_rate = 0, up_rate = 0, circuit_rate = 0;  // units of volume per tick; 0: no completion times
  double inside_delay = 0, between_delay = 0,
         circuit_delay = 0;                       // of segments: in a group, over the packet network, over a circuit
  std::uint32_t ticks_log2 = 0, volume_log2 = 0;  // ticks per ns, units of volume per bit

  // Sets all fields, in the order of their declaration.
  static FluidUnits of(const std::array<double, 8>& n) {
    return {n[0], n[1], n[2], n[3], n[4], n[5], static_cast<std::uint32_t>(n[6]), static_cast<std::uint32_t>(n[7])};
  }
};

// The network and the workload; nodes are numbered group by group, and only a placement assigns processes to them.
struct HybridPlan {
  std::uint32_t groups = 2, nodes_per_group = 1;
  double node_rate = 0, up_rate = 0, circuit_rate = 0;  // bits per ns
  std::int64_t inside_cost = 1, circuit_cost = 1;       // routing costs of a segment in a group and of a circuit
  FluidUnits units;
  Relay relay = Relay::kMessages;
  std::vector<std::uint32_t> source, destination;  // processes, by message
  std::vector<double> bits;
  std::vector<std::uint32_t> wait_start, wait;  // dependencies of each message
  std::shared_ptr<const PacketWays> packet;     // null: a tree of edge switches, one per group, under a root switch
  std::vector<double> begin_delay;  // of each message, after its dependencies, in ticks; empty: none has any

  std::uint32_t nodes() const { return groups * nodes_per_group; }
  // Links of the packet network.
  std::uint32_t links() const {
    return packet ? static_cast<std::uint32_t>(packet->rate.size()) : 2 * (nodes() + groups);
  }
  void check() const;  // throws std::invalid_argument if the fields are inconsistent
};

// Times of a workload on a design.
struct HybridTimes {
  double bottleneck_ns = 0;  // busy time of the busiest resource
  double total_ns = 0;       // sum of the busy times of all resources
  double crowding_ns = 0;    // 8-norm of the busy times: decreases as fewer resources are as busy as the busiest
  std::int64_t hops = 0;     // segments of all messages
};

class HybridModel {
 public:
  using Circuits = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

  explicit HybridModel(HybridPlan plan);

  // `node_of`: the node of every process, each node once; circuits between nodes of different groups.
  HybridTimes loads(const Circuits& circuits, const std::vector<std::uint32_t>& node_of);

  // Sum, over the levels of dependencies, of the busy time of the busiest resource of the level, for the design of the
  // last `loads` call. A message is one level above the highest of those that it depends on.
  double synchronised_ns();

  // All runs of the fluid model for the design of the last `loads` call.
  Completion completion();
  // A single run. Run 0, which a search evaluates first, is computed once per design.
  std::int64_t run_ns(std::uint32_t run) { return nearest_ns(ticks_of_run(run)); }
  // The median of all runs if it is at most the limit; else some value above the limit, from as few runs as possible.
  std::int64_t median_ns(std::int64_t limit);
  // Arrival time of each message, in the first run whose time in ns equals the median.
  std::vector<double> arrivals_ns();

  // Bits over each resource in the last design. Resources are the links of the packet network: in the tree the
  // outgoing, then the incoming links of nodes, the uplinks, then the downlinks of all groups; else those of
  // `PacketWays`. Then follow both directions of each circuit, from the first node of its pair and to it.
  const std::vector<double>& resource_bits() const { return resource_bits_; }
  const std::vector<double>& capacity() const { return capacity_; }
  // Nodes on the route of each message in the last design, concatenated.
  const std::vector<std::uint32_t>& route_starts() const { return route_start_; }
  const std::vector<std::uint32_t>& route_nodes() const { return route_node_; }

 private:
  struct CircuitEnd {
    std::uint32_t node, circuit;  // far end; resource from here to there
  };
  // A way of a message over a segment: the links of its bits up to `end`, from the end of the way before it.
  struct Way {
    double end;
    double delay;
    const std::uint32_t *first, *last;
  };
  static constexpr std::int64_t kFar = std::int64_t{1} << 60;

  double ticks_of_run(std::uint32_t run);
  double compute_run(std::uint32_t run, std::vector<double>* arrival_ticks);
  std::int64_t nearest_ns(double ticks) const { return isoplane::nearest_ns(ticks, plan_.units.ticks_log2); }
  double crowding(double bottleneck_ns) const;
  void set_circuits(const Circuits& circuits);
  void set_costs(std::uint32_t destination);
  void set_group_costs(std::uint32_t destination_group);
  void exchange();
  void advertise(std::uint32_t node);
  void lower(std::uint32_t node, std::int64_t cost);
  void route(std::uint32_t message, std::uint32_t source, std::uint32_t destination);
  std::uint32_t next_node(std::uint32_t node, std::uint32_t destination) const;
  void set_levels();
  void add_transfers();
  void add_stages(std::uint32_t message);
  void add_stage(double bits);
  void add_dependencies();
  // `conversation` identifies the source and destination of the message.
  void add_segment(std::uint32_t from, std::uint32_t to, std::uint32_t conversation, double bits);
  void add_way(std::initializer_list<std::uint32_t> links, double delay, double bits);
  std::uint32_t group(std::uint32_t node) const { return group_[node]; }

  HybridPlan plan_;
  std::vector<std::uint32_t> group_;
  std::vector<std::uint32_t> successor_start_, successor_;  // of messages
  std::vector<std::uint32_t> level_start_, by_level_;       // messages by level, once they are known
  std::vector<std::vector<CircuitEnd>> circuits_of_;        // circuits of every node, by ascending far end
  std::vector<std::uint32_t> owners_, owner_start_;         // nodes with circuits, ascending; offset of each group
  std::vector<std::int64_t> cost_, min_cost_;               // to the destination: from nodes, and the minimum per group
  std::vector<std::int64_t> common_cost_, common_min_cost_;  // the same, without circuits of the destination itself
  std::uint32_t costs_group_ = 0;                            // the group for whose destinations they are valid
  std::vector<std::uint32_t> changed_;                       // nodes whose new costs have not been advertised
  std::vector<std::vector<std::uint32_t>> routes_;           // by message: nodes
  std::vector<std::uint32_t> order_, route_start_, route_node_;
  // A message is sent in stages, each of one or more transfers that begin together: its parts.
  std::vector<std::uint32_t> first_stage_;  // of each message; then the number of stages
  std::vector<std::uint32_t> stage_start_;  // first transfer of each stage; then the number of transfers
  std::vector<std::uint32_t> tree_link_;    // links of the ways of a stage that are not those of `PacketWays`
  std::vector<Way> way_;                    // ways of all segments of a stage
  std::vector<std::size_t> segment_start_;  // first way of each of these segments; then the number of ways
  Transfers transfers_;
  Fluid fluid_;
  std::optional<double> first_run_ticks_;  // of the last design, if computed
  std::vector<double> capacity_;           // of each resource, in bits per ns
  std::vector<double> resource_bits_;
  std::vector<double> level_bits_;         // over each resource in one level; 0 between levels
  std::vector<std::uint32_t> level_used_;  // resources of the level
};

}  // namespace isoplane
