// Link loads along the routes: traffic to a destination accumulates along the tree of next ports towards it.
#include <algorithm>
#include <deque>
#include <limits>
#include <numeric>

#include "isoplane/general.hpp"
#include "route_tree.hpp"
#include "single_ways.hpp"
#include "translated_loads.hpp"

namespace isoplane {

namespace {

constexpr std::size_t kBatch = 32;  // ends whose columns are fetched together: a cache line per row
constexpr std::int64_t kMaxParts = std::int64_t{1} << 40;

template <class Links>
bool one_each(const std::vector<Links>& planes, std::size_t count) {
  return std::all_of(planes.begin(), planes.end(), [&](const Links& links) {
    for (std::size_t i = 0; i < count; ++i)
      if (links.start[i + 1] - links.start[i] != 1) return false;
    return true;
  });
}

// Routes of a plane to the links of one end at a time: a tree per link.
class PlaneTrees {
 public:
  PlaneTrees(const RoutedPlane& plane, const EndLinks& ends) : plane_(plane), ends_(ends), ports_(plane) {}

  void fetch(std::size_t first, std::size_t count) {
    fetched_ = ends_.start[first];
    ports_.fetch(ends_.target + fetched_, static_cast<std::size_t>(ends_.start[first + count] - fetched_));
  }

  void follow(std::size_t end, bool wants_hops) {
    first_ = ends_.start[end];
    links_ = static_cast<std::size_t>(ends_.start[end + 1] - first_);
    while (trees_.size() < links_) trees_.emplace_back(plane_, ports_.columns());
    for (std::size_t i = 0; i < links_; ++i) {
      const auto link = static_cast<std::size_t>(first_) + i;
      trees_[i].follow(ports_.to(link - static_cast<std::size_t>(fetched_)), ends_.target[link],
                       ends_.target_switch[link], wants_hops);
    }
  }

  std::size_t links() const { return links_; }
  std::int64_t first() const { return first_; }
  RouteTree& tree(std::size_t number) { return trees_[number]; }

  void add_to(std::int64_t* loads) {
    for (std::size_t i = 0; i < links_; ++i) trees_[i].add_to(loads);
  }

 private:
  const RoutedPlane& plane_;
  const EndLinks& ends_;
  NextPorts ports_;
  std::deque<RouteTree> trees_;
  std::int64_t fetched_ = 0, first_ = 0;
  std::size_t links_ = 0;
};

// The part of a packet on each of the shortest ways of a plane: weight / denominator, or 0 if there is no way.
struct Share {
  std::int32_t hops;
  std::int64_t ways, weight, denominator;
};

// The routes of all planes to one end, and the division of packets to it over these routes.
class Router {
 public:
  explicit Router(const LoadTask& task)
      : task_(task),
        one_from_each_(one_each(task.groups.links, task.groups.count)),
        one_each_(one_from_each_ && one_each(task.ends.links, task.ends.count)),
        fixed_(one_each_ && (task.planes.size() == 1 || !task.policy.weight.empty())),
        shares_(task.planes.size()) {
    for (std::size_t plane = 0; plane < task.planes.size(); ++plane)
      planes_.emplace_back(task.planes[plane], task.ends.links[plane]);
  }

  // Calls use(end) for each end once its routes are known.
  template <class Use>
  void each_end(Use&& use) {
    for (std::size_t start = 0; start < task_.ends.count; start += kBatch) {
      const std::size_t count = std::min(kBatch, task_.ends.count - start);
      for (PlaneTrees& plane : planes_) plane.fetch(start, count);
      for (std::size_t end = start; end < start + count; ++end) {
        for (PlaneTrees& plane : planes_) plane.follow(end, !fixed_);
        use(end);
      }
    }
  }

  // The division of a packet from a node of a group to the end.
  const std::vector<Share>& shares(std::size_t group) {
    const std::vector<std::int64_t>& weight = task_.policy.weight;
    std::int32_t nearest = kFar;
    std::int64_t total = 0;
    for (std::size_t plane = 0; plane < planes_.size(); ++plane) {
      shares_[plane] = weight.empty() || weight[plane] != 0 ? shortest(plane, group) : Share{kFar, 0, 0, 1};
      nearest = std::min(nearest, shares_[plane].hops);
    }
    for (std::size_t plane = 0; plane < planes_.size(); ++plane) {
      Share& share = shares_[plane];
      share.weight = share.ways == 0 ? 0 : weight.empty() ? share.hops == nearest : weight[plane];
      total += weight.empty() ? share.weight * share.ways : share.weight;
    }
    for (Share& share : shares_) share.denominator = weight.empty() || share.ways == 0 ? total : total * share.ways;
    return shares_;
  }

  // Sends packets from all nodes to the end, and adds their loads to all sums.
  void send(std::size_t end, std::int64_t parts, const LoadSums& sums) {
    const std::int64_t packets = task_.ends.nodes[end];
    if (sums.sent.empty() && fixed_) {
      send_fixed(packets, parts);
    } else if (sums.sent.empty() && one_from_each_ && task_.policy.weight.empty()) {
      send_nearest(packets, parts);
    } else {
      for (std::size_t group = 0; group < task_.groups.count; ++group) send_from(group, packets, parts, sums);
    }
    for (std::size_t plane = 0; plane < planes_.size(); ++plane) planes_[plane].add_to(sums.link[plane]);
  }

 private:
  // Calls use(tree of a link of the end, link of the group) for each way in a plane.
  template <class Use>
  void each_way(std::size_t plane, std::size_t group, Use&& use) {
    const NodeLinks& links = task_.groups.links[plane];
    for (std::size_t i = 0; i < planes_[plane].links(); ++i)
      for (std::int64_t link = links.start[group]; link < links.start[group + 1]; ++link) use(i, link);
  }

  Share shortest(std::size_t plane, std::size_t group) {
    Share found{kFar, 0, 0, 1};
    each_way(plane, group, [&](std::size_t i, std::int64_t link) {
      const std::int32_t hops = fixed_ ? 0 : planes_[plane].tree(i).hops(task_.groups.links[plane].at[link]);
      found.ways = hops < found.hops ? 1 : found.ways + (hops == found.hops && hops != kFar);
      found.hops = std::min(found.hops, hops);
    });
    return found;
  }

  // All nodes divide packets in the same way.
  void send_fixed(std::int64_t packets, std::int64_t parts) {
    if (task_.groups.count == 0) return;
    shares(0);
    for (std::size_t plane = 0; plane < planes_.size(); ++plane) {
      const std::int64_t units = parts * shares_[plane].weight / shares_[plane].denominator * packets;
      if (units == 0) continue;
      RouteTree& tree = planes_[plane].tree(0);
      const std::int32_t* from = task_.groups.links[plane].at;
      for (std::size_t group = 0; group < task_.groups.count; ++group)
        tree.send(from[group], task_.groups.nodes[group] * units);
    }
  }

  // Nodes have one link in each plane, and the shortest ways share a packet.
  void send_nearest(std::int64_t packets, std::int64_t parts) {
    struct Way {
      RouteTree* tree;
      const std::int32_t* from;  // the switch of each group
    };
    std::vector<Way> ways;
    std::vector<std::int64_t> part{0};  // units per way, by the number of ways that share a packet
    for (std::size_t plane = 0; plane < planes_.size(); ++plane)
      for (std::size_t i = 0; i < planes_[plane].links(); ++i) {
        ways.push_back({&planes_[plane].tree(i), task_.groups.links[plane].at});
        part.push_back(parts / static_cast<std::int64_t>(ways.size()) * packets);
      }
    const std::int64_t* nodes = task_.groups.nodes;
    const std::size_t groups = task_.groups.count;
    for (std::size_t group = 0; group < groups; ++group) {
      std::int32_t nearest = kFar;
      std::size_t ties = 0;
      for (const Way& way : ways) {
        const std::int32_t hops = way.tree->hops(way.from[group]);
        ties = hops < nearest ? 1 : ties + (hops == nearest);
        nearest = std::min(nearest, hops);
      }
      const std::int64_t units = nodes[group] * part[ties];
      for (const Way& way : ways)
        if (way.tree->hops(way.from[group]) == nearest) way.tree->send(way.from[group], units);
    }
  }

  void send_from(std::size_t group, std::int64_t packets, std::int64_t parts, const LoadSums& sums) {
    shares(group);
    for (std::size_t plane = 0; plane < planes_.size(); ++plane) {
      const Share& share = shares_[plane];
      if (share.weight == 0) continue;
      const std::int64_t units = parts * share.weight / share.denominator * task_.groups.nodes[group] * packets;
      each_way(plane, group, [&](std::size_t i, std::int64_t link) {
        const std::int32_t from = task_.groups.links[plane].at[link];
        RouteTree& tree = planes_[plane].tree(i);
        if (!fixed_ && tree.hops(from) != share.hops) return;
        tree.send(from, units);
        if (sums.sent.empty()) return;
        sums.sent[plane][link] += units;
        sums.received[plane][planes_[plane].first() + static_cast<std::int64_t>(i)] += units;
      });
    }
  }

  const LoadTask& task_;
  const bool one_from_each_;  // nodes send over one link in each plane
  const bool one_each_;       // and receive over one link
  const bool fixed_;          // the ways of a packet do not depend on distances
  std::deque<PlaneTrees> planes_;
  std::vector<Share> shares_;
};

// Whether the only plane is not one of weight 0.
bool is_carrying(const LoadTask& task) { return task.policy.weight.empty() || task.policy.weight[0] != 0; }

}  // namespace

std::int64_t packet_parts(const LoadTask& task, std::int64_t parts) {
  const std::int64_t ways = translated_ways(task);
  if (ways != 0 && ways < kMaxParts / parts) return std::lcm(parts, ways);
  const SingleWays single(task);
  if (single.ways != 0 && single.ways < kMaxParts / parts && is_carrying(task)) return std::lcm(parts, single.ways);
  Router router(task);
  router.each_end([&](std::size_t) {
    for (std::size_t group = 0; group < task.groups.count; ++group)
      for (const Share& share : router.shares(group)) {
        if (share.weight == 0) continue;
        const std::int64_t least = share.denominator / std::gcd(share.weight, share.denominator);
        if (parts % least == 0) continue;
        parts = std::lcm(parts, least);
        if (parts > kMaxParts) throw TooManyParts("packets are divided into more than 2^40 parts");
      }
  });
  return parts;
}

void add_loads(const LoadTask& task, std::int64_t parts, const LoadSums& sums) {
  if (add_translated_loads(task, parts, sums)) return;
  const SingleWays single(task);
  Router router(single.ways != 0 && sums.sent.empty() && is_carrying(task) ? single.task : task);
  router.each_end([&](std::size_t end) { router.send(end, parts, sums); });
}

}  // namespace isoplane
