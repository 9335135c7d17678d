// Simulated annealing over bases: one chain of a search.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "isoplane/searcher.hpp"
#include "isoplane/symmetry.hpp"

namespace isoplane {

// Temperatures are relative: the energy of the identical planes is 1. Which is best depends on n, family, objective and
// layout; each leg draws its own.
struct Schedule {
  double coolest;  // a leg begins at a temperature between these two, log-uniformly drawn,
  double hottest;
  double fall;             // and ends at that temperature divided by this
  std::int64_t first_leg;  // evaluations from hot to cold in the first legs
  double growth;           // legs of each later round are longer by this factor
  bool structured;         // only legs that begin quasi-cyclic, and exchanges of coordinates
};

// A chain anneals in legs, each from hot to cold, in rounds of five: free from a random basis, free from a good design,
// quasi-cyclic under one random symmetry after another, free from the best of these, and exchanges of coordinates alone
// from a good design: these keep all distances and loads and settle how the planes lie in the racks. Legs grow from
// round to round, so that no length has to be known beforehand.
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
  enum class Leg { kRandom, kFromBest, kSymmetric, kFromSymmetric, kExchange };
  static constexpr std::int64_t kLegs = 5;

  Chain(std::shared_ptr<const Evaluator> evaluator, std::unique_ptr<Goal> goal, Schedule schedule,
        StateReader&& reader);
  Leg leg() const { return static_cast<Leg>(leg_ % kLegs); }
  void next_leg();
  void begin_leg();
  void heat(double factor, std::int64_t evaluations);
  void begin_symmetry();
  void enter(const Columns& generators);
  template <class Record, class Self>
  static void transfer(Record& record, Self& chain);
  void free_steps(std::int64_t count);
  void symmetric_steps(std::int64_t count);
  void exchange_steps(std::int64_t count);
  bool skip() const;
  bool accept(double proposed);

  Schedule schedule_;
  Basis current_;
  double current_energy_ = 0;
  Symmetry symmetry_;
  Random symmetry_drawn_;           // the random numbers that it was drawn from
  std::int64_t symmetry_left_ = 0;  // evaluations until the next symmetry
  Columns symmetric_best_{};
  double symmetric_energy_ = 0;
  Columns rows_{};     // the candidate of a symmetric leg
  Columns columns_{};  // and of an exchange leg
  Loads loads_{};
  std::int64_t leg_ = 0;
  std::int64_t leg_length_ = 0;
  std::int64_t leg_done_ = 0;
  double temperature_ = 0;
  double cooling_ = 1;
};

}  // namespace isoplane
