#include "isoplane/bottleneck_walk.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace isoplane {
namespace {

constexpr std::uint64_t kVersion = 0x402;  // unique among the kinds of searchers

// The traffic between nodes, without the dependencies of messages.
HybridPlan between_nodes(HybridPlan plan, const std::vector<std::uint32_t>& node_of) {
  for (std::size_t i = 0; i < plan.source.size(); ++i) {
    plan.source[i] = node_of[plan.source[i]];
    plan.destination[i] = node_of[plan.destination[i]];
  }
  plan.wait.clear();
  plan.wait_start.assign(plan.source.size() + 1, 0);
  return plan;
}

std::unique_ptr<BottleneckSearch> search_of(const HybridTask& task, const std::vector<std::uint32_t>& node_of,
                                            std::uint64_t seed, std::uint64_t stream) {
  return std::make_unique<BottleneckSearch>(between_nodes(task.plan, node_of), task.ports, task.max_circuits, seed,
                                            stream, BottleneckSearch::Grain::kWholeNs);
}

}  // namespace

BottleneckWalk::BottleneckWalk(const std::shared_ptr<const HybridTask>& task, Settings settings, std::uint64_t seed,
                               std::uint64_t stream, const HybridCandidate& start)
    : task_(task), settings_(settings), stream_(stream) {
  const HybridDesign design = task_->design_of(start);
  node_of_ = design.node_of;
  search_ = search_of(*task_, node_of_, seed, stream);
  search_->begin(design.circuits, 0);
  cycles_.begin(settings_.first_leg, settings_.growth);
}

BottleneckWalk::BottleneckWalk(const std::shared_ptr<const HybridTask>& task, Settings settings, const State& saved)
    : BottleneckWalk(task, settings, StateReader(saved)) {}

BottleneckWalk::BottleneckWalk(const std::shared_ptr<const HybridTask>& task, Settings settings, StateReader&& reader)
    : task_(task), settings_(settings) {
  std::uint64_t version = 0, node = 0;
  reader.put(version);
  if (version != kVersion) StateReader::fail();
  reader.put(stream_);
  reader.put(evaluations_);
  CoolingCycles::serialise(reader, cycles_);
  for (std::uint32_t i = 0; i < task_->plan.nodes(); ++i) {
    reader.put(node);
    node_of_.push_back(static_cast<std::uint32_t>(node));
  }
  task_->design_of(node_of_);
  search_ = search_of(*task_, node_of_, 0, stream_);
  search_->take_state(reader);
  reader.end();
}

void BottleneckWalk::run(std::int64_t evaluations) {
  const std::int64_t end = evaluations_ + evaluations;
  while (evaluations_ < end) {
    if (cycles_.complete()) {
      cycles_.begin(settings_.first_leg, settings_.growth);
      if (cycles_.from_best()) search_->enter_best();
    }
    const std::int64_t count = std::min(end - evaluations_, cycles_.length - cycles_.done);
    search_->step(static_cast<std::uint64_t>(cycles_.done), static_cast<std::uint64_t>(cycles_.done + count),
                  static_cast<std::uint64_t>(cycles_.length));
    cycles_.done += count;
    evaluations_ += count;
  }
}

State BottleneckWalk::state() const {
  StateWriter writer;
  writer.put(kVersion);
  writer.put(stream_);
  writer.put(evaluations_);
  CoolingCycles::serialise(writer, cycles_);
  for (const std::uint32_t node : node_of_) writer.put(std::uint64_t{node});
  search_->put_state(writer);
  return std::move(writer).finish();
}

std::vector<HybridCandidate> BottleneckWalk::designs() const {
  return {HybridDesign{node_of_, search_->best()}.candidate()};
}

void BottleneckWalk::offer(const HybridCandidate& candidate) {
  const HybridDesign design = task_->design_of(candidate);
  if (design.node_of != node_of_) throw std::invalid_argument("a design with another placement");
  search_->offer(design.circuits);
}

}  // namespace isoplane
