// Largest flows by augmenting paths that are searched from both ends (Ford and Fulkerson, 1956; Pohl, 1971).
#include <algorithm>
#include <vector>

#include "isoplane/path_diversity.hpp"

namespace isoplane {

namespace {

class Flow {
 public:
  Flow(const CableGraph& graph, const NodeLinks& groups)
      : graph_(graph),
        groups_(groups),
        residual_(graph.cables, graph.cables + graph.start[graph.switches]),
        reached_(graph.switches),
        parent_(graph.switches) {}

  std::int64_t between(std::int64_t source, std::int64_t target) {
    ends_[0] = switches_of(source);
    ends_[1] = switches_of(target);
    const std::int64_t limit = std::min(room(ends_[0]), room(ends_[1]));
    std::int64_t value = 0;
    while (value < limit && search()) value += augment();
    for (const std::int64_t link : used_) residual_[index(link)] = graph_.cables[link];
    used_.clear();
    return value;
  }

 private:
  static std::size_t index(std::int64_t value) { return static_cast<std::size_t>(value); }

  std::vector<std::int32_t> switches_of(std::int64_t group) const {
    std::vector<std::int32_t> found(groups_.at + groups_.start[group], groups_.at + groups_.start[group + 1]);
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
  }

  // Cables between some switches and all others.
  std::int64_t room(const std::vector<std::int32_t>& inside) const {
    std::int64_t total = 0;
    for (const std::int32_t here : inside)
      for (std::int64_t link = graph_.start[here]; link < graph_.start[here + 1]; ++link)
        if (!std::binary_search(inside.begin(), inside.end(), graph_.head[link])) total += graph_.cables[link];
    return total;
  }

  // Finds links with room from the sources to the targets: `meeting_` joins a path from a source, along the links by
  // which switches were reached, with one to a target.
  bool search() {
    clock_ += 2;  // reached_ is clock_ from the sources, clock_ + 1 from the targets
    for (const std::size_t side : {0, 1}) {
      frontier_[side] = ends_[side];
      for (const std::int32_t here : ends_[side]) {
        reached_[index(here)] = clock_ + static_cast<std::int64_t>(side);
        parent_[index(here)] = -1;
      }
    }
    while (!frontier_[0].empty() && !frontier_[1].empty())
      if (expand(frontier_[0].size() <= frontier_[1].size() ? 0 : 1)) return true;
    return false;
  }

  bool expand(std::size_t side) {
    const std::int64_t mine = clock_ + static_cast<std::int64_t>(side), theirs = 2 * clock_ + 1 - mine;
    following_.clear();
    for (const std::int32_t here : frontier_[side]) {
      for (std::int64_t out = graph_.start[here]; out < graph_.start[here + 1]; ++out) {
        const auto there = index(graph_.head[out]);
        if (reached_[there] == mine) continue;
        const std::int64_t link = side == 0 ? out : graph_.opposite[out];
        if (residual_[index(link)] == 0) continue;
        if (reached_[there] == theirs) {
          meeting_ = link;
          return true;
        }
        reached_[there] = mine;
        parent_[there] = link;
        following_.push_back(static_cast<std::int32_t>(there));
      }
    }
    frontier_[side].swap(following_);
    return false;
  }

  // Sends as much as there is room for along the path that was found.
  std::int64_t augment() {
    path_.assign(1, meeting_);
    for (std::int64_t link; (link = parent_[tail(path_.back())]) >= 0;) path_.push_back(link);
    for (std::int64_t link = meeting_; (link = parent_[index(graph_.head[link])]) >= 0;) path_.push_back(link);
    std::int32_t units = residual_[index(meeting_)];
    for (const std::int64_t link : path_) units = std::min(units, residual_[index(link)]);
    for (const std::int64_t link : path_) {
      const std::int64_t back = graph_.opposite[link];
      residual_[index(link)] -= units;
      residual_[index(back)] += units;
      used_.push_back(link);
      used_.push_back(back);
    }
    return units;
  }

  std::size_t tail(std::int64_t link) const { return index(graph_.head[graph_.opposite[link]]); }

  const CableGraph& graph_;
  const NodeLinks& groups_;
  std::vector<std::int32_t> residual_;  // room of each link
  std::vector<std::int64_t> reached_;   // when and from which side each switch was reached
  std::vector<std::int64_t> parent_;    // the link from the previous switch, or to the next one on the side of targets
  std::vector<std::int32_t> ends_[2], frontier_[2], following_;
  std::vector<std::int64_t> path_, used_;
  std::int64_t clock_ = 0, meeting_ = -1;
};

}  // namespace

void disjoint_paths(const CableGraph& graph, const NodeLinks& groups, const GroupPairs& pairs, std::int64_t* found) {
  Flow flow(graph, groups);
  for (std::size_t i = 0; i < pairs.count; ++i) found[i] = flow.between(pairs.source[i], pairs.target[i]);
}

}  // namespace isoplane
