// Graphs of switches, regular or with hosts, evaluated as a whole by a function after every move.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "isoplane/host_graph.hpp"
#include "isoplane/host_walk.hpp"
#include "isoplane/measured_places.hpp"
#include "isoplane/random.hpp"

namespace isoplane {

// What is searched, and the function of designs; immutable. Where hosts do not move, cables only exchange ends, and a
// design is what the words of a graph have after the hosts and the number of cables.
struct MeasuredGraphTask {
  using Words = HostGraph::Words;

  HostTask graphs;
  Words first;  // all words of a connected graph, near which every second cycle begins
  std::function<Measure(const Words&)> measure;

  std::size_t left_out() const { return graphs.moves_hosts ? 0 : std::size_t{first.front()} + 2; }
  HostGraph read(const Words& words) const { return {words, graphs.ports, graphs.planes, graphs.hosts}; }
  void check() const;  // throws std::invalid_argument
};

class MeasuredGraphs {
 public:
  static constexpr std::uint64_t kVersion = 0x608;  // unique among the kinds of searchers
  static constexpr std::int64_t kMeasuredMoves = MeasuredPlaces::kMeasuredMoves;
  using Task = MeasuredGraphTask;
  using Words = HostGraph::Words;

  // Throws std::invalid_argument unless the words are a connected graph.
  MeasuredGraphs(std::shared_ptr<const Task> task, const Words& words);

  Score score() const { return now_.score; }
  Words words() const { return graph_.words(); }
  Words places() const { return design_of(graph_); }

  static Words first(const Task& task) { return task.first; }
  // None of a design that is no connected graph.
  static std::optional<Words> words_of(const Task& task, const Words& design);
  // A graph that is some moves away from the first one, about as often few as many.
  static Words random(const Task& task, Random& random);

  // Of several draws, the first that leaves the graph connected; no move if there is none.
  double propose(Random& random);
  void accept() {
    graph_ = proposed_;
    now_ = then_;
  }

 private:
  static bool change(const Task& task, HostGraph& graph, Random& random);
  Words design_of(const HostGraph& graph) const;

  std::shared_ptr<const Task> task_;
  HostGraph graph_, proposed_;
  Measure now_, then_;  // of the graph, and of that proposed last
};

}  // namespace isoplane
