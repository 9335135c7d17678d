#include "isoplane/hybrid_evaluator.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace isoplane {
namespace {

HybridPlan with_relay(HybridPlan plan, Relay relay) {
  plan.relay = relay;
  return plan;
}

}  // namespace

void HybridTask::check() const {
  plan.check();
  if (metrics.empty() || ports == 0) throw std::invalid_argument("a task without metrics or ports");
  if (std::uint64_t{max_circuits} * 2 > std::uint64_t{plan.nodes()} * ports)
    throw std::invalid_argument("more circuits than the ports allow");
}

HybridDesign HybridTask::design_of(const HybridCandidate& candidate) const {
  const std::uint32_t nodes = plan.nodes(), size = plan.nodes_per_group;
  if (candidate.size() < nodes || (candidate.size() - nodes) % 2 != 0 ||
      candidate.size() - nodes > 2 * std::size_t{max_circuits})
    throw std::invalid_argument("a design of another network");
  HybridDesign design{{candidate.begin(), candidate.begin() + nodes}, {}};
  std::vector<std::uint32_t> sorted = design.node_of, used(nodes, 0);
  std::sort(sorted.begin(), sorted.end());
  for (std::uint32_t i = 0; i < nodes; ++i)
    if (sorted[i] != i) throw std::invalid_argument("a placement without one of the nodes");
  for (std::size_t i = nodes; i < candidate.size(); i += 2) {
    const std::uint32_t a = candidate[i], b = candidate[i + 1];
    if (a >= nodes || b >= nodes || a / size == b / size || ++used[a] > ports || ++used[b] > ports)
      throw std::invalid_argument("circuits that the network cannot set up");
    design.circuits.emplace_back(a, b);
  }
  return design;
}

HybridCandidate HybridDesign::candidate() const {
  HybridModel::Circuits sorted = circuits;
  for (auto& [a, b] : sorted)
    if (a > b) std::swap(a, b);
  std::sort(sorted.begin(), sorted.end());
  HybridCandidate all = node_of;
  for (const auto& [a, b] : sorted) all.insert(all.end(), {a, b});
  return all;
}

HybridEvaluator::HybridEvaluator(std::shared_ptr<const HybridTask> task) : task_(std::move(task)) {
  task_->check();
  by_messages_.emplace(with_relay(task_->plan, Relay::kMessages));
  const auto& metrics = task_->metrics;
  if (std::find(metrics.begin(), metrics.end(), HybridMetric::kCompletionByPackets) != metrics.end())
    by_packets_.emplace(with_relay(task_->plan, Relay::kPackets));
}

HybridEvaluator::Score HybridEvaluator::operator()(const HybridDesign& design) {
  lower_bound(design);
  first_run(design);
  return score({std::numeric_limits<std::int64_t>::max()});
}

double HybridEvaluator::lower_bound(const HybridDesign& design) {
  times_ = by_messages_->loads(design.circuits, design.node_of);
  switch (task_->metrics[0]) {
    case HybridMetric::kTotal:
      return times_.total_ns;
    case HybridMetric::kSynchronised:
      return by_messages_->synchronised_ns();
    default:
      return times_.bottleneck_ns;
  }
}

HybridEvaluator::Score HybridEvaluator::first_run(const HybridDesign& design) {
  if (by_packets_) by_packets_->loads(design.circuits, design.node_of);
  return score_with([](HybridModel& model, std::size_t) { return model.run_ns(0); });
}

// Later components matter only if the first one is equal, so only the first one has a limit.
HybridEvaluator::Score HybridEvaluator::score(const Score& limit) {
  return score_with([&](HybridModel& model, std::size_t component) {
    return model.median_ns(component == 0 ? limit[0] : std::numeric_limits<std::int64_t>::max());
  });
}

template <class Complete>
HybridEvaluator::Score HybridEvaluator::score_with(Complete complete) {
  Score score;
  for (std::size_t i = 0; i < task_->metrics.size(); ++i) switch (task_->metrics[i]) {
      case HybridMetric::kCompletion:
        score.push_back(complete(*by_messages_, i));
        break;
      case HybridMetric::kCompletionByPackets:
        score.push_back(complete(*by_packets_, i));
        break;
      case HybridMetric::kSynchronised:
        score.push_back(std::llrint(by_messages_->synchronised_ns()));
        break;
      case HybridMetric::kBottleneck:
        score.push_back(std::llrint(times_.bottleneck_ns));
        break;
      case HybridMetric::kTotal:
        score.push_back(std::llrint(times_.total_ns));
        break;
    }
  return score;
}

}  // namespace isoplane
