// Simulated annealing over the places of vertices in planes, or over graphs for any score: one walk.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "isoplane/additive_planes.hpp"
#include "isoplane/cooling_cycles.hpp"
#include "isoplane/linear_planes.hpp"
#include "isoplane/measured_graphs.hpp"
#include "isoplane/measured_places.hpp"
#include "isoplane/random.hpp"
#include "isoplane/relabelled_distances.hpp"
#include "isoplane/state.hpp"
#include "isoplane/turned_planes.hpp"
#include "isoplane/walk.hpp"

namespace isoplane {

struct PlacesAnnealing {
  double hottest;          // temperature at the beginning of a cycle, relative to the mean change of a move
  double coolest;          // and at its end
  std::int64_t first_leg;  // evaluations of the first cycle
  double growth;           // factor by which cycles grow
};

// Cooling cycles that grow: every second one begins at random, the others go on from the best planes.
template <class Planes>
class PlacesWalk : public Walk {
 public:
  using Task = typename Planes::Task;
  using Settings = PlacesAnnealing;

  // A start that is none of these planes is left out.
  PlacesWalk(std::shared_ptr<const Task> task, Settings settings, std::uint64_t seed, std::uint64_t stream,
             const Places& start)
      : task_(std::move(task)),
        settings_(settings),
        random_(seed, stream),
        best_(first(*task_)),
        current_(task_, best_),
        best_score_(current_.score()) {
    offer(start);
    begin_at_random();
    const std::int64_t measured = measured_moves();
    for (std::int64_t i = 0; i < measured; ++i)
      scale_ += static_cast<double>(std::abs(current_.propose(random_))) / static_cast<double>(measured);
    begin_cycle();
  }

  // Throws std::invalid_argument for a damaged state.
  PlacesWalk(std::shared_ptr<const Task> task, Settings settings, const State& saved)
      : task_(std::move(task)), settings_(settings), random_(0, 0), current_([&] {
          StateReader reader(saved);
          std::uint64_t version = Planes::kVersion;
          reader.put(version);
          if (version != Planes::kVersion) StateReader::fail();
          serialise(reader, *this);
          Words current;
          for (Words* words : {&best_, &current}) {
            words->resize(word_count(reader, saved));
            for (std::uint32_t& each : *words) {
              std::uint64_t word = 0;
              reader.put(word);
              each = static_cast<std::uint32_t>(word);
            }
          }
          reader.end();
          return Planes(task_, current);
        }()) {
    best_score_ = Planes(task_, best_).score();
  }

  State state() const override {
    StateWriter writer;
    writer.put(Planes::kVersion);
    serialise(writer, *this);
    for (const Words& words : {best_, Words(current_.words())}) {
      if constexpr (!kHasCount) writer.put(std::uint64_t{words.size()});
      for (const std::uint32_t word : words) writer.put(std::uint64_t{word});
    }
    return std::move(writer).finish();
  }

  void run(std::int64_t evaluations) override {
    for (const std::int64_t end = evaluations_ + evaluations; evaluations_ < end; ++evaluations_) {
      if (cycle_.complete()) begin_cycle();
      step();
      ++cycle_.done;
    }
  }

  void offer(const Places& places) override {
    const std::optional<Words> words = Planes::words_of(*task_, places);
    if (words) keep_better(Planes(task_, *words));
  }

  std::vector<Places> designs() const override { return {Planes(task_, best_).places()}; }

 private:
  // Moves from random places that tell how much one changes.
  static constexpr std::int64_t measured_moves() {
    if constexpr (requires { Planes::kMeasuredMoves; }) return Planes::kMeasuredMoves;
    return 4096;
  }

  // Whether all designs have as many words.
  static constexpr bool kHasCount = requires(const Task& task) { Planes::word_count(task); };

  std::size_t word_count(StateReader& reader, const State& saved) const {
    if constexpr (kHasCount) {
      return Planes::word_count(*task_);
    } else {
      std::uint64_t count = 0;
      reader.put(count);
      if (count > saved.size()) StateReader::fail();
      return count;
    }
  }

  // The design that the task begins with, or the identical planes.
  static Words first(const Task& task) {
    if constexpr (requires { Planes::first(task); }) {
      return Planes::first(task);
    } else {
      Places places;
      for (std::uint32_t plane = 1; plane < task.planes(); ++plane)
        for (std::uint32_t x = 0; x < task.vertices(); ++x) places.push_back(x);
      return *Planes::words_of(task, places);
    }
  }

  template <class Archive, class Self>
  static void serialise(Archive& archive, Self& walk) {
    archive.put(walk.random_);
    archive.put(walk.evaluations_);
    archive.put(walk.scale_);
    CoolingCycles::serialise(archive, walk.cycle_);
  }

  void begin_at_random() { current_ = Planes(task_, Planes::random(*task_, random_)); }

  void begin_cycle() {
    cycle_.begin(settings_.first_leg, settings_.growth);
    if (!cycle_.from_best()) return begin_at_random();
    current_ = Planes(task_, best_);
    if constexpr (requires { current_.release(); }) current_.release();
  }

  void step() {
    const auto change = current_.propose(random_);
    if (change > 0) {
      const double cooled = std::pow(settings_.coolest / settings_.hottest, cycle_.progress());
      const double temperature = scale_ * settings_.hottest * cooled;
      if (static_cast<double>(change) > -std::log(random_.uniform()) * temperature) return;
    }
    current_.accept();
    keep_better(current_);
  }

  void keep_better(const Planes& planes) {
    const auto score = planes.score();
    if (score >= best_score_) return;
    best_ = planes.words();
    best_score_ = score;
  }

  std::shared_ptr<const Task> task_;
  Settings settings_;
  Random random_;
  CoolingCycles cycle_;
  double scale_ = 0;  // mean change by a move from random places
  Words best_;        // before `current_`, which is restored after it
  Planes current_;
  decltype(std::declval<Planes>().score()) best_score_{};
};

using RelabellingWalk = PlacesWalk<RelabelledDistances>;  // moves exchange the places of two vertices
using LinearWalk = PlacesWalk<LinearPlanes>;
using AdditiveWalk = PlacesWalk<AdditivePlanes>;
using LinearLoadWalk = PlacesWalk<LinearLoads>;
using MeasuredWalk = PlacesWalk<MeasuredPlaces>;
using MeasuredLinearWalk = PlacesWalk<MeasuredLinear>;
using MeasuredGraphWalk = PlacesWalk<MeasuredGraphs>;

}  // namespace isoplane
