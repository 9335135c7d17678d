// Simulated annealing over connection sets by the loads that a workload puts on links: one walk.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "isoplane/cooling_cycles.hpp"
#include "isoplane/level_loads.hpp"
#include "isoplane/random.hpp"
#include "isoplane/state.hpp"
#include "isoplane/walk.hpp"

namespace isoplane {

struct LevelAnnealing {
  double coolest, hottest;  // range of initial temperatures of cycles, relative to the start
  double fall;              // ratio of the initial to the final temperature of a cycle
  std::int64_t first_leg;   // evaluations of the first cycle
  double growth;            // factor by which each cycle is longer than the last
  // The rank of a design is the sum of its totals with these weights; then its sum of all loads decides.
  std::int64_t levels, busiest, total;
  std::int64_t kept;  // number of designs to keep, each of another rank
  bool needs_times;   // whether the times of the kept designs decide which is the best
};

// Keeps the designs of the lowest ranks. If their times decide, the caller measures them; of all designs ever measured,
// that with the shortest time is the best, and equal times are decided by rank.
class LevelWalk : public Walk {
 public:
  using Settings = LevelAnnealing;
  using Candidate = Words;  // generators of plane 1

  LevelWalk(std::shared_ptr<const LevelTask> task, Settings settings, std::uint64_t seed, std::uint64_t stream,
            const Candidate& start);
  LevelWalk(std::shared_ptr<const LevelTask> task, Settings settings, const State& saved);

  void run(std::int64_t evaluations) override;
  State state() const override;
  // The best design, then the others that are kept.
  std::vector<Candidate> designs() const override;
  void offer(const Candidate& candidate) override;
  std::vector<Candidate> unmeasured() const;
  void set_time(const Candidate& candidate, std::int64_t time);

 private:
  struct Rank {
    std::int64_t first = 0, total = 0;
    auto operator<=>(const Rank&) const = default;
  };
  struct Kept {
    Rank rank;
    Columns generators{};    // ascending
    std::int64_t time = -1;  // not measured
  };
  struct Rated {
    Rank rank;
    double spread = 0;
  };

  LevelWalk(std::shared_ptr<const LevelTask> task, Settings settings, StateReader&& reader);
  template <class Archive, class Self>
  static void serialise(Archive& archive, Self& walk);
  Basis basis_of(const Candidate& candidate) const;
  Candidate candidate_of(const Columns& generators) const;
  Columns sorted(const Columns& generators) const;
  Rated rate(const Basis& basis);
  double energy(const Rated& rated) const;
  bool keep(const Rank& rank, const Columns& generators);
  void enter(const Columns& generators);
  void begin_cycle();

  LevelLoads loads_;
  Settings settings_;
  Random random_;
  Basis current_;
  double energy_ = 0;
  double rank_scale_ = 1, total_scale_ = 1, spread_scale_ = 1;
  std::vector<Kept> kept_;  // by ascending rank; no two are equal
  std::optional<Kept> best_;
  CoolingCycles cycles_;
  double cycle_temperature_ = 0;  // initial temperature of the cycle
};

}  // namespace isoplane
