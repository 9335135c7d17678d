// Numbers of shortest paths, as integers of any size.
#include <algorithm>
#include <vector>

#include "isoplane/path_diversity.hpp"

namespace isoplane {

namespace {

// Breadth-first search from the switches of one group at a time, level by level.
class PathCounts {
 public:
  PathCounts(const CableGraph& graph, const NodeLinks& groups, std::size_t limbs)
      : graph_(graph), groups_(groups), limbs_(limbs), level_(graph.switches), count_(graph.switches * limbs) {}

  // Returns false if a number of paths does not fit.
  bool between(std::int64_t source, std::int64_t target, std::uint64_t* found) {
    std::fill(level_.begin(), level_.end(), -1);
    std::fill(count_.begin(), count_.end(), 0);
    frontier_.clear();
    each_switch(source, [&](std::size_t at) {
      if (level_[at] == 0) return;
      level_[at] = 0;
      count_[at * limbs_] = 1;
      frontier_.push_back(at);
    });
    for (std::int32_t now = 0; !frontier_.empty(); ++now) {
      if (sum_at(target, now, found) || !fits_) return fits_;
      next_level(now);
      if (!fits_) return false;
    }
    return true;
  }

 private:
  template <class Use>
  void each_switch(std::int64_t group, Use&& use) const {
    for (std::int64_t i = groups_.start[group]; i < groups_.start[group + 1]; ++i)
      use(static_cast<std::size_t>(groups_.at[i]));
  }

  // Adds the paths to the switches of a group at a level; returns whether there are any.
  bool sum_at(std::int64_t group, std::int32_t level, std::uint64_t* found) {
    bool any = false;
    each_switch(group, [&](std::size_t at) {
      if (level_[at] != level) return;
      any = true;
      level_[at] = -2;  // once, even if several links lead there
      add(found, &count_[at * limbs_], 1);
    });
    return any;
  }

  void next_level(std::int32_t now) {
    following_.clear();
    for (const std::size_t here : frontier_) {
      for (std::int64_t link = graph_.start[here]; link < graph_.start[here + 1]; ++link) {
        const auto there = static_cast<std::size_t>(graph_.head[link]);
        if (level_[there] == -1) {
          level_[there] = now + 1;
          following_.push_back(there);
        }
        if (level_[there] == now + 1)
          add(&count_[there * limbs_], &count_[here * limbs_], static_cast<std::uint64_t>(graph_.cables[link]));
      }
    }
    frontier_.swap(following_);
  }

  void add(std::uint64_t* sum, const std::uint64_t* value, std::uint64_t factor) {
    unsigned __int128 carry = 0;
    for (std::size_t i = 0; i < limbs_; ++i) {
      carry += static_cast<unsigned __int128>(value[i]) * factor + sum[i];
      sum[i] = static_cast<std::uint64_t>(carry);
      carry >>= 64;
    }
    fits_ = fits_ && carry == 0;
  }

  const CableGraph& graph_;
  const NodeLinks& groups_;
  const std::size_t limbs_;
  bool fits_ = true;
  std::vector<std::int32_t> level_;
  std::vector<std::uint64_t> count_;
  std::vector<std::size_t> frontier_, following_;
};

}  // namespace

bool shortest_paths(const CableGraph& graph, const NodeLinks& groups, const GroupPairs& pairs, std::size_t limbs,
                    std::uint64_t* found) {
  PathCounts counts(graph, groups, limbs);
  std::fill(found, found + pairs.count * limbs, 0);
  for (std::size_t i = 0; i < pairs.count; ++i)
    if (!counts.between(pairs.source[i], pairs.target[i], found + i * limbs)) return false;
  return true;
}

}  // namespace isoplane
