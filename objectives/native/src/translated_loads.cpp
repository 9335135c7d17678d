// The routes to all destinations are one tree of offsets, moved to each of them: it is grown once, and its traffic
// accumulates for several destinations at once.
#include "translated_loads.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

namespace isoplane {

namespace {

constexpr std::size_t kLanes = 8;  // destinations at a time: a cache line of traffic
constexpr std::size_t kLeastEnds = 8;
constexpr std::size_t kNone = static_cast<std::size_t>(-1);

std::size_t index(std::int64_t value) { return static_cast<std::size_t>(value); }

// Sums of offsets, of bits or of the coordinates of a torus. The coordinates are divided into two parts, whose sums are
// looked up.
class Offsets {
 public:
  Offsets(const RoutePlan& routes, std::size_t count) {
    if (routes.key == RouteKey::kTorus) {
      shape_ = routes.shape;
    } else {
      is_xor_ = true;
      for (std::size_t size = 1; size < count; size *= 2) shape_.push_back(2);
    }
    for (const std::int64_t size : shape_) count_ *= index(size);
    for (std::size_t i = 0; i < shape_.size() && low_ * low_ < count_; ++i) low_ *= index(shape_[i]);
  }

  std::size_t count() const { return count_; }
  std::size_t low() const { return low_; }
  std::size_t high() const { return count_ / low_; }

  std::size_t opposite(std::size_t a) const {
    return is_xor_ ? a : digits(a, 0, [](std::size_t x, std::size_t, std::size_t n) { return (n - x) % n; });
  }

  // Fills in the sums of `a` and all offsets: that of b is low[b % low() * step] + high[b / low() * step].
  void sums(std::size_t a, std::size_t* low, std::size_t* high, std::size_t step) const {
    for (std::size_t b = 0; b < low_; ++b) low[b * step] = sum(a % low_, b);
    for (std::size_t b = 0; b * low_ < count_; ++b) high[b * step] = sum(a - a % low_, b * low_);
  }

 private:
  std::size_t sum(std::size_t a, std::size_t b) const {
    return is_xor_ ? a ^ b : digits(a, b, [](std::size_t x, std::size_t y, std::size_t n) { return (x + y) % n; });
  }

  template <class Combine>
  std::size_t digits(std::size_t a, std::size_t b, Combine&& combine) const {
    std::size_t found = 0, stride = 1;
    for (const std::int64_t size : shape_) {
      const std::size_t n = index(size);
      found += combine(a % n, b % n, n) * stride;
      a /= n, b /= n, stride *= n;
    }
    return found;
  }

  std::vector<std::int64_t> shape_;
  std::size_t count_ = 1, low_ = 1;
  bool is_xor_ = false;
};

// The tree of next ports in a plane, by the position of a switch relative to the destination.
struct OffsetTree {
  std::vector<std::size_t> order;  // positions other than 0, each before its next one
  std::vector<std::size_t> next, hops;
  std::vector<std::uint16_t> port;
  std::vector<std::int64_t> units;  // of each packet from a position

  // Whether all routes lead to the destination over cables that translations preserve.
  bool grow(const RoutedPlane& plane, const Offsets& offsets) {
    const std::size_t count = offsets.count(), ports = plane.cables.ports;
    const std::uint16_t* row = plane.routes.next_port + index(plane.routes.row[0]) * plane.routes.columns;
    std::vector<bool> is_known(ports);
    next.assign(count, kNone);
    port.assign(count, 0);
    for (std::size_t at = 1; at < count; ++at) {
      port[at] = row[offsets.opposite(at)];
      if (port[at] >= ports || (!is_known[port[at]] && !is_move(plane, offsets, port[at]))) return false;
      is_known[port[at]] = true;
      next[at] = index(plane.cables.peer[at * ports + port[at]]);
    }
    return measure();
  }

  // Orders positions by decreasing hops, then by port.
  void sort() {
    order.resize(next.size() - 1);
    std::iota(order.begin(), order.end(), std::size_t{1});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      if (hops[a] != hops[b]) return hops[a] > hops[b];
      return port[a] != port[b] ? port[a] < port[b] : a < b;
    });
  }

 private:
  // Whether the cables at a port of all switches lead to the same offset from them.
  static bool is_move(const RoutedPlane& plane, const Offsets& offsets, std::size_t port) {
    const std::int32_t* peer = plane.cables.peer + port;
    if (peer[0] < 0) return false;
    std::vector<std::size_t> low(offsets.low()), high(offsets.high());
    offsets.sums(index(peer[0]), low.data(), high.data(), 1);
    for (std::size_t i = 0; i < high.size(); ++i)
      for (std::size_t j = 0; j < low.size(); ++j, peer += plane.cables.ports)
        if (*peer != static_cast<std::int32_t>(high[i] + low[j])) return false;
    return true;
  }

  // Counts the hops of all routes; false if one does not arrive.
  bool measure() {
    hops.assign(next.size(), kNone);
    hops[0] = 0;
    std::vector<std::size_t> path;
    for (std::size_t at = 1; at < next.size(); ++at) {
      path.clear();
      for (std::size_t here = at; hops[here] == kNone; here = next[here]) {
        if (path.size() == next.size()) return false;
        path.push_back(here);
      }
      for (; !path.empty(); path.pop_back()) hops[path.back()] = hops[next[path.back()]] + 1;
    }
    return true;
  }
};

// The number of links of each of some groups in a plane, if it is the same for all of them and `place(link)` is the
// same for all links of a group and for its first link in plane 0; else 0.
template <class Links, class Place>
std::int64_t links_of_each(const Links& links, const Links& in_first_plane, std::size_t count, Place&& place) {
  const std::int64_t each = links.start[1] - links.start[0];
  for (std::size_t i = 0; i < count; ++i) {
    if (links.start[i + 1] - links.start[i] != each) return 0;
    for (std::int64_t link = links.start[i]; link < links.start[i + 1]; ++link)
      if (place(links, link) != place(in_first_plane, in_first_plane.start[i])) return 0;
  }
  return each;
}

bool is_translated(const LoadTask& task) {
  const RoutedPlane& one = task.planes[0];
  const std::size_t switches = one.cables.switches;
  return one.routes.key != RouteKey::kTable &&
         std::all_of(task.planes.begin(), task.planes.end(), [&](const RoutedPlane& plane) {
           const RoutePlan& routes = plane.routes;
           return plane.cables.switches == switches && routes.key == one.routes.key &&
                  routes.shape == one.routes.shape && routes.next_port != nullptr && routes.columns == switches &&
                  std::all_of(routes.row, routes.row + switches,
                              [&](std::int32_t row) { return row == routes.row[0]; });
         });
}

// The number of ways of a packet in each plane; empty if nodes differ in it, or have links to several switches.
std::vector<std::int64_t> ways_of_each(const LoadTask& task) {
  std::vector<std::int64_t> found;
  for (std::size_t plane = 0; plane < task.planes.size(); ++plane) {
    const std::int64_t from = links_of_each(task.groups.links[plane], task.groups.links[0], task.groups.count,
                                            [](const NodeLinks& links, std::int64_t link) { return links.at[link]; });
    const EndLinks& ends = task.ends.links[plane];
    const std::int64_t to = links_of_each(ends, task.ends.links[0], task.ends.count,
                                          [](const EndLinks& links, std::int64_t link) { return links.target[link]; });
    const std::int64_t first = ends.start[0], last = ends.start[task.ends.count];
    if (from == 0 || to == 0 || !std::equal(ends.target + first, ends.target + last, ends.target_switch + first))
      return {};
    found.push_back(from * to);
  }
  return found;
}

// The routes and ways of all pairs of nodes; not valid unless they depend on offsets only.
struct Translated {
  Offsets offsets;
  std::vector<OffsetTree> trees;   // of each plane
  std::vector<std::int64_t> ways;  // of each packet in each plane, as long as the others
  bool is_valid = false;

  explicit Translated(const LoadTask& task)
      : offsets(task.planes[0].routes, task.planes[0].cables.switches), trees(task.planes.size()) {
    if (task.ends.count < kLeastEnds || task.groups.count == 0 || !is_translated(task)) return;
    ways = ways_of_each(task);
    is_valid = !ways.empty() && offsets.count() == task.planes[0].cables.switches;
    for (std::size_t plane = 0; plane < trees.size(); ++plane)
      is_valid = is_valid && trees[plane].grow(task.planes[plane], offsets);
  }

  std::size_t nearest(std::size_t at) const {
    std::size_t found = kNone;
    for (const OffsetTree& tree : trees) found = std::min(found, tree.hops[at]);
    return found;
  }

  // Ways that share a packet from a position, without weights.
  std::int64_t sharing(std::size_t at) const {
    std::int64_t found = 0;
    for (std::size_t plane = 0; plane < trees.size(); ++plane)
      if (trees[plane].hops[at] == nearest(at)) found += ways[plane];
    return found;
  }

  void divide(const std::vector<std::int64_t>& weight, std::int64_t parts) {
    const std::int64_t total = std::accumulate(weight.begin(), weight.end(), std::int64_t{0});
    for (std::size_t plane = 0; plane < trees.size(); ++plane) {
      OffsetTree& tree = trees[plane];
      tree.units.resize(tree.next.size());
      for (std::size_t at = 0; at < tree.next.size(); ++at)
        tree.units[at] = !weight.empty()                ? parts * weight[plane] / total
                         : tree.hops[at] != nearest(at) ? 0
                                                        : parts / sharing(at) * ways[plane];
    }
  }
};

// The loads of the links of a plane, for a few ends at a time.
class Accumulator {
 public:
  Accumulator(const LoadTask& task, const RoutedPlane& plane, const OffsetTree& tree, const Offsets& offsets)
      : task_(task),
        plane_(plane),
        tree_(tree),
        offsets_(offsets),
        nodes_(offsets.count()),
        load_(plane.cables.ports * offsets.count()),
        flow_(offsets.count() * kLanes),
        low_(offsets.low() * kLanes),
        high_(offsets.high() * kLanes) {
    const NodeLinks& links = task.groups.links[0];
    for (std::size_t group = 0; group < task.groups.count; ++group)
      nodes_[index(links.at[links.start[group]])] += task.groups.nodes[group];
  }

  void add(std::size_t first, std::size_t count) {
    const EndLinks& links = task_.ends.links[0];
    std::int64_t packets[kLanes] = {};
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const std::size_t end = first + std::min(lane, count - 1);
      if (lane < count) packets[lane] = task_.ends.nodes[end];
      const std::size_t target = index(links.target[links.start[end]]);
      offsets_.sums(target, &low_[lane], &high_[lane], kLanes);
    }
    std::fill(flow_.begin(), flow_.end(), 0);
    const std::size_t count_of_switches = offsets_.count();
    for (const std::size_t at : tree_.order) {
      const std::size_t* low = &low_[at % offsets_.low() * kLanes];
      const std::size_t* high = &high_[at / offsets_.low() * kLanes];
      const std::int64_t* here = &flow_[at * kLanes];
      std::int64_t *next = &flow_[tree_.next[at] * kLanes], *load = &load_[tree_.port[at] * count_of_switches];
      const std::int64_t units = tree_.units[at];
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        const std::size_t place = low[lane] + high[lane];
        const std::int64_t traffic = here[lane] + nodes_[place] * (units * packets[lane]);
        load[place] += traffic;
        next[lane] += traffic;
      }
    }
  }

  void add_to(std::int64_t* sums) const {
    for (std::size_t port = 0; port < plane_.cables.ports; ++port)
      for (std::size_t here = 0; here < offsets_.count(); ++here)
        sums[index(plane_.label[here]) * plane_.cables.ports + port] += load_[port * offsets_.count() + here];
  }

 private:
  const LoadTask& task_;
  const RoutedPlane& plane_;
  const OffsetTree& tree_;
  const Offsets& offsets_;
  std::vector<std::int64_t> nodes_, load_, flow_;  // nodes of each switch; [port][switch]; [position][lane]
  std::vector<std::size_t> low_, high_;            // parts of the switch at each position from the ends
};

}  // namespace

bool add_translated_loads(const LoadTask& task, std::int64_t parts, const LoadSums& sums) {
  if (!sums.sent.empty() || task.planes[0].routes.key == RouteKey::kTable) return false;
  Translated translated(task);
  if (!translated.is_valid) return false;
  translated.divide(task.policy.weight, parts);
  for (std::size_t plane = 0; plane < translated.trees.size(); ++plane) {
    translated.trees[plane].sort();
    Accumulator loads(task, task.planes[plane], translated.trees[plane], translated.offsets);
    for (std::size_t end = 0; end < task.ends.count; end += kLanes)
      loads.add(end, std::min(kLanes, task.ends.count - end));
    loads.add_to(sums.link[plane]);
  }
  return true;
}

std::int64_t translated_ways(const LoadTask& task) {
  if (!task.policy.weight.empty() || task.planes[0].routes.key == RouteKey::kTable) return 0;
  const Translated translated(task);
  if (!translated.is_valid) return 0;
  const std::int64_t found = translated.sharing(0);
  for (std::size_t at = 1; at < translated.offsets.count(); ++at)
    if (translated.sharing(at) != found) return 0;
  return found;
}

}  // namespace isoplane
