// The interface of annealing walks whose designs are words.
#pragma once

#include <cstdint>
#include <vector>

#include "isoplane/state.hpp"

namespace isoplane {

// The seed and the stream of a walk determine its result. Each kind can also be constructed from a state, with the task
// and the settings of the walk that saved it, and goes on; such constructors throw std::invalid_argument for a state
// that is damaged or of another kind.
class Walk {
 public:
  using Words = std::vector<std::uint32_t>;

  virtual ~Walk() = default;

  // Runs a number of evaluations; the split of a run into calls does not change the result.
  virtual void run(std::int64_t evaluations) = 0;
  // The complete state, apart from the arguments of the constructor.
  virtual State state() const = 0;
  // The best design so far, then others that the walk keeps.
  virtual std::vector<Words> designs() const = 0;
  // Accepts a design from another walk.
  virtual void offer(const Words& design) = 0;

  std::int64_t evaluations() const { return evaluations_; }

 protected:
  Walk() = default;
  // Of whole walks only.
  Walk(const Walk&) = default;
  Walk(Walk&&) = default;
  Walk& operator=(const Walk&) = default;
  Walk& operator=(Walk&&) = default;

  std::int64_t evaluations_ = 0;
};

}  // namespace isoplane
