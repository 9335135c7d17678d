// A pass of moves with a queue for each side (Fiduccia and Mattheyses, 1982).
#include "isoplane/vertex_moves.hpp"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <limits>
#include <numeric>
#include <queue>
#include <utility>
#include <vector>

namespace isoplane {

namespace {

constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

class Pass {
 public:
  Pass(const CutGraph& graph, const std::uint8_t* side)
      : graph_(graph),
        side_(side, side + graph.vertices),
        moved_(graph.vertices),
        gain_(graph.vertices),
        nodes_(std::accumulate(graph.weight, graph.weight + graph.vertices, std::int64_t{0})),
        excess_(-nodes_),
        slack_(2 * *std::max_element(graph.weight, graph.weight + graph.vertices)) {
    std::int64_t twice = 0;  // every edge is listed twice
    for (std::size_t here = 0; here < graph.vertices; ++here) {
      if (side_[here] != 0) excess_ += 2 * graph.weight[here];
      each_edge(here, [&](std::size_t there, std::int64_t cost) {
        gain_[here] += side_[there] != side_[here] ? cost : -cost;
        twice += side_[there] != side_[here] ? cost : 0;
      });
      queue_[side_[here]].emplace(-gain_[here], here);
    }
    cut_ = twice / 2;
  }

  void run(std::int64_t patience, std::uint8_t* side) {
    std::int64_t best = total(), idle = 0;
    std::vector<std::size_t> moves;
    std::size_t kept = 0;
    while (idle < patience || best == kNever) {
      const std::size_t here = next();
      if (here == graph_.vertices) break;
      cut_ -= gain_[here];
      move(here);
      moves.push_back(here);
      ++idle;
      const std::int64_t cost = cut_ < best ? total() : kNever;
      if (cost >= best) continue;
      best = cost;
      kept = moves.size();
      idle = 0;
    }
    for (std::size_t i = 0; i < kept; ++i) side[moves[i]] ^= 1;
  }

 private:
  using Entry = std::pair<std::int64_t, std::size_t>;  // the cut's change by a move, and the vertex
  using Queue = std::priority_queue<Entry, std::vector<Entry>, std::greater<>>;

  template <class Use>
  void each_edge(std::size_t here, Use&& use) const {
    for (std::int64_t edge = graph_.start[here]; edge < graph_.start[here + 1]; ++edge)
      use(static_cast<std::size_t>(graph_.head[edge]), graph_.cost[edge]);
  }

  // The cost of the cut once the nodes of one vertex are divided to even the sides; kNever if none has enough.
  std::int64_t total() const {
    const std::int64_t moved = (nodes_ + std::abs(excess_)) / 2 - (nodes_ + 1) / 2;
    if (moved <= 0) return cut_;
    const std::uint8_t heavy = excess_ > 0 ? 1 : 0;
    std::int64_t least = kNever;
    for (std::size_t here = 0; here < graph_.vertices; ++here)
      if (side_[here] == heavy && graph_.weight[here] >= 2 * moved) least = std::min(least, graph_.node_cost[here]);
    return least == kNever ? kNever : cut_ + moved * least;
  }

  // The vertex whose move lowers the cut most among those that keep the balance; the number of vertices if there is
  // none. A vertex at the top of its queue that would break the balance waits.
  std::size_t next() {
    for (Queue& queue : queue_)
      while (!queue.empty() && (moved_[queue.top().second] != 0 || -queue.top().first != gain_[queue.top().second]))
        queue.pop();
    const bool trues_first = !queue_[1].empty() && (queue_[0].empty() || queue_[1].top() < queue_[0].top());
    for (const std::size_t at : {trues_first ? 1 : 0, trues_first ? 0 : 1}) {
      if (queue_[at].empty() || !is_allowed(queue_[at].top().second)) continue;
      const std::size_t found = queue_[at].top().second;
      queue_[at].pop();
      return found;
    }
    return graph_.vertices;
  }

  bool is_allowed(std::size_t here) const {
    const std::int64_t after = excess_after(here);
    return std::abs(after) <= std::max(slack_, std::abs(excess_) - 1) || graph_.weight[here] == 0;
  }

  std::int64_t excess_after(std::size_t here) const {
    return excess_ + (side_[here] != 0 ? -2 : 2) * graph_.weight[here];
  }

  void move(std::size_t here) {
    excess_ = excess_after(here);
    side_[here] ^= 1;
    moved_[here] = 1;
    each_edge(here, [&](std::size_t there, std::int64_t cost) {
      gain_[there] += side_[there] != side_[here] ? 2 * cost : -2 * cost;
      if (moved_[there] == 0) queue_[side_[there]].emplace(-gain_[there], there);
    });
  }

  const CutGraph& graph_;
  std::vector<std::uint8_t> side_, moved_;
  std::vector<std::int64_t> gain_;                 // by which a move lowers the cut
  std::int64_t nodes_, excess_, slack_, cut_ = 0;  // excess: of the nodes on the true side over the others
  Queue queue_[2];
};

}  // namespace

void move_vertices(const CutGraph& graph, std::int64_t patience, std::uint8_t* side) {
  if (graph.vertices != 0) Pass(graph, side).run(patience, side);
}

}  // namespace isoplane
