// Simulated annealing over circuits that minimises the bottleneck time at a fixed placement: one walk.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "isoplane/bottleneck.hpp"
#include "isoplane/hybrid_evaluator.hpp"
#include "isoplane/cooling_cycles.hpp"
#include "isoplane/state.hpp"
#include "isoplane/walk.hpp"

namespace isoplane {

struct BottleneckAnnealing {
  std::int64_t first_leg;  // evaluations of the first cycle
  double growth;           // factor by which each cycle is longer than the last
};

// A BottleneckSearch in cooling cycles. Its metrics, which must be those of the task, are the bottleneck time, then the
// total, both in whole ns. It is fast if no two messages of the task have the same ends.
class BottleneckWalk : public Walk {
 public:
  using Settings = BottleneckAnnealing;

  BottleneckWalk(const std::shared_ptr<const HybridTask>& task, Settings settings, std::uint64_t seed,
                 std::uint64_t stream, const HybridCandidate& start);
  BottleneckWalk(const std::shared_ptr<const HybridTask>& task, Settings settings, const State& saved);

  void run(std::int64_t evaluations) override;
  State state() const override;
  std::vector<HybridCandidate> designs() const override;
  // The candidate must have the placement of the walk.
  void offer(const HybridCandidate& candidate) override;

 private:
  BottleneckWalk(const std::shared_ptr<const HybridTask>& task, Settings settings, StateReader&& reader);

  std::shared_ptr<const HybridTask> task_;
  Settings settings_;
  std::uint64_t stream_;
  std::vector<std::uint32_t> node_of_;
  std::unique_ptr<BottleneckSearch> search_;
  CoolingCycles cycles_;
};

}  // namespace isoplane
