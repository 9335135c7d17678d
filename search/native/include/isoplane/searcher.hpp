// What every kind of heuristic search is: it runs, tells its state, and takes designs of others.
#pragma once

#include <cstdint>
#include <memory>

#include "isoplane/basis.hpp"
#include "isoplane/goal.hpp"
#include "isoplane/score.hpp"
#include "isoplane/state.hpp"

namespace isoplane {

// Seed and stream decide its course. Each kind can also be made from a state, with the evaluator, the kind of goal and
// the settings of the one that told it; it then goes on as that one would. Such constructors throw
// std::invalid_argument when the state is damaged, of another kind or of another dimension.
class Searcher {
 public:
  virtual ~Searcher() = default;
  Searcher(const Searcher&) = delete;
  Searcher& operator=(const Searcher&) = delete;

  // Advances by so many evaluations; how a way is split into runs changes nothing.
  virtual void run(std::int64_t evaluations) = 0;
  // All that decides its course from here on, beside what it was made of.
  virtual State state() const = 0;
  // Lets it know a design of another searcher.
  virtual void offer(const Columns& generators);

  int n() const { return evaluator_->n(); }
  const Goal& goal() const { return *goal_; }
  std::int64_t evaluations() const { return evaluations_; }

 protected:
  Searcher(std::shared_ptr<const Evaluator> evaluator, std::unique_ptr<Goal> goal, std::uint64_t seed,
           std::uint64_t stream);
  // Reads what `begun` wrote. The version tells the kind, too.
  Searcher(std::shared_ptr<const Evaluator> evaluator, std::unique_ptr<Goal> goal, std::uint64_t version,
           StateReader& reader);

  StateWriter begun(std::uint64_t version) const;
  Ingredients judge(const Columns& generators) const;
  // -ln u for a uniform u: a rise of energy by less than this times the temperature is accepted.
  double exponential();

  std::shared_ptr<const Evaluator> evaluator_;
  std::unique_ptr<Goal> goal_;
  Random random_;
  std::int64_t evaluations_ = 0;
};

}  // namespace isoplane
