// Simulated annealing over circuits and placements of a hybrid network, evaluated by the fluid model: one walk.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "isoplane/hybrid_evaluator.hpp"
#include "isoplane/cooling_cycles.hpp"
#include "isoplane/random.hpp"
#include "isoplane/state.hpp"
#include "isoplane/walk.hpp"

namespace isoplane {

struct CircuitAnnealing {
  double coolest, hottest;  // range of initial temperatures of cycles, relative to the score of the initial design
  double fall;              // ratio of the initial to the final temperature of a cycle
  std::int64_t first_leg;   // evaluations of the first cycle
  double growth;            // factor by which each cycle is longer than the last
};

class CircuitWalk : public Walk {
 public:
  using Settings = CircuitAnnealing;
  using Score = std::vector<std::int64_t>;

  CircuitWalk(std::shared_ptr<const HybridTask> task, Settings settings, std::uint64_t seed, std::uint64_t stream,
              const HybridCandidate& start);
  CircuitWalk(std::shared_ptr<const HybridTask> task, Settings settings, const State& saved);

  void run(std::int64_t evaluations) override;
  State state() const override;
  std::vector<HybridCandidate> designs() const override { return {best_.candidate()}; }
  void offer(const HybridCandidate& candidate) override;

 private:
  CircuitWalk(std::shared_ptr<const HybridTask> task, Settings settings, StateReader&& reader);
  template <class Archive, class Self>
  static void serialise(Archive& archive, Self& walk);
  void enter(HybridDesign design);
  void begin_cycle();
  double energy(const Score& score) const;  // of the design evaluated last
  double temperature() const;
  std::uint32_t group(std::uint32_t node) const { return node / evaluator_.task().plan.nodes_per_group; }

  // Each move changes `next_`; false if it is impossible.
  bool propose();
  bool move_end();
  bool cross_two();
  bool rewire();
  bool add();
  bool remove();
  bool join_message();
  bool exchange_processes();
  bool reassign_group_pair();
  void drop_between(std::uint32_t one, std::uint32_t other);
  std::uint32_t free_node(std::uint32_t group);
  std::uint32_t free_ports(std::uint32_t node) const;
  bool connected(std::uint32_t a, std::uint32_t b) const;  // by a circuit

  HybridEvaluator evaluator_;
  Settings settings_;
  Random random_;
  std::vector<double> scale_;  // of each score component in the energy, and of the crowding
  HybridDesign current_, best_, next_;
  double energy_ = 0;
  Score best_score_, best_first_run_;  // score of the best design, and its times in the first run
  CoolingCycles cycles_;
  double cycle_temperature_ = 0;  // initial temperature of the cycle
};

}  // namespace isoplane
