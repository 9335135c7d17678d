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
  std::int64_t most;   // generators that are replaced at once
  double temperature;  // by which the end of a descent may be worse than the one before
};

// A walk descends to a basis that no exchange of coordinates and hardly any replacement of one, of two or of three
// generators improves: the smallest neighbourhood first, again from it after each success. Then it is kicked, a few
// generators replaced by random ones, and descends again.
//
// Tables compare all completions at once where they know what counts: sums of distances and cables. Loads are taken to
// keep their proportions, and the most promising completions are judged. What tables take is charged as evaluations, by
// the time that it costs: a step is taken at once, and noted when it has been paid for.
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
  // The next kick begins there, if it is better than where the walk is.
  void offer(const Columns& generators) override;

 private:
  Neighbourhood(std::shared_ptr<const Evaluator> evaluator, std::unique_ptr<Goal> goal, Descent descent,
                StateReader&& reader);
  template <class Record, class Self>
  static void transfer(Record& record, Self& walk);
  void enter(const Columns& generators);
  void propose();
  void settle();
  void advance();
  Columns kicked();
  Columns exchanged();
  Columns completed();
  Prices prices() const;
  std::int64_t patience() const;
  std::int64_t kick_stage() const { return most_ + 1; }
  bool tables_suffice() const;

  Descent descent_;
  std::int64_t most_;
  Completions completions_;
  Columns current_{};
  Loads loads_{};  // of the present basis
  double energy_ = 0;
  Columns base_{};  // where kicks begin
  double base_energy_ = std::numeric_limits<double>::infinity();
  Columns next_{};          // where the step leads
  std::int64_t debt_ = 0;   // evaluations until it is paid for
  std::int64_t stage_ = 0;  // 0: exchanges of coordinates; as many generators as this; beyond: a kick
  std::int64_t failures_ = 0;
};

}  // namespace isoplane
