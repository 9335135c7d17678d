// The cooling cycles of a walk over several kinds of graphs, its arms, by successive halving. A pass runs a cycle for
// each arm that is left, and then leaves the better half of them; once one is left, it has some more passes, and the
// next epoch begins, with longer cycles.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "isoplane/random.hpp"

namespace isoplane {

struct HalvingPasses {
  static constexpr std::int64_t kMeasured = 32;   // moves at the beginning of a cycle that tell how much one changes
  static constexpr double kLongerEpochs = 1.15;   // factor by which cycles grow from an epoch to the next
  static constexpr std::int64_t kLastPasses = 4;  // of the last arm of an epoch
  static constexpr double kLongest = 1e15;        // evaluations of a cycle, and hops that a move may add

  std::int64_t epoch = 0, pass = 0, turn = 0;  // a pass has a cycle for each arm, an epoch some passes
  std::int64_t last_pass = 0;                  // of the epoch, once one arm is left
  std::int64_t length = 0, done = 0;           // evaluations of the cycle
  std::int64_t changes = 0;                    // sum of the changes by its first moves

  std::size_t arm() const { return static_cast<std::size_t>(turn); }
  bool complete() const { return done == length; }
  bool is_measuring() const { return done < kMeasured; }

  void begin_epoch() {
    pass = turn = 0;
    last_pass = kLastPasses;
  }

  // Cycles are shorter by a factor where evaluations take so much longer.
  void begin_cycle(double first_leg, double growth, double factor = 1) {
    const double longer =
        std::pow(growth, static_cast<double>(pass)) * std::pow(kLongerEpochs, static_cast<double>(epoch));
    length = static_cast<std::int64_t>(std::clamp(first_leg * longer / factor, 2.0 * kMeasured, kLongest));
    done = changes = 0;
  }

  // Goes on to the next arm; false at the end of the epoch. Arms have a cost.
  template <class Arm>
  bool next(std::vector<Arm>& arms) {
    if (++turn < static_cast<std::int64_t>(arms.size())) return true;
    turn = 0;
    ++pass;
    std::stable_sort(arms.begin(), arms.end(), [](const Arm& one, const Arm& other) { return one.cost < other.cost; });
    if (arms.size() > 1) {
      arms.resize((arms.size() + 1) / 2);
      if (arms.size() == 1) last_pass = pass + kLastPasses;
    } else if (pass >= last_pass) {
      ++epoch;
      return false;
    }
    return true;
  }

  // The highest cost that is accepted after the first moves of a cycle, at temperatures that fall from `hottest` times
  // their mean change to `coolest`.
  std::int64_t limit(Random& random, std::int64_t cost, double hottest, double coolest) const {
    const double initial = std::max(coolest, hottest * static_cast<double>(changes) / kMeasured);
    const double progress = static_cast<double>(done) / static_cast<double>(length);
    const double more = -std::log(random.uniform()) * initial * std::pow(coolest / initial, progress);
    return cost + static_cast<std::int64_t>(std::min(more, kLongest));
  }

  // Counts the change by a first move.
  void measure(std::int64_t before, std::int64_t after) {
    if (is_measuring()) changes += std::min(std::abs(after - before), before);
  }

  template <class Archive, class Self>
  static void serialise(Archive& archive, Self& passes) {
    for (auto* number :
         {&passes.epoch, &passes.pass, &passes.turn, &passes.last_pass, &passes.length, &passes.done, &passes.changes})
      archive.put(*number);
  }
};

}  // namespace isoplane
