// Routes of a plane to some ends, and the traffic along them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "isoplane/general.hpp"

namespace isoplane {

[[noreturn]] inline void throw_bad_route(const char* what, std::size_t here, std::int32_t target_switch) {
  throw BadRoute("the route to switch " + std::to_string(target_switch) + " " + what + " at switch " +
                 std::to_string(here));
}

// The column that each switch looks up for a target.
class Columns {
 public:
  Columns(const RoutePlan& routes, std::size_t switches) : routes_(routes) {
    if (routes.key != RouteKey::kTorus) return;
    coordinates_.resize(switches * routes.shape.size());
    for (std::size_t here = 0; here < switches; ++here) {
      auto left = static_cast<std::int64_t>(here);
      for (std::size_t i = 0; i < routes.shape.size(); ++i, left /= routes.shape[i - 1])
        coordinates_[here * routes.shape.size() + i] = left % routes.shape[i];
    }
  }

  std::size_t of(std::size_t here, std::int32_t target) const {
    const auto target_switch = static_cast<std::size_t>(target);
    if (routes_.key == RouteKey::kTable) return target_switch;
    if (routes_.key == RouteKey::kXor) return here ^ target_switch;
    const std::size_t sizes = routes_.shape.size();
    std::int64_t column = 0, stride = 1;
    for (std::size_t i = 0; i < sizes; stride *= routes_.shape[i++]) {
      const std::int64_t offset = coordinates_[target_switch * sizes + i] - coordinates_[here * sizes + i];
      column += (offset < 0 ? offset + routes_.shape[i] : offset) * stride;
    }
    return static_cast<std::size_t>(column);
  }

 private:
  const RoutePlan& routes_;
  std::vector<std::int64_t> coordinates_;
};

// The next ports of all switches of a plane to several targets at once, so that each row is scanned once for all of
// them.
class NextPorts {
 public:
  explicit NextPorts(const RoutedPlane& plane) : plane_(plane), columns_(plane.routes, plane.cables.switches) {}

  void fetch(const std::int32_t* targets, std::size_t count) {
    const RoutePlan& routes = plane_.routes;
    if (routes.next_port == nullptr) return;
    const std::size_t switches = plane_.cables.switches;
    ports_.resize(std::max(ports_.size(), count * switches));
    for (std::size_t here = 0; here < switches; ++here) {
      const std::uint16_t* row = routes.next_port + static_cast<std::size_t>(routes.row[here]) * routes.columns;
      for (std::size_t i = 0; i < count; ++i) ports_[i * switches + here] = row[columns_.of(here, targets[i])];
    }
  }

  // Next ports of all switches to one of the fetched targets; nullptr if routes are paths.
  const std::uint16_t* to(std::size_t number) const {
    return ports_.empty() ? nullptr : ports_.data() + number * plane_.cables.switches;
  }

  const Columns& columns() const { return columns_; }

 private:
  const RoutedPlane& plane_;
  Columns columns_;
  std::vector<std::uint16_t> ports_;
};

constexpr std::int32_t kFar = std::numeric_limits<std::int32_t>::max();  // hops where a plane carries no packets

// All routes of a plane to one link of an end, and the traffic along them.
class RouteTree {
 public:
  RouteTree(const RoutedPlane& plane, const Columns& columns)
      : plane_(plane), columns_(columns), hops_(plane.cables.switches), flow_(plane.cables.switches) {
    if (plane.routes.next_port == nullptr) return;
    next_.resize(plane.cables.switches);
    pending_.resize(plane.cables.switches);
    order_.resize(plane.cables.switches);
  }

  // Follows all routes to a target, given the next ports that lead there. Switches that no packet passes may have any
  // next port; a route that does not arrive is an error only once it is measured or carries traffic.
  void follow(const std::uint16_t* ports, std::int32_t target, std::int32_t target_switch, bool wants_hops) {
    target_ = target;
    target_switch_ = target_switch;
    std::fill(flow_.begin(), flow_.end(), 0);
    if (plane_.routes.next_port == nullptr) return measure_paths();
    port_ = ports;
    grow_tree();
    if (!wants_hops) return;
    std::fill(hops_.begin(), hops_.end(), kUnreachable);
    hops_[index(target_switch)] = 0;
    for (std::size_t i = known_; i-- > 0;) {
      const std::int32_t next = next_[index(order_[i])];
      if (next >= 0 && hops_[index(next)] != kUnreachable) hops_[index(order_[i])] = hops_[index(next)] + 1;
    }
    if (plane_.routes.carried == nullptr) return;
    for (std::size_t here = 0; here < hops_.size(); ++here)
      if (!plane_.routes.carried[entry(here)]) hops_[here] = kFar;
  }

  // Length of the route from a switch, `kFar` if packets do not take it; throws BadRoute if it does not arrive.
  std::int32_t hops(std::int32_t from) const {
    if (hops_[index(from)] == kUnreachable) throw_unreachable(index(from));
    return hops_[index(from)];
  }

  void send(std::int32_t from, std::int64_t units) { flow_[index(from)] += units; }

  // Adds the traffic sent to the loads of all links on its routes; throws BadRoute if one does not arrive.
  void add_to(std::int64_t* loads) {
    if (plane_.routes.next_port == nullptr) return add_paths(loads);
    for (std::size_t i = 0; i < known_; ++i) {
      const std::int32_t here = order_[i];
      const std::int64_t units = flow_[index(here)];
      if (here == target_switch_ || units == 0) continue;
      if (next_[index(here)] < 0) throw_unreachable(index(here));
      loads[index(plane_.label[here]) * plane_.cables.ports + port_[here]] += units;
      flow_[index(next_[index(here)])] += units;
    }
    if (known_ == order_.size()) return;
    for (std::size_t here = 0; here < flow_.size(); ++here)
      if (pending_[here] != 0 && flow_[here] != 0) throw_unreachable(here);
  }

 private:
  static constexpr std::int32_t kUnreachable = -1;  // instead of the hops to the destination

  static std::size_t index(std::int32_t value) { return static_cast<std::size_t>(value); }

  // The next switch of each switch, -1 at the target and where a route ends elsewhere; and a topological order in which
  // each switch precedes its next one, of all switches except those in loops, whose count of pending switches stays
  // positive.
  void grow_tree() {
    const Cables& cables = plane_.cables;
    std::fill(pending_.begin(), pending_.end(), 0);
    for (std::size_t here = 0; here < cables.switches; ++here) {
      const std::uint16_t port = port_[here];
      const bool ends = static_cast<std::int32_t>(here) == target_switch_ || port >= cables.ports;
      next_[here] = ends ? -1 : cables.peer[here * cables.ports + port];
      if (next_[here] >= 0) ++pending_[index(next_[here])];
    }
    known_ = 0;
    for (std::size_t here = 0; here < cables.switches; ++here) {
      order_[known_] = static_cast<std::int32_t>(here);
      known_ += pending_[here] == 0;
    }
    for (std::size_t done = 0; done < known_; ++done) {
      const std::int32_t peer = next_[index(order_[done])];
      if (peer >= 0 && --pending_[index(peer)] == 0) order_[known_++] = peer;
    }
  }

  // Throws the error of a route that does not arrive.
  [[noreturn]] void throw_unreachable(std::size_t here) const {
    for (std::size_t step = 0; step < next_.size() && next_[here] >= 0; ++step) here = index(next_[here]);
    if (next_[here] >= 0) throw_bad_route("loops", here, target_switch_);
    const bool is_open = port_[here] == kNoRoute;
    throw_bad_route(is_open ? "has no next port" : "takes a port without a cable", here, target_switch_);
  }

  std::size_t entry(std::size_t here) const {
    return index(plane_.routes.row[here]) * plane_.routes.columns + columns_.of(here, target_);
  }

  void measure_paths() {
    for (std::size_t here = 0; here < plane_.cables.switches; ++here)
      hops_[here] =
          static_cast<std::int32_t>(plane_.routes.starts[entry(here) + 1] - plane_.routes.starts[entry(here)]);
  }

  void add_paths(std::int64_t* loads) const {
    const Cables& cables = plane_.cables;
    for (std::size_t source = 0; source < cables.switches; ++source) {
      if (flow_[source] == 0) continue;
      std::size_t here = source;
      const std::size_t path = entry(source);
      for (std::uint32_t i = plane_.routes.starts[path]; i < plane_.routes.starts[path + 1]; ++i) {
        const std::uint16_t port = plane_.routes.path_ports[i];
        const std::int32_t peer = port < cables.ports ? cables.peer[here * cables.ports + port] : -1;
        if (peer < 0) throw_bad_route("takes a port without a cable", here, target_switch_);
        loads[index(plane_.label[here]) * cables.ports + port] += flow_[source];
        here = index(peer);
      }
      if (static_cast<std::int32_t>(here) != target_switch_) throw_bad_route("ends", here, target_switch_);
    }
  }

  const RoutedPlane& plane_;
  const Columns& columns_;
  std::int32_t target_ = 0, target_switch_ = 0;
  std::size_t known_ = 0;  // number of switches in `order_`
  const std::uint16_t* port_ = nullptr;
  std::vector<std::int32_t> next_, pending_, order_, hops_;
  std::vector<std::int64_t> flow_;
};

}  // namespace isoplane
