// Simulated annealing over circuits for the busiest link: one walk, for a placement that stays.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "isoplane/bottleneck.hpp"
#include "isoplane/hybrid_judge.hpp"
#include "isoplane/legs.hpp"
#include "isoplane/state.hpp"

namespace isoplane {

struct BottleneckAnnealing {
  std::int64_t first_leg;  // evaluations
  double growth;           // legs are longer by this factor, one after the other
};

// A BottleneckSearch in legs, whose metrics it takes for those of the task: the bottleneck time, then the total, both
// in whole ns. It is fast where no two messages of the task have the same ends.
class BottleneckWalk {
 public:
  using Settings = BottleneckAnnealing;

  BottleneckWalk(const std::shared_ptr<const HybridTask>& task, Settings settings, std::uint64_t seed,
                 std::uint64_t stream, const HybridCandidate& start);
  BottleneckWalk(const std::shared_ptr<const HybridTask>& task, Settings settings, const State& saved);

  void run(std::int64_t evaluations);
  State state() const;
  std::vector<HybridCandidate> designs() const;
  // Its placement is that of the walk.
  void offer(const HybridCandidate& candidate);
  std::int64_t evaluations() const { return evaluations_; }

 private:
  BottleneckWalk(const std::shared_ptr<const HybridTask>& task, Settings settings, StateReader&& reader);

  std::shared_ptr<const HybridTask> task_;
  Settings settings_;
  std::uint64_t stream_;
  std::vector<std::uint32_t> node_of_;
  std::unique_ptr<BottleneckSearch> search_;
  Legs legs_;
  std::int64_t evaluations_ = 0;
};

}  // namespace isoplane
