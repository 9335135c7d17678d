// Simulated annealing over host graphs, of some numbers of switches: one walk.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "isoplane/host_distances.hpp"
#include "isoplane/host_graph.hpp"
#include "isoplane/halving_passes.hpp"
#include "isoplane/random.hpp"
#include "isoplane/state.hpp"
#include "isoplane/walk.hpp"

namespace isoplane {

// What is searched; immutable.
struct HostTask {
  std::uint32_t hosts, ports, planes;
  std::uint32_t cables;              // most cables of a plane
  bool moves_hosts;                  // else they stay spread evenly
  std::vector<std::uint32_t> sizes;  // numbers of switches, ascending

  void check() const;  // throws std::invalid_argument
};

struct HostAnnealing {
  double hottest;          // temperature at the beginning of a cycle, relative to the mean change of a move
  double coolest;          // and at its end, in hops between all hosts of two switches
  std::int64_t first_leg;  // evaluations of the first cycles
  double growth;           // factor by which cycles grow from a pass over the sizes to the next
};

// An epoch has some of the sizes, spread over all at first, then those around the best one. A pass runs a cooling cycle
// for each that is left, and then leaves the better half of them (successive halving); once one is left, it has some
// more passes, and the next epoch begins, with longer cycles. Every second cycle of a size goes on from its best graph,
// the others begin with hosts spread evenly and random cables.
class HostWalk : public Walk {
 public:
  using Settings = HostAnnealing;

  // `start` is a connected graph, the first that is offered; or empty.
  HostWalk(std::shared_ptr<const HostTask> task, Settings settings, std::uint64_t seed, std::uint64_t stream,
           const Words& start);
  // Throws std::invalid_argument for a damaged state.
  HostWalk(std::shared_ptr<const HostTask> task, Settings settings, const State& saved);

  void run(std::int64_t evaluations) override;
  State state() const override;
  std::vector<Words> designs() const override { return {best_.best}; }  // empty before the first connected graph
  // Joins free ports of a graph, which is then the best one so far, if it is, and where its size begins. One with fewer
  // switches than all sizes is grown to the least of them.
  void offer(const Words& graph) override;

 private:
  struct Arm {
    std::int64_t cost = 0;  // of its best graph
    Words best;             // empty before its first cycle
    std::uint64_t size = 0;
  };
  template <class Archive, class Self>
  static void serialise(Archive& archive, Self& walk);
  void begin_epoch();
  void begin_cycle();
  void end_cycle();
  void enter(HostGraph graph);
  HostGraph read(const Words& words) const;
  HostGraph random_graph(std::uint32_t switches);
  HostGraph grown(HostGraph graph, std::uint64_t switches);
  void add_twin(HostGraph& graph);
  bool fill(HostGraph& graph);
  void step();
  void keep();

  std::shared_ptr<const HostTask> task_;
  Settings settings_;
  Random random_;
  HalvingPasses passes_;   // over the sizes
  std::int64_t cost_ = 0;  // of the current graph
  Arm best_;               // the best graph of all
  std::vector<Arm> arms_;  // in the order of their turns
  std::optional<HostGraph> graph_;
  HostDistances distances_;
  HostMove move_;
};

}  // namespace isoplane
