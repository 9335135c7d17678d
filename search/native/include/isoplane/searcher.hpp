// The interface of heuristic searchers: they run, save their state, and accept external designs.
#pragma once

#include <cstdint>
#include <memory>

#include "isoplane/basis.hpp"
#include "isoplane/goal.hpp"
#include "isoplane/score.hpp"
#include "isoplane/state.hpp"

namespace isoplane {

// The seed and the stream of a searcher determine its result. Each kind can also be constructed from a state, with the
// evaluator, the kind of goal and the settings of the searcher that saved it, and resumes its run. Such constructors
// throw std::invalid_argument when the state is damaged, of another kind or of another dimension.
class Searcher {
 public:
  virtual ~Searcher() = default;
  Searcher(const Searcher&) = delete;
  Searcher& operator=(const Searcher&) = delete;

  // Runs a number of evaluations; the split of a run into calls does not change the result.
  virtual void run(std::int64_t evaluations) = 0;
  // The complete state, apart from the arguments of the constructor.
  virtual State state() const = 0;
  // Accepts a design from another searcher.
  virtual void offer(const Columns& generators);

  int n() const { return evaluator_->n(); }
  const Goal& goal() const { return *goal_; }
  std::int64_t evaluations() const { return evaluations_; }

 protected:
  Searcher(std::shared_ptr<const Evaluator> evaluator, std::unique_ptr<Goal> goal, std::uint64_t seed,
           std::uint64_t stream);
  // Reads the words written by `begin_state`. The version also identifies the kind.
  Searcher(std::shared_ptr<const Evaluator> evaluator, std::unique_ptr<Goal> goal, std::uint64_t version,
           StateReader& reader);

  StateWriter begin_state(std::uint64_t version) const;
  ExactMetrics evaluate(const Columns& generators) const;
  // -ln u for a uniform u: a rise of energy by less than this times the temperature is accepted.
  double exponential();

  std::shared_ptr<const Evaluator> evaluator_;
  std::unique_ptr<Goal> goal_;
  Random random_;
  std::int64_t evaluations_ = 0;
};

}  // namespace isoplane
