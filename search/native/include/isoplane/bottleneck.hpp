// Local search for circuits that make the busiest link or circuit of a hybrid network least busy.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "isoplane/hybrid.hpp"
#include "isoplane/random.hpp"

namespace isoplane {

// How long every resource is busy, where each node has one circuit at most: the routes of HybridModel without tables.
//
// With one port all nodes of a group that own circuits into the same group are alike, but for the one whose circuit
// leads to the destination. So costs depend on groups and on the group that the circuit of the destination leads to.
class OnePortLoads {
 public:
  explicit OnePortLoads(const HybridPlan& plan);

  // `partner`: the far end of the circuit of every node, or kNone. Returns nanoseconds by resource.
  const std::vector<double>& busy(const std::vector<std::uint32_t>& partner);

  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

 private:
  static constexpr std::int64_t kFar = std::int64_t{1} << 60;

  std::size_t place(std::uint32_t home, std::uint32_t by, std::uint32_t group) const;
  void set_costs();
  void spread(std::uint32_t home, std::uint32_t by);
  void send(std::uint32_t from, std::uint32_t to, double bits);
  std::int64_t over(std::uint32_t into, std::uint32_t home, const std::int64_t* hub) const;

  const HybridPlan& plan_;
  std::vector<std::uint32_t> partner_, group_, into_;  // by node: far end; group; group of the far end
  std::vector<std::uint32_t> of_pair_;                 // by two groups: owners in the first
  std::vector<std::vector<std::uint32_t>> near_;       // by home, group of the destination's circuit, group: owners
  std::vector<std::int64_t> hub_;                      // likewise: least cost from an owner
  std::vector<double> busy_;
};

// Threshold accepting: a move that raises the energy by less than a threshold is made; thresholds fall to zero.
// The energy is the sum of the 32nd powers of busy times over the least bottleneck so far; once a limit is given, it is
// the total of busy times, and no design above the limit is entered.
class BottleneckSearch {
 public:
  using Circuits = HybridModel::Circuits;

  BottleneckSearch(HybridPlan plan, std::uint32_t ports, std::uint32_t most, std::uint64_t seed, std::uint64_t stream);

  BottleneckSearch(const BottleneckSearch&) = delete;  // its loads refer to its plan
  BottleneckSearch& operator=(const BottleneckSearch&) = delete;

  // Starts anew. With a limit (in ns, above 0) the total is minimised.
  void begin(const Circuits& start, double limit_ns);
  // Evaluates so many neighbours; the threshold falls geometrically between two places (0 to 1) of the schedule.
  void step(std::uint64_t evaluations, double from, double to);

  const Circuits& best() const { return best_; }
  double bottleneck_ns() const { return best_bottleneck_; }
  double total_ns() const { return best_total_; }

 private:
  bool move();
  bool add();
  bool redirect();
  bool exchange();
  bool allowed(std::uint32_t a, std::uint32_t b) const;
  const std::vector<double>& evaluate();
  double energy(const std::vector<double>& busy) const;
  void keep(const std::vector<double>& busy);

  HybridPlan plan_;
  std::uint32_t ports_, most_;
  Random random_;
  OnePortLoads one_port_;
  HybridModel model_;
  std::vector<std::uint32_t> own_nodes_, partner_, used_;
  Circuits circuits_, best_;
  std::vector<double> current_, many_ports_;
  double limit_ = 0, energy_ = 0, best_bottleneck_ = 0, best_total_ = 0;
};

}  // namespace isoplane
