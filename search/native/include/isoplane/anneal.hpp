// Simulated annealing over bases: one chain of a search.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "isoplane/searcher.hpp"
#include "isoplane/symmetry.hpp"

namespace isoplane {

// Temperatures are relative: the energy of the identical planes is 1. The best one depends on n, family, objective and
// layout, so each cooling cycle draws its own.
struct Schedule {
  double coolest;  // range of the initial temperature of a cycle, which is drawn log-uniformly
  double hottest;
  double fall;             // ratio of the initial to the final temperature of a cycle
  std::int64_t first_leg;  // evaluations per cycle in the first round
  double growth;           // factor by which cycles grow from round to round
  bool structured;         // without the cycles from a random basis and from a good design
};

// A chain anneals in cooling cycles, in rounds of five: free moves from a random basis, free moves from a good design,
// quasi-cyclic bases under one random symmetry after another, free moves from the best of these, and, from a good
// design, only exchanges of coordinates, which keep all distances and loads and optimise the cables. Cycles grow
// from round to round, so that their length needs no tuning.
class Chain final : public Searcher {
 public:
  using Settings = Schedule;

  Chain(std::shared_ptr<const Evaluator> evaluator, std::unique_ptr<Goal> goal, Schedule schedule, std::uint64_t seed,
        std::uint64_t stream, std::optional<Columns> start);
  Chain(std::shared_ptr<const Evaluator> evaluator, std::unique_ptr<Goal> goal, Schedule schedule, const State& saved)
      : Chain(std::move(evaluator), std::move(goal), schedule, StateReader(saved)) {}

  void run(std::int64_t evaluations) override;
  State state() const override;

 private:
  enum class Cycle { kRandom, kFromBest, kSymmetric, kFromSymmetric, kExchange };
  static constexpr std::int64_t kCycles = 5;

  Chain(std::shared_ptr<const Evaluator> evaluator, std::unique_ptr<Goal> goal, Schedule schedule,
        StateReader&& reader);
  Cycle cycle() const { return static_cast<Cycle>(cycle_ % kCycles); }
  void next_cycle();
  void begin_cycle();
  void heat(double factor, std::int64_t evaluations);
  void begin_symmetry();
  void enter(const Columns& generators);
  template <class Archive, class Self>
  static void serialise(Archive& archive, Self& chain);
  void free_steps(std::int64_t count);
  void symmetric_steps(std::int64_t count);
  void exchange_steps(std::int64_t count);
  bool skip() const;
  bool accept(double proposed);

  Schedule schedule_;
  Basis current_;
  double current_energy_ = 0;
  Symmetry symmetry_;
  Random symmetry_drawn_;           // state of `random_` from which the symmetry was drawn
  std::int64_t symmetry_left_ = 0;  // evaluations until the next symmetry
  Columns symmetric_best_{};
  double symmetric_energy_ = 0;
  Columns rows_{};     // the candidate of a symmetric cycle
  Columns columns_{};  // the candidate of an exchange cycle
  Loads loads_{};
  std::int64_t cycle_ = 0;
  std::int64_t cycle_length_ = 0;
  std::int64_t cycle_done_ = 0;
  double temperature_ = 0;
  double cooling_ = 1;
};

}  // namespace isoplane
