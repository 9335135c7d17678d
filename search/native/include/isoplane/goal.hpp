// The goal of a search: the best score, or a Pareto front.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "isoplane/basis.hpp"
#include "isoplane/random.hpp"
#include "isoplane/score.hpp"

namespace isoplane {

class Goal {
 public:
  virtual ~Goal() = default;

  // The energy that annealing minimises; about 1 for the identical planes.
  virtual double energy(const ExactMetrics& found) const = 0;
  // Records a candidate if it improves on the recorded ones.
  virtual void note(const ExactMetrics& found, const Columns& generators) = 0;
  // Whether a candidate with these lower bounds of its exact metrics could improve on the recorded ones.
  virtual bool beatable(const ExactMetrics& lower) const = 0;
  // Draws a new direction of search, for a new cooling cycle.
  virtual void turn(Random& random) = 0;
  // The direction of search; a goal with the same direction and the same designs, noted in order, behaves the same.
  virtual double direction() const = 0;
  virtual void set_direction(double direction) = 0;
  // A recorded design to continue from; there must be one.
  virtual const Columns& favourite(Random& random) const = 0;
  // The non-dominated designs recorded.
  virtual std::vector<Columns> designs() const = 0;
};

// The lexicographically smallest score.
std::unique_ptr<Goal> best_score(const Evaluator& evaluator);
// The non-dominated pairs of the first two components, of designs with the least excess over limits.
std::unique_ptr<Goal> pareto_front(const Evaluator& evaluator);

}  // namespace isoplane
