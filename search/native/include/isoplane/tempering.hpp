// Parallel tempering over bases: one ladder of replicas.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "isoplane/searcher.hpp"

namespace isoplane {

// Temperatures are relative: the energy of the identical planes is 1.
struct Rungs {
  double coldest;  // ends of the ladder of temperatures, a geometric progression
  double hottest;
  std::int64_t replicas;
};

// Replicas run in turn at the temperatures of a ladder. After each round of turns neighbours swap their designs by the
// Metropolis rule, so that designs of hot replicas cool down gradually.
class Tempering final : public Searcher {
 public:
  using Settings = Rungs;

  Tempering(std::shared_ptr<const Evaluator> evaluator, std::unique_ptr<Goal> goal, Rungs rungs, std::uint64_t seed,
            std::uint64_t stream, std::optional<Columns> start);
  Tempering(std::shared_ptr<const Evaluator> evaluator, std::unique_ptr<Goal> goal, Rungs rungs, const State& saved)
      : Tempering(std::move(evaluator), std::move(goal), rungs, StateReader(saved)) {}

  void run(std::int64_t evaluations) override;
  State state() const override;
  // Replaces the design of the coldest replica if it is better.
  void offer(const Columns& generators) override;

 private:
  struct Replica {
    Basis basis;
    double energy;
    Loads loads;
    Totals totals;
    std::uint32_t folded_link;
  };

  Tempering(std::shared_ptr<const Evaluator> evaluator, std::unique_ptr<Goal> goal, Rungs rungs, StateReader&& reader);
  Replica replica_of(const Columns& generators);
  Columns initial(std::size_t rung);
  void set_temperatures();
  void step(Replica& replica, double temperature);
  bool may_accept(const Replica& replica, const Move& move, double limit) const;
  void replace(Totals& totals, std::uint32_t before, std::uint32_t after, std::int64_t load) const;
  void update_totals(Replica& replica) const;
  void swap_neighbours();

  Rungs rungs_;
  std::vector<double> temperatures_;
  std::vector<Replica> replicas_;  // the coldest first
};

}  // namespace isoplane
