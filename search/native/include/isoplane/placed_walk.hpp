// Simulated annealing over regular graphs of vertices in places, between which edges have lengths: one walk.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "isoplane/cooling_cycles.hpp"
#include "isoplane/graph_distances.hpp"
#include "isoplane/graph_losses.hpp"
#include "isoplane/graph_walk.hpp"
#include "isoplane/random.hpp"
#include "isoplane/score.hpp"
#include "isoplane/state.hpp"
#include "isoplane/tracked_distances.hpp"
#include "isoplane/voltage_graph.hpp"
#include "isoplane/walk.hpp"

namespace isoplane {

// What is searched; immutable. Other walks may search the same graphs for short distances alone.
struct PlacedTask : GraphTask {
  std::int64_t nodes;                   // at each vertex
  std::vector<std::uint32_t> rack;      // of each place, ascending
  std::vector<std::int64_t> needed_mm;  // [rack][rack]: least length of a cable between two
  std::vector<std::uint16_t> kind;      // [rack][rack]: its kind, in the order of the following
  std::vector<std::int64_t> length_mm;  // ascending
  std::vector<std::int64_t> price_cents;
  std::int64_t hop, cable_mm, endpoint, fixed_cents;  // as in `Site`
  std::int64_t node_cable_mm;                         // the longest cable of a node
  Scalarisation score;                                // its metrics are those of all pairs of nodes

  void check() const;  // throws std::invalid_argument
  std::size_t racks() const { return rack.empty() ? 0 : std::size_t{rack.back()} + 1; }
};

struct PlacedAnnealing {
  double hottest;          // temperature at the beginning of a cycle, relative to the mean change of a move
  double coolest;          // and at its end
  std::int64_t first_leg;  // evaluations of the first cycle
  double growth;           // factor by which cycles grow
};

// A move exchanges the mates of two pairs of stubs, or the places of two vertices: the latter changes the cables of
// these, and no distance. Cooling cycles grow: every second one begins with random edges, the others go on from the
// best graph.
class PlacedWalk : public Walk {
 public:
  using Settings = PlacedAnnealing;
  using Ends = Words;  // both ends of each edge, by their places

  // `start` is a simple connected graph.
  PlacedWalk(std::shared_ptr<const PlacedTask> task, Settings settings, std::uint64_t seed, std::uint64_t stream,
             const Ends& start);
  // Throws std::invalid_argument for a damaged state.
  PlacedWalk(std::shared_ptr<const PlacedTask> task, Settings settings, const State& saved);

  void run(std::int64_t evaluations) override;
  State state() const override;
  std::vector<Ends> designs() const override;
  void offer(const Ends& graph) override;

 private:
  struct Placed {
    std::vector<std::uint32_t> mates;   // of each stub
    std::vector<std::uint32_t> places;  // of each vertex
  };
  enum Kind : std::size_t { kMates, kPlaces };
  template <class Archive, class Self>
  static void serialise(Archive& archive, Self& walk);
  Placed read(const Ends& ends) const;
  VoltageGraph graph_of(const Placed& placed) const;
  Placed current() const;
  void enter(const Placed& placed);
  void begin_cycle();
  void shuffle();
  void measure();
  void step();
  // Makes a move, and undoes it if the energy is above a limit. The energy after it, if there is one.
  std::optional<double> try_mates(double limit);
  std::optional<double> try_places(double limit);
  void count_cable(std::uint32_t one, std::uint32_t other, std::int64_t times);
  void exchange_places(std::uint32_t one, std::uint32_t other);
  DistanceSums sums_after_move();
  void track();
  ExactMetrics metrics(const DistanceSums& sums, const Losses& losses) const;
  double too_long() const;
  double pressure() const;
  std::int64_t aim(Metric metric) const;
  std::int64_t aim() const;
  Losses aims() const;
  Losses least_losses(const DistanceSums& sums) const;
  double energy(const DistanceSums& sums, const Losses& losses) const;
  // What distances after losses may exceed aims by before the energy rises by more than `room`.
  std::int64_t most_beyond(const DistanceSums& sums, double room) const;
  void accept(double energy);

  std::shared_ptr<const PlacedTask> task_;
  Settings settings_;
  Random random_;
  CoolingCycles cycle_;
  double penalty_ = 1;              // of the energy, for limits that are exceeded by all of them
  std::array<double, 2> change_{};  // mean change of the energy by each kind of move, at the beginning of the cycle
  ExactMetrics reference_{};        // those of the start, relative to which energies are
  Placed best_;
  Score best_score_{};
  ExactMetrics best_metrics_{};
  std::optional<VoltageGraph> graph_;
  std::optional<GraphDistances> distances_;
  std::optional<TrackedDistances> tracked_;  // those of the current graph, where that pays
  std::vector<std::uint32_t> places_;        // of each vertex
  std::vector<std::int64_t> cables_;         // of each kind, of the current graph
  std::vector<std::int64_t> needed_mm_;      // the sum of the lengths that these need
  DistanceSums sums_;
  std::optional<GraphLosses> lost_;       // where they matter
  std::optional<GraphRacks> lost_racks_;  // likewise
  Losses losses_;                         // of the current graph
  double energy_ = 0;
  GraphMove move_;
};

}  // namespace isoplane
