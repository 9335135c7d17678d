// Large-neighbourhood search over bases: one walk.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "isoplane/completions.hpp"
#include "isoplane/searcher.hpp"

namespace isoplane {

struct Descent {
  std::int64_t most;   // maximum number of generators replaced at once
  double temperature;  // for accepting a local optimum that is worse than the last one
};

// A variable neighbourhood descent over exchanges of coordinates and replacements of one, two and three generators: the
// smallest neighbourhood first, starting over after each improvement. At a local optimum the walk is kicked, a few
// generators being replaced by random ones, and descends again.
//
// Tables rank all completions at once by sum of distances and cables, on the assumption that the proportions of the
// loads stay the same; the most promising completions are evaluated. The work on tables is charged as evaluations by
// its computation time: a step is computed at once, and applied when its charge has been used up.
class Neighbourhood final : public Searcher {
 public:
  using Settings = Descent;

  Neighbourhood(std::shared_ptr<const Evaluator> evaluator, std::unique_ptr<Goal> goal, Descent descent,
                std::uint64_t seed, std::uint64_t stream, std::optional<Columns> start);
  Neighbourhood(std::shared_ptr<const Evaluator> evaluator, std::unique_ptr<Goal> goal, Descent descent,
                const State& saved)
      : Neighbourhood(std::move(evaluator), std::move(goal), descent, StateReader(saved)) {}

  void run(std::int64_t evaluations) override;
  State state() const override;
  // The next kick starts from these generators if they are better than its current start.
  void offer(const Columns& generators) override;

 private:
  Neighbourhood(std::shared_ptr<const Evaluator> evaluator, std::unique_ptr<Goal> goal, Descent descent,
                StateReader&& reader);
  template <class Archive, class Self>
  static void serialise(Archive& archive, Self& walk);
  void enter(const Columns& generators);
  void propose();
  void commit();
  void advance();
  Columns kick();
  Columns exchange();
  Columns complete();
  Prices prices() const;
  std::int64_t patience() const;
  std::int64_t kick_stage() const { return most_ + 1; }
  bool tables_suffice() const;

  Descent descent_;
  std::int64_t most_;
  Completions completions_;
  Columns current_{};
  Loads loads_{};  // of the current basis
  double energy_ = 0;
  Columns base_{};  // start of kicks
  double base_energy_ = std::numeric_limits<double>::infinity();
  Columns next_{};          // result of the step
  std::int64_t debt_ = 0;   // evaluations to charge before it is applied
  std::int64_t stage_ = 0;  // 0: exchanges of coordinates; else the number of generators; above most_: a kick
  std::int64_t failures_ = 0;
};

}  // namespace isoplane
