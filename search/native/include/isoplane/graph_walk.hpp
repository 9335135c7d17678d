// Simulated annealing over regular graphs, plain or with the symmetries of a group: one walk.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "isoplane/graph_distances.hpp"
#include "isoplane/halving_passes.hpp"
#include "isoplane/random.hpp"
#include "isoplane/state.hpp"
#include "isoplane/tracked_distances.hpp"
#include "isoplane/voltage_graph.hpp"
#include "isoplane/walk.hpp"

namespace isoplane {

// What is searched; immutable.
struct GraphTask {
  std::uint32_t vertices, degree;
  std::vector<Group> groups;  // each of an order that divides the number of vertices; the first one of order 1
  bool diameter_first;        // whether the diameter is minimised before the sum of distances

  void check() const;  // throws std::invalid_argument
};

struct GraphAnnealing {
  double hottest;          // temperature at the beginning of a cycle, relative to the mean change of a move
  double coolest;          // and at its end, in hops between a representative of each orbit and all vertices
  std::int64_t first_leg;  // evaluations of the first cycles
  double growth;           // factor by which cycles grow from a pass over the groups to the next
};

// An epoch draws some of the groups. A pass runs a cooling cycle for each that is left, and then leaves the better half
// of them (successive halving); once one is left, it has some more passes, and the next epoch begins, with longer
// cycles. Every second cycle of a group begins at random, the others go on from its best graph.
class GraphWalk : public Walk {
 public:
  using Settings = GraphAnnealing;
  using Ends = Words;  // both ends of each edge

  // `start` is a simple connected graph: the best one so far, and where the group of order 1 begins.
  GraphWalk(std::shared_ptr<const GraphTask> task, Settings settings, std::uint64_t seed, std::uint64_t stream,
            const Ends& start);
  // Throws std::invalid_argument for a damaged state.
  GraphWalk(std::shared_ptr<const GraphTask> task, Settings settings, const State& saved);

  void run(std::int64_t evaluations) override;
  State state() const override;
  std::vector<Ends> designs() const override;
  void offer(const Ends& graph) override;

 private:
  using Joints = std::vector<std::uint64_t>;  // mate and voltage of each stub
  struct Arm {
    std::uint64_t group = 0;  // its number
    std::int64_t cost = 0;    // of its best graph, of all vertices
    Joints best;
  };
  template <class Archive, class Self>
  static void serialise(Archive& archive, Self& walk);
  void begin_epoch();
  void end_cycle();
  void begin_cycle();
  void enter(std::uint64_t group, const Joints& joints);
  Joints random_joints(const Group& group);
  VoltageGraph paired_at_random(const Group& group);
  VoltageGraph graph_of(std::uint64_t group, const Joints& joints) const;
  VoltageGraph plain_graph(const Ends& ends) const;
  bool is_better(std::int64_t hops, std::int64_t diameter) const;  // than the best graph
  void step();
  DistanceSums evaluated(std::int64_t limit);
  void track(const DistanceSums& sums);
  void keep(const DistanceSums& sums);
  std::int64_t cost(const DistanceSums& sums) const;

  std::shared_ptr<const GraphTask> task_;
  Settings settings_;
  Random random_;
  HalvingPasses passes_;            // over the groups
  std::int64_t cost_ = 0;           // of the current graph
  Arm best_;                        // the best graph of all; its cost is the sum of distances
  std::int64_t best_diameter_ = 0;  // of that graph
  std::vector<Arm> arms_;           // in the order of their turns
  std::optional<VoltageGraph> graph_;
  std::optional<GraphDistances> distances_;
  std::optional<TrackedDistances> tracked_;  // those of the current graph, where that pays
  GraphMove move_;
};

}  // namespace isoplane
