// Maximum flows by blocking flows along shortest paths (Dinic, 1970).
#include "isoplane/minimum_cut.hpp"

#include <algorithm>
#include <limits>
#include <vector>

namespace isoplane {

namespace {

constexpr std::int32_t kUnreached = -1;

class ResidualGraph {
 public:
  explicit ResidualGraph(const CutLinks& graph)
      : start_(graph.vertices + 1), arcs_(2 * graph.links), level_(graph.vertices), next_(graph.vertices) {
    for (std::size_t link = 0; link < graph.links; ++link) {
      ++start_[index(graph.tail[link]) + 1];
      ++start_[index(graph.head[link]) + 1];
    }
    for (std::size_t vertex = 0; vertex < graph.vertices; ++vertex) start_[vertex + 1] += start_[vertex];
    std::vector<std::size_t> end(start_.begin(), start_.end() - 1);
    for (std::size_t link = 0; link < graph.links; ++link) {
      const std::size_t there = end[index(graph.tail[link])]++, back = end[index(graph.head[link])]++;
      arcs_[there] = {index(graph.head[link]), back, graph.capacity[link]};
      arcs_[back] = {index(graph.tail[link]), there, 0};
    }
  }

  std::int64_t maximum_flow(std::size_t source, std::size_t sink) {
    std::int64_t total = 0;
    while (find_levels(source, sink)) {
      std::copy(start_.begin(), start_.end() - 1, next_.begin());
      while (const std::int64_t sent = augment(source, sink)) total += sent;
    }
    return total;
  }

  // Whether a vertex was in reach of the source in the last search.
  bool is_reached(std::size_t vertex) const { return level_[vertex] != kUnreached; }

 private:
  struct Arc {
    std::size_t head, back;
    std::int64_t room;
  };

  static std::size_t index(std::int32_t vertex) { return static_cast<std::size_t>(vertex); }

  // Finds the distances from the source over arcs with room; false if the sink is out of reach.
  bool find_levels(std::size_t source, std::size_t sink) {
    std::fill(level_.begin(), level_.end(), kUnreached);
    std::vector<std::size_t> reached{source};
    level_[source] = 0;
    for (std::size_t i = 0; i < reached.size(); ++i)
      for (std::size_t arc = start_[reached[i]]; arc < start_[reached[i] + 1]; ++arc) {
        const std::size_t head = arcs_[arc].head;
        if (arcs_[arc].room == 0 || is_reached(head)) continue;
        level_[head] = level_[reached[i]] + 1;
        reached.push_back(head);
      }
    return is_reached(sink);
  }

  // Sends what fits along one path of growing distance; 0 if none is left.
  std::int64_t augment(std::size_t source, std::size_t sink) {
    std::vector<std::size_t> path;
    std::size_t here = source;
    while (here != sink) {
      if (next_[here] == start_[here + 1]) {
        if (path.empty()) return 0;
        here = arcs_[arcs_[path.back()].back].head;
        ++next_[here];
        path.pop_back();
        continue;
      }
      const Arc& arc = arcs_[next_[here]];
      if (arc.room == 0 || level_[arc.head] != level_[here] + 1) {
        ++next_[here];
        continue;
      }
      path.push_back(next_[here]);
      here = arc.head;
    }
    std::int64_t sent = std::numeric_limits<std::int64_t>::max();
    for (const std::size_t arc : path) sent = std::min(sent, arcs_[arc].room);
    for (const std::size_t arc : path) {
      arcs_[arc].room -= sent;
      arcs_[arcs_[arc].back].room += sent;
    }
    return sent;
  }

  std::vector<std::size_t> start_;
  std::vector<Arc> arcs_;
  std::vector<std::int32_t> level_;
  std::vector<std::size_t> next_;
};

}  // namespace

std::int64_t minimum_cut(const CutLinks& graph, std::size_t source, std::size_t sink, std::uint8_t* side) {
  ResidualGraph residual(graph);
  const std::int64_t flow = residual.maximum_flow(source, sink);
  for (std::size_t vertex = 0; vertex < graph.vertices; ++vertex) side[vertex] = residual.is_reached(vertex) ? 1 : 0;
  return flow;
}

}  // namespace isoplane
