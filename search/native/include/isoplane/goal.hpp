// What a search is after: the best score, or a Pareto front.
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

  // What annealing minimises; about 1 for the identical planes.
  virtual double energy(const Ingredients& found) const = 0;
  // Takes a candidate in when it is news.
  virtual void note(const Ingredients& found, const Columns& generators) = 0;
  // Whether a candidate could be news if its ingredients were as low as these.
  virtual bool beatable(const Ingredients& lower) const = 0;
  // A new leg may look in another direction.
  virtual void turn(Random& random) = 0;
  // Where it looks; with this and its designs, noted in their order, another goal goes on as this one would.
  virtual double direction() const = 0;
  virtual void set_direction(double direction) = 0;
  // A design to continue from; there is one.
  virtual const Columns& favourite(Random& random) const = 0;
  // All that was taken in and not beaten since.
  virtual std::vector<Columns> designs() const = 0;
};

// The lexicographically smallest score.
std::unique_ptr<Goal> best_score(const Evaluator& evaluator);
// The non-dominated pairs of the first two components of the score.
std::unique_ptr<Goal> pareto_front(const Evaluator& evaluator);

}  // namespace isoplane
