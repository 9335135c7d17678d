// Distances between all nodes: the number of pairs not reached after k hops, summed over k.
#include <algorithm>
#include <bit>
#include <numeric>

#include "isoplane/general.hpp"

namespace isoplane {

namespace {

// Node counts of up to 512 sources as bit planes: counting the nodes of a set takes a few population counts.
class Weights {
 public:
  Weights(const NodeGroups& groups, const std::int64_t* sources, std::size_t count) {
    std::int64_t largest = 0;
    for (std::size_t i = 0; i < count; ++i) {
      unit_ = std::gcd(unit_, groups.nodes[sources[i]]);
      largest = std::max(largest, groups.nodes[sources[i]]);
    }
    bits_.resize(std::bit_width(static_cast<std::uint64_t>(largest / unit_)), ReachSet{});
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t bit = 0; bit < bits_.size(); ++bit)
        if (groups.nodes[sources[i]] / unit_ >> bit & 1) bits_[bit][i / 64] |= std::uint64_t{1} << i % 64;
  }

  // Number of nodes of the sources outside the set.
  std::int64_t outside(const ReachSet& set) const {
    std::int64_t nodes = 0;
    for (std::size_t bit = 0; bit < bits_.size(); ++bit) {
      std::int64_t here = 0;
      for (std::size_t word = 0; word < kReachWords; ++word) here += std::popcount(bits_[bit][word] & ~set[word]);
      nodes += here << bit;
    }
    return nodes * unit_;
  }

 private:
  std::int64_t unit_ = 0;
  std::vector<ReachSet> bits_;
};

// The sources that have reached a group of nodes in some plane, over any of its links.
ReachSet sources_reaching(const std::vector<Reach>& planes, const NodeGroups& groups, std::size_t group) {
  ReachSet reaching{};
  for (std::size_t plane = 0; plane < planes.size(); ++plane) {
    const NodeLinks& links = groups.links[plane];
    for (std::int64_t link = links.start[group]; link < links.start[group + 1]; ++link) {
      const ReachSet& there = planes[plane].at(static_cast<std::size_t>(links.at[link]));
      for (std::size_t word = 0; word < kReachWords; ++word) reaching[word] |= there[word];
    }
  }
  return reaching;
}

// Number of ordered pairs of nodes that no plane has connected so far.
std::int64_t pairs_left(const std::vector<Reach>& planes, const NodeGroups& groups, const Weights& weights) {
  std::int64_t left = 0;
  for (std::size_t group = 0; group < groups.count; ++group)
    left += groups.nodes[group] * weights.outside(sources_reaching(planes, groups, group));
  return left;
}

}  // namespace

std::vector<std::int64_t> pairs_beyond(const std::vector<Cables>& planes, const NodeGroups& groups,
                                       const std::int64_t* sources, std::size_t count, std::size_t far) {
  std::vector<std::int64_t> beyond;
  std::vector<Reach> reach(planes.begin(), planes.end());
  for (std::size_t start = 0; start < count; start += kReachBits) {
    const std::size_t block = std::min(kReachBits, count - start);
    for (std::size_t plane = 0; plane < planes.size(); ++plane) {
      reach[plane].clear();
      const NodeLinks& links = groups.links[plane];
      for (std::size_t i = 0; i < block; ++i)
        for (std::int64_t link = links.start[sources[start + i]]; link < links.start[sources[start + i] + 1]; ++link)
          reach[plane].add(i, static_cast<std::size_t>(links.at[link]));
    }
    const Weights weights(groups, sources + start, block);
    std::size_t hops = 0;
    for (std::int64_t left = 0; (left = pairs_left(reach, groups, weights)) != 0; ++hops) {
      if (hops == beyond.size()) beyond.push_back(0);
      beyond[hops] += left;
      bool any = false;
      for (Reach& plane : reach) any |= plane.grow([](std::size_t, std::size_t, std::size_t, std::uint64_t) {});
      if (any) continue;
      beyond.resize(std::max(beyond.size(), far));
      while (++hops < far) beyond[hops] += left;
      break;
    }
  }
  return beyond;
}

}  // namespace isoplane
