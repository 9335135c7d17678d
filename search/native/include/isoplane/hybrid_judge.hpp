// Designs of hybrid networks as searches see them: what is asked for, candidates as numbers, and scores.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "isoplane/hybrid.hpp"

namespace isoplane {

// The times that scores are made of, and their names; Python takes this order from here.
enum class HybridMetric { kCompletion, kCompletionByPackets, kBottleneck, kTotal };
inline constexpr std::array kHybridMetricNames{"completion", "completion_by_packets", "bottleneck", "total"};

// The node of every process, then both ends of every circuit.
using HybridCandidate = std::vector<std::uint32_t>;

struct HybridDesign {
  std::vector<std::uint32_t> node_of;
  HybridModel::Circuits circuits;

  HybridCandidate candidate() const;  // circuits with ascending ends, in ascending order
};

// What all walks of a search share. The relay of the plan does not count: the metrics say which one is meant.
struct HybridTask {
  HybridPlan plan;
  std::vector<HybridMetric> metrics;  // minimised in lexicographic order
  std::uint32_t ports = 1, most_circuits = 0;
  bool placement_is_free = false;

  void check() const;  // throws std::invalid_argument where the numbers do not fit together
  // Throws std::invalid_argument if it is no design of the task.
  HybridDesign design_of(const HybridCandidate& candidate) const;
};

// Whole nanoseconds of each metric of a task. A completion is the median of several runs, and that is the score of a
// design; the first run alone tells a walk where to look.
class HybridJudge {
 public:
  explicit HybridJudge(std::shared_ptr<const HybridTask> task);

  using Score = std::vector<std::int64_t>;

  Score operator()(const HybridDesign& design);
  // Routes a design and returns a floor of its first component, which costs little; `first_run` then returns all, with
  // completions of the first run, and after that `score` the score, or one that is above a limit if the score is.
  double floor(const HybridDesign& design);
  Score first_run(const HybridDesign& design);
  Score score(const Score& limit);
  double crowding_ns() const { return times_.crowding_ns; }
  const HybridTask& task() const { return *task_; }

 private:
  template <class Complete>
  Score scored(Complete complete);

  std::shared_ptr<const HybridTask> task_;
  std::optional<HybridModel> by_messages_, by_packets_;
  HybridTimes times_;  // of the last design
};

}  // namespace isoplane
