// Hybrid networks in searches: the task, candidates encoded as integers, and scores.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "isoplane/hybrid.hpp"

namespace isoplane {

// The times that are score components, and their names; Python reads the order from here.
enum class HybridMetric { kCompletion, kCompletionByPackets, kSynchronised, kBottleneck, kTotal };
inline constexpr std::array kHybridMetricNames{"completion", "completion_by_packets", "synchronised", "bottleneck",
                                               "total"};

// The node of every process, then both ends of every circuit.
using HybridCandidate = std::vector<std::uint32_t>;

struct HybridDesign {
  std::vector<std::uint32_t> node_of;
  HybridModel::Circuits circuits;

  HybridCandidate candidate() const;  // circuits with ascending ends, in ascending order
};

// The common task of all walks of a search. The relay mode of the plan is ignored: the metrics determine it.
struct HybridTask {
  HybridPlan plan;
  std::vector<HybridMetric> metrics;  // minimised in lexicographic order
  std::uint32_t ports = 1, max_circuits = 0;
  bool placement_is_free = false;

  void check() const;  // throws std::invalid_argument if the values are inconsistent
  // Throws std::invalid_argument if the candidate is not a design of the task.
  HybridDesign design_of(const HybridCandidate& candidate) const;
};

// Evaluates each metric of a task in whole nanoseconds. The completion time in a score is the median of several runs;
// only the first run guides a walk.
class HybridEvaluator {
 public:
  explicit HybridEvaluator(std::shared_ptr<const HybridTask> task);

  using Score = std::vector<std::int64_t>;

  Score operator()(const HybridDesign& design);
  // Routes a design and returns a lower bound of its first component, which is cheap; `first_run` then returns all
  // components, with completions of the first run, and after that `score` returns the score, or any score above a limit
  // if the true one is above it.
  double lower_bound(const HybridDesign& design);
  Score first_run(const HybridDesign& design);
  Score score(const Score& limit);
  double crowding_ns() const { return times_.crowding_ns; }
  const HybridTask& task() const { return *task_; }

 private:
  template <class Complete>
  Score score_with(Complete complete);

  std::shared_ptr<const HybridTask> task_;
  std::optional<HybridModel> by_messages_, by_packets_;
  HybridTimes times_;  // of the last design
};

}  // namespace isoplane
