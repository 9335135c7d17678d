// Local search for circuits that make the busiest link or circuit of a hybrid network least busy.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "isoplane/busy_times.hpp"
#include "isoplane/hybrid.hpp"
#include "isoplane/random.hpp"
#include "isoplane/state.hpp"

namespace isoplane {

// Simulated annealing. The energy is the sum of the 8th powers of busy times over the least bottleneck so far, or for
// odd streams that of the 24th powers: low powers find what has few busy links, high ones what is least busy. Once a
// limit is given, it is the total of busy times, and no design above the limit is entered. Half of the moves begin at a
// busiest link.
class BottleneckSearch {
 public:
  using Circuits = HybridModel::Circuits;
  enum class Grain { kExact, kWholeNs };  // of the times that say which circuits are the best

  // The sources and destinations of the plan are nodes.
  BottleneckSearch(HybridPlan plan, std::uint32_t ports, std::uint32_t most, std::uint64_t seed, std::uint64_t stream,
                   Grain grain = Grain::kExact);

  BottleneckSearch(const BottleneckSearch&) = delete;  // its busy times refer to its plan
  BottleneckSearch& operator=(const BottleneckSearch&) = delete;

  // Starts anew. With a limit (in ns, above 0) the total is minimised.
  void begin(const Circuits& start, double limit_ns);
  // Goes on from other circuits, which become the best ones only if they are. Both throw std::invalid_argument if the
  // network cannot set them up.
  void enter(const Circuits& circuits);
  void enter_best() { enter(best_); }
  // The same, but only if they are better than the best ones.
  void offer(const Circuits& circuits);
  // Evaluates neighbours from one number to another of a schedule of so many, over which the temperature falls.
  void step(std::uint64_t from, std::uint64_t to, std::uint64_t schedule);

  const Circuits& best() const { return best_; }
  double bottleneck_ns() const { return best_bottleneck_; }
  double total_ns() const { return best_total_; }

  // All that decides its course from here on, without a limit.
  void put_state(StateWriter& writer) const;
  void take_state(StateReader& reader);

 private:
  bool move();
  double uniform();
  bool add();
  bool drop();
  bool redirect();
  bool exchange();
  void put(std::size_t place, std::uint32_t a, std::uint32_t b);
  std::uint32_t any_circuit();
  std::uint32_t busy_node();
  bool allowed(std::uint32_t a, std::uint32_t b) const;
  double energy() const;
  void settle();
  void take_back();
  void keep();
  double told(double time_ns) const;

  HybridPlan plan_;
  std::uint32_t ports_, most_;
  Grain grain_;
  bool cubed_;
  Random random_;
  BusyTimes busy_;  // of the circuits as they are
  std::vector<std::uint32_t> used_;
  std::vector<std::vector<std::uint32_t>> peers_;  // by node: the other ends of its messages
  Circuits circuits_, best_, before_;
  OnePortLoads::Changes changes_;       // of partners, by the last move
  std::vector<std::uint32_t> busiest_;  // nodes whose links are busiest
  double limit_ = 0, energy_ = 0, best_bottleneck_ = 0, best_total_ = 0;
};

}  // namespace isoplane
