// Planes in which vertices have other places, any or linear ones, evaluated as a whole by a function after every move.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>

#include "isoplane/basis.hpp"
#include "isoplane/linear_planes.hpp"
#include "isoplane/random.hpp"
#include "isoplane/relabelled_distances.hpp"
#include "isoplane/score.hpp"

namespace isoplane {

struct Measure {
  double energy = 0;  // what annealing minimises
  Score score;
};

// What is searched, and the function; immutable.
class MeasuredTask : public RelabellingTask {
 public:
  using Function = std::function<Measure(const Places&)>;

  MeasuredTask(const RelabellingTask& planes, Function function)
      : RelabellingTask(planes), function_(std::move(function)) {}

  Measure measure(const Places& places) const { return function_(places); }

 private:
  Function function_;
};

// The moves of `RelabelledDistances`, for scores that no change of a few rows tells.
class MeasuredPlaces {
 public:
  static constexpr std::uint64_t kVersion = 0x605;    // unique among the kinds of searchers
  static constexpr std::int64_t kMeasuredMoves = 32;  // that tell how much one changes: each takes a whole evaluation
  using Task = MeasuredTask;

  MeasuredPlaces(std::shared_ptr<const MeasuredTask> task, const Places& places)
      : task_(std::move(task)), places_(places), proposed_(places), now_(task_->measure(places)) {}

  Score score() const { return now_.score; }
  const Places& places() const { return places_; }

  static std::optional<Places> words_of(const MeasuredTask& task, const Places& places) {
    if (places.size() != word_count(task)) throw std::invalid_argument("expected places in each plane");
    return places;
  }
  static std::size_t word_count(const MeasuredTask& task) { return RelabelledDistances::word_count(task); }
  static Places random(const MeasuredTask& task, Random& random) { return RelabelledDistances::random(task, random); }
  const Places& words() const { return places_; }

  double propose(Random& random) {
    const PlaceExchange move = PlaceExchange::drawn(*task_, random);
    const std::size_t first = std::size_t{move.plane - 1} * task_->vertices();
    proposed_ = places_;
    std::swap(proposed_[first + move.one], proposed_[first + move.other]);
    then_ = task_->measure(proposed_);
    return then_.energy - now_.energy;
  }
  void accept() {
    places_.swap(proposed_);
    now_ = then_;
  }

 private:
  std::shared_ptr<const MeasuredTask> task_;
  Places places_, proposed_;
  Measure now_, then_;  // of the places, and of those proposed last
};

// The moves of `LinearPlanes`.
class MeasuredLinear : public LinearPlanes {
 public:
  static constexpr std::uint64_t kVersion = 0x606;  // unique among the kinds of searchers
  static constexpr std::int64_t kMeasuredMoves = MeasuredPlaces::kMeasuredMoves;
  using Task = MeasuredTask;

  MeasuredLinear(const std::shared_ptr<const MeasuredTask>& task, const Words& columns)
      : LinearPlanes(task, columns), measured_(task), now_(task->measure(places())) {}

  Score score() const { return now_.score; }

  double propose(Random& random) {
    LinearPlanes::propose(random);
    Basis& basis = matrices_[plane_ - 1];
    basis.apply(move_);
    then_ = measured_->measure(places());
    basis.apply(move_);
    return then_.energy - now_.energy;
  }
  void accept() {
    LinearPlanes::accept();
    now_ = then_;
  }

 private:
  std::shared_ptr<const MeasuredTask> measured_;
  Measure now_, then_;
};

}  // namespace isoplane
