// Simulated annealing over circuits and placements of a hybrid network, judged by the fluid model: one walk.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "isoplane/hybrid_judge.hpp"
#include "isoplane/legs.hpp"
#include "isoplane/random.hpp"
#include "isoplane/state.hpp"

namespace isoplane {

struct CircuitAnnealing {
  double coolest, hottest;  // temperatures at which legs begin, relative to the start of the walk
  double fall;              // a leg ends at its temperature divided by this
  std::int64_t first_leg;   // evaluations
  double growth;            // legs are longer by this factor, one after the other
};

class CircuitWalk {
 public:
  using Settings = CircuitAnnealing;
  using Score = std::vector<std::int64_t>;

  CircuitWalk(std::shared_ptr<const HybridTask> task, Settings settings, std::uint64_t seed, std::uint64_t stream,
              const HybridCandidate& start);
  CircuitWalk(std::shared_ptr<const HybridTask> task, Settings settings, const State& saved);

  void run(std::int64_t evaluations);
  State state() const;
  std::vector<HybridCandidate> designs() const { return {best_.candidate()}; }
  void offer(const HybridCandidate& candidate);
  std::int64_t evaluations() const { return evaluations_; }

 private:
  CircuitWalk(std::shared_ptr<const HybridTask> task, Settings settings, StateReader&& reader);
  template <class Record, class Self>
  static void transfer(Record& record, Self& walk);
  void enter(HybridDesign design);
  void begin_leg();
  double energy(const Score& score) const;  // of the design that was judged last
  double temperature() const;
  double uniform();
  std::uint32_t group(std::uint32_t node) const { return node / judge_.task().plan.nodes_per_group; }

  // Each changes `next_` and says whether it could.
  bool propose();
  bool move_end();
  bool cross_two();
  bool rewire();
  bool add();
  bool remove();
  bool join_message();
  bool exchange_processes();
  bool restock();
  void drop_between(std::uint32_t one, std::uint32_t other);
  std::uint32_t free_node(std::uint32_t group);
  std::uint32_t free_ports(std::uint32_t node) const;
  bool connected(std::uint32_t a, std::uint32_t b) const;  // by a circuit

  HybridJudge judge_;
  Settings settings_;
  Random random_;
  std::int64_t evaluations_ = 0;
  std::vector<double> scale_;  // of each component in the energy, and of the crowding
  HybridDesign current_, best_, next_;
  double energy_ = 0;
  Score best_score_, best_first_;  // and what the first run alone says of it
  Legs legs_;
  double leg_heat_ = 0;
};

}  // namespace isoplane
