#include "isoplane/measured_graphs.hpp"

#include <bit>
#include <stdexcept>
#include <utility>

namespace isoplane {
namespace {

constexpr std::uint32_t kTries = 64;      // moves that are impossible, or leave parts, before an evaluation is skipped
constexpr std::uint32_t kOfNumber = 8;    // of so many moves one adds a cable or uses free ports, and one drops a cable
constexpr std::size_t kMovesOfCable = 4;  // that make a graph as good as random

}  // namespace

void MeasuredGraphTask::check() const {
  graphs.check();
  if (!read(first).is_connected()) throw std::invalid_argument("a start is not connected");
}

MeasuredGraphs::MeasuredGraphs(std::shared_ptr<const Task> task, const Words& words)
    : task_(std::move(task)), graph_(task_->read(words)), proposed_(graph_) {
  if (!graph_.is_connected()) throw std::invalid_argument("a start is not connected");
  now_ = then_ = task_->measure(design_of(graph_));
}

std::optional<MeasuredGraphs::Words> MeasuredGraphs::words_of(const Task& task, const Words& design) {
  Words words(task.first.begin(), task.first.begin() + static_cast<std::ptrdiff_t>(task.left_out()));
  words.insert(words.end(), design.begin(), design.end());
  return task.read(words).is_connected() ? std::optional(words) : std::nullopt;
}

MeasuredGraphs::Words MeasuredGraphs::design_of(const HostGraph& graph) const {
  const Words words = graph.words();
  return {words.begin() + static_cast<std::ptrdiff_t>(task_->left_out()), words.end()};
}

bool MeasuredGraphs::change(const Task& task, HostGraph& graph, Random& random) {
  HostMove move(task.graphs.cables);
  if (!task.graphs.moves_hosts) return move.exchange(graph, random);
  const std::uint32_t kind = random.below(kOfNumber);
  if (kind == 0) return move.fill(graph, random);
  if (kind > 1) return move.make(graph, random);
  const std::uint32_t plane = random.below(graph.planes());
  const auto cables = static_cast<std::uint32_t>(graph.edges(plane).size());
  if (cables > 0) graph.drop(plane, random.below(cables));
  return cables > 0;
}

MeasuredGraphs::Words MeasuredGraphs::random(const Task& task, Random& random) {
  HostGraph graph = task.read(task.first);
  const std::size_t most = kMovesOfCable * graph.edges(0).size();
  const auto bits = static_cast<std::uint32_t>(std::bit_width(most));
  for (std::uint64_t moves = std::uint64_t{1} << random.below(bits + 1); moves > 0; --moves)
    change(task, graph, random);
  return graph.is_connected() ? graph.words() : task.first;
}

double MeasuredGraphs::propose(Random& random) {
  for (std::uint32_t i = 0; i < kTries; ++i) {
    proposed_ = graph_;
    if (!change(*task_, proposed_, random) || !proposed_.is_connected()) continue;
    then_ = task_->measure(design_of(proposed_));
    return then_.energy - now_.energy;
  }
  proposed_ = graph_;
  then_ = now_;
  return 0;
}

}  // namespace isoplane
