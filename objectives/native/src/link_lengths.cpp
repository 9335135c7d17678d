// Dijkstra's algorithm with a bucket per distance (Dial, 1969), and the traffic along the trees of shortest paths.
#include "isoplane/link_lengths.hpp"

#include <algorithm>
#include <limits>
#include <vector>

namespace isoplane {

namespace {

constexpr std::int64_t kFar = std::numeric_limits<std::int64_t>::max();

// The shortest paths from one group of nodes at a time.
class ShortestPaths {
 public:
  ShortestPaths(const LengthGraph& graph, const Terminals& groups)
      : graph_(graph),
        groups_(groups),
        distance_(graph.switches),
        rank_(graph.switches),
        paths_(graph.switches),
        flow_(graph.switches) {
    std::int32_t longest = 0;
    for (std::int64_t link = 0; link < graph.start[graph.switches]; ++link)
      longest = std::max(longest, graph.length[link]);
    buckets_.resize(static_cast<std::size_t>(longest) + 1);
    order_.reserve(graph.switches);
  }

  void from(std::size_t group) {
    std::fill(distance_.begin(), distance_.end(), kFar);
    std::fill(rank_.begin(), rank_.end(), graph_.switches);
    order_.clear();
    pending_ = 0;
    each_link(group, [&](std::size_t at) { reach(at, 0, 1); });
    for (std::int64_t now = 0; pending_ != 0; ++now) settle(now);
  }

  // The distance of a group, that of the nearest of its switches; kFar if none is in reach.
  std::int64_t distance(std::size_t group) const {
    std::int64_t found = kFar;
    each_link(group, [&](std::size_t at) { found = std::min(found, distance_[at]); });
    return found;
  }

  // Sends units to a group, in equal parts over its links to the nearest switches.
  void send(std::size_t group, double units) {
    const std::int64_t nearest = distance(group);
    std::int64_t links = 0;
    each_link(group, [&](std::size_t at) { links += distance_[at] == nearest; });
    each_link(group, [&](std::size_t at) {
      if (distance_[at] == nearest) flow_[at] += units / static_cast<double>(links);
    });
  }

  // Adds the traffic sent to the loads of all links, in equal parts over all shortest paths (Brandes, 2001).
  void add_to(double* load) {
    for (std::size_t i = order_.size(); i-- > 0;) {
      const std::size_t here = order_[i];
      for (std::int64_t link = graph_.start[here]; link < graph_.start[here + 1]; ++link) {
        const auto next = static_cast<std::size_t>(graph_.head[link]);
        if (rank_[next] <= i || flow_[next] == 0 || distance_[here] + graph_.length[link] != distance_[next]) continue;
        const double units = flow_[next] * (paths_[here] / paths_[next]);
        load[link] += units;
        flow_[here] += units;
      }
    }
    std::fill(flow_.begin(), flow_.end(), 0);
  }

 private:
  template <class Use>
  void each_link(std::size_t group, Use&& use) const {
    for (std::int64_t i = groups_.links.start[group]; i < groups_.links.start[group + 1]; ++i)
      use(static_cast<std::size_t>(groups_.links.at[i]));
  }

  // Adds shortest paths to a switch; those to a settled switch are final.
  void reach(std::size_t at, std::int64_t distance, double paths) {
    if (distance > distance_[at] || rank_[at] < graph_.switches) return;
    if (distance < distance_[at]) {
      buckets_[static_cast<std::size_t>(distance) % buckets_.size()].push_back(at);
      ++pending_;
      distance_[at] = distance;
      paths_[at] = 0;
    }
    paths_[at] += paths;
  }

  // Settles the switches at a distance; over links of length 0 their bucket grows meanwhile.
  void settle(std::int64_t now) {
    std::vector<std::size_t>& bucket = buckets_[static_cast<std::size_t>(now) % buckets_.size()];
    for (std::size_t i = 0; i < bucket.size(); ++i, --pending_) {
      const std::size_t here = bucket[i];
      if (distance_[here] != now || rank_[here] < graph_.switches) continue;  // reached over a shorter path
      rank_[here] = order_.size();
      order_.push_back(here);
      for (std::int64_t link = graph_.start[here]; link < graph_.start[here + 1]; ++link)
        reach(static_cast<std::size_t>(graph_.head[link]), now + graph_.length[link], paths_[here]);
    }
    bucket.clear();
  }

  const LengthGraph& graph_;
  const Terminals& groups_;
  std::vector<std::int64_t> distance_;
  std::vector<std::size_t> rank_, order_;  // position of each settled switch, and the switches in this order
  std::vector<double> paths_, flow_;
  std::vector<std::vector<std::size_t>> buckets_;
  std::size_t pending_ = 0;
};

}  // namespace

std::int64_t weighted_distances(const LengthGraph& graph, const Terminals& groups, const std::int64_t* sources,
                                std::size_t count, double* load) {
  ShortestPaths paths(graph, groups);
  std::int64_t total = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const auto a = static_cast<std::size_t>(sources[i]);
    paths.from(a);
    for (std::size_t b = 0; b < groups.count; ++b) {
      const std::int64_t distance = paths.distance(b), pairs = groups.nodes[a] * groups.nodes[b];
      if (distance == kFar) return -1;
      total += pairs * distance;
      if (load != nullptr) paths.send(b, static_cast<double>(pairs));
    }
    if (load != nullptr) paths.add_to(load);
  }
  return total;
}

}  // namespace isoplane
