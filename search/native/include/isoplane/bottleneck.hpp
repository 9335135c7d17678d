// Local search for circuits that minimise the bottleneck time of a hybrid network.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "isoplane/busy_times.hpp"
#include "isoplane/hybrid.hpp"
#include "isoplane/random.hpp"
#include "isoplane/state.hpp"

namespace isoplane {

// Simulated annealing. The energy is the sum of the 8th powers of busy times relative to the shortest bottleneck time
// so far, or for odd streams that of the 24th powers: low powers favour few busy links, high ones a short bottleneck.
// With a limit, it is the total of busy times, and designs above the limit are rejected. Half of the moves begin at a
// busiest link.
class BottleneckSearch {
 public:
  using Circuits = HybridModel::Circuits;
  enum class Grain { kExact, kWholeNs };  // precision of the times that rank circuits

  // The sources and destinations of the plan are nodes.
  BottleneckSearch(HybridPlan plan, std::uint32_t ports, std::uint32_t max_circuits, std::uint64_t seed,
                   std::uint64_t stream, Grain grain = Grain::kExact);

  BottleneckSearch(const BottleneckSearch&) = delete;  // its busy times refer to its plan
  BottleneckSearch& operator=(const BottleneckSearch&) = delete;

  // Restarts. With a limit (in ns, above 0) the total time is minimised.
  void begin(const Circuits& start, double limit_ns);
  // Continues from other circuits, which replace the best ones only if they are better. Both throw
  // std::invalid_argument if the network cannot set them up.
  void enter(const Circuits& circuits);
  void enter_best() { enter(best_); }
  // Continues from other circuits only if they are better than the best ones.
  void offer(const Circuits& circuits);
  // Evaluates the neighbours from .. to - 1 of a cooling schedule of `schedule` evaluations.
  void step(std::uint64_t from, std::uint64_t to, std::uint64_t schedule);

  const Circuits& best() const { return best_; }
  double bottleneck_ns() const { return best_bottleneck_; }
  double total_ns() const { return best_total_; }

  // The complete state, for a search without a limit.
  void put_state(StateWriter& writer) const;
  void take_state(StateReader& reader);

 private:
  bool move();
  bool add();
  bool drop();
  bool redirect();
  bool exchange();
  void put(std::size_t place, std::uint32_t a, std::uint32_t b);
  std::uint32_t any_circuit();
  std::uint32_t busy_node();
  bool allowed(std::uint32_t a, std::uint32_t b) const;
  double energy() const;
  void commit();
  void undo();
  void record_if_best();
  double rounded(double time_ns) const;

  HybridPlan plan_;
  std::uint32_t ports_, max_circuits_;
  Grain grain_;
  bool cubed_;  // whether the energy has 24th powers instead of 8th
  Random random_;
  BusyTimes busy_;                                 // of the current circuits
  std::vector<std::uint32_t> used_;                // by node: ports used
  std::vector<std::vector<std::uint32_t>> peers_;  // by node: the other ends of its messages
  Circuits circuits_, best_, before_;              // before_: before the last move
  OnePortLoads::Changes changes_;                  // changes of partners by the last move
  std::vector<std::uint32_t> busiest_;             // nodes with a busiest link
  double limit_ = 0, energy_ = 0, best_bottleneck_ = 0, best_total_ = 0;
};

}  // namespace isoplane
