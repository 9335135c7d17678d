#include "isoplane/fault_distances.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace isoplane {
namespace {

constexpr std::int32_t kNowhere = std::numeric_limits<std::int32_t>::max() / 2;

// Calls each(port, peer) for the cables of a switch.
template <class Each>
void for_cables(const Cables& cables, std::size_t here, Each&& each) {
  const std::int32_t* peers = cables.peer + here * cables.ports;
  for (std::size_t port = 0; port < cables.ports; ++port)
    if (peers[port] >= 0) each(port, static_cast<std::uint32_t>(peers[port]));
}

}  // namespace

FaultDistances::FaultDistances(std::vector<Cables> planes, NodeGroups groups, std::int64_t far)
    : planes_(planes.size()), groups_(std::move(groups)), far_(far), hops_(groups_.count), visited_(groups_.count) {
  for (std::size_t number = 0; number < planes.size(); ++number) {
    Plane& plane = planes_[number];
    const NodeLinks& links = groups_.links[number];
    const std::size_t switches = planes[number].switches;
    plane.cables = planes[number];
    plane.first = links_;
    links_ += switches * plane.cables.ports;
    plane.start.assign(switches + 1, 0);
    for (std::int64_t link = 0; link < links.start[groups_.count]; ++link) ++plane.start[links.at[link] + 1u];
    for (std::size_t here = 0; here < switches; ++here) plane.start[here + 1] += plane.start[here];
    plane.group.resize(plane.start[switches]);
    std::vector<std::uint32_t> next = plane.start;
    for (std::size_t group = 0; group < groups_.count; ++group)
      for (std::int64_t link = links.start[group]; link < links.start[group + 1]; ++link)
        plane.group[next[static_cast<std::size_t>(links.at[link])]++] = static_cast<std::uint32_t>(group);
    for (auto* values : {&plane.hops, &plane.after, &plane.parents, &plane.lost}) values->assign(switches, 0);
    plane.parent.assign(switches, 0);
    plane.is_affected.assign(switches, 0);
  }
  recable();
}

void FaultDistances::recable() {
  for (Plane& plane : planes_) {
    const Cables& cables = plane.cables;
    plane.cable.resize(cables.switches * cables.ports);
    for (std::size_t here = 0; here < cables.switches; ++here)
      for_cables(cables, here, [&](std::size_t port, std::uint32_t peer) {
        const std::size_t low = std::min<std::size_t>(here, peer), high = std::max<std::size_t>(here, peer);
        const std::int32_t* peers = cables.peer + low * cables.ports;
        const auto first = std::find(peers, peers + cables.ports, static_cast<std::int32_t>(high)) - peers;
        plane.cable[here * cables.ports + port] =
            static_cast<std::uint32_t>(low * cables.ports) + static_cast<std::uint32_t>(first);
      });
  }
}

void FaultDistances::search(Plane& plane, const NodeLinks& links, std::size_t source) {
  std::fill(plane.hops.begin(), plane.hops.end(), kNowhere);
  std::fill(plane.parents.begin(), plane.parents.end(), 0);
  for (auto* values : {&plane.has_others, &plane.is_only, &plane.has_level, &plane.has_farther})
    values->assign(plane.hops.size(), 0);
  plane.order.clear();
  for (std::int64_t link = links.start[source]; link < links.start[source + 1]; ++link) {
    const auto at = static_cast<std::size_t>(links.at[link]);
    if (plane.hops[at] == 0) continue;
    plane.hops[at] = 0;
    plane.order.push_back(static_cast<std::uint32_t>(at));
  }
  for (std::size_t next = 0; next < plane.order.size(); ++next) {
    const std::uint32_t here = plane.order[next];
    const std::int32_t farther = plane.hops[here] + 1;
    if (plane.parents[here] > 0 && plane.has_others[here] == 0) plane.is_only[plane.parent[here]] = 1;
    for_cables(plane.cables, here, [&](std::size_t, std::uint32_t peer) {
      if (plane.hops[peer] == kNowhere) {
        plane.hops[peer] = farther;
        plane.parent[peer] = here;
        plane.order.push_back(peer);
      }
      plane.has_level[here] |= static_cast<std::uint8_t>(plane.hops[peer] + 1 == farther);
      if (plane.hops[peer] != farther) return;
      plane.has_farther[here] = 1;
      plane.has_others[peer] |= static_cast<std::uint8_t>(plane.parent[peer] != here);
      ++plane.parents[peer];
    });
  }
  plane.after = plane.hops;
}

// Of a lost cable the seed is the farther end, whose only nearer neighbour was at the other one; a lost switch is the
// seed itself, and remains at no distance.
void FaultDistances::lose(Plane& plane, std::uint32_t seed, bool is_switch) {
  plane.affected.assign(1, seed);
  plane.is_affected[seed] = 1;
  for (std::size_t next = 0; next < plane.affected.size(); ++next) {
    const std::uint32_t here = plane.affected[next];
    plane.after[here] = kNowhere;
    for_cables(plane.cables, here, [&](std::size_t, std::uint32_t peer) {
      if (plane.hops[peer] != plane.hops[here] + 1) return;
      if (plane.lost[peer]++ == 0) plane.touched.push_back(peer);
      if (plane.lost[peer] < plane.parents[peer]) return;
      plane.is_affected[peer] = 1;
      plane.affected.push_back(peer);
    });
  }
  // Neighbours that are not affected are at least as far from the source, except the other end of a lost cable. One
  // that is as far settles the distance.
  plane.open.clear();
  for (std::size_t i = is_switch ? 1 : 0; i < plane.affected.size(); ++i) {
    const std::uint32_t here = plane.affected[i];
    const std::int32_t least = plane.hops[here] + 1;
    const std::int32_t* peers = plane.cables.peer + here * plane.cables.ports;
    std::int32_t nearest = kNowhere;
    for (std::size_t port = 0; port < plane.cables.ports && nearest > least; ++port) {
      const std::int32_t peer = peers[port];
      if (peer < 0 || plane.is_affected[static_cast<std::size_t>(peer)] != 0) continue;
      const std::int32_t hops = plane.hops[static_cast<std::size_t>(peer)];
      if (hops + 1 >= least && hops < kNowhere) nearest = std::min(nearest, hops + 1);
    }
    plane.after[here] = nearest;
    if (nearest > least) plane.open.push_back(here);
  }
  // New paths over other affected switches come from either side.
  for (bool changes = plane.affected.size() > 1 && !plane.open.empty(); changes;) {
    changes = false;
    for (const std::uint32_t here : plane.open)
      for_cables(plane.cables, here, [&](std::size_t, std::uint32_t peer) {
        if (plane.is_affected[peer] == 0 || plane.after[peer] + 1 >= plane.after[here]) return;
        plane.after[here] = plane.after[peer] + 1;
        changes = true;
      });
    std::reverse(plane.open.begin(), plane.open.end());
  }
}

// Where no other switch depends on the seed, it alone is farther: by a neighbour that is as far as it was, or farther.
void FaultDistances::lose_last_cable(Plane& plane, std::uint32_t seed) {
  plane.affected.assign(1, seed);
  const std::int32_t around = plane.has_level[seed] != 0 ? 1 : 2;
  plane.after[seed] = around == 1 || plane.has_farther[seed] != 0 ? plane.hops[seed] + around : kNowhere;
}

void FaultDistances::restore(Plane& plane) {
  for (const std::uint32_t here : plane.affected) {
    plane.is_affected[here] = 0;
    plane.after[here] = plane.hops[here];
  }
  for (const std::uint32_t here : plane.touched) plane.lost[here] = 0;
  plane.touched.clear();
}

// Whether the nodes of a group have a link to a switch other than a lost one.
bool FaultDistances::is_left(std::size_t group, const Plane& plane, std::uint32_t lost) const {
  for (std::size_t number = 0; number < planes_.size(); ++number) {
    const NodeLinks& links = groups_.links[number];
    for (std::int64_t link = links.start[group]; link < links.start[group + 1]; ++link)
      if (&planes_[number] != &plane || static_cast<std::uint32_t>(links.at[link]) != lost) return true;
  }
  return false;
}

std::int64_t FaultDistances::distance_after(std::size_t group) const {
  std::int32_t nearest = kNowhere;
  for (std::size_t number = 0; number < planes_.size(); ++number) {
    const NodeLinks& links = groups_.links[number];
    for (std::int64_t link = links.start[group]; link < links.start[group + 1]; ++link)
      nearest = std::min(nearest, planes_[number].after[static_cast<std::size_t>(links.at[link])]);
  }
  return nearest < kNowhere ? nearest : far_;
}

// Counts the distances to the groups at affected switches; false once more than `most` are beyond the diameter.
bool FaultDistances::collect(std::size_t source, Plane& plane, const std::uint32_t* lost, std::int64_t diameter,
                             FaultSums& sums, std::int64_t* longer, std::int64_t most) {
  ++loss_;
  for (const std::uint32_t here : plane.affected)
    for (std::size_t i = plane.start[here]; i < plane.start[here + 1u]; ++i) {
      const std::size_t group = plane.group[i];
      if (visited_[group] == loss_) continue;
      visited_[group] = loss_;
      if (lost != nullptr && !is_left(group, plane, *lost)) continue;
      const std::int64_t hops = distance_after(group);
      if (hops == hops_[group]) continue;
      sums.diameter = std::max(sums.diameter, hops);
      sums.beyond += std::max<std::int64_t>(0, hops - diameter);
      if (longer != nullptr) *longer += groups_.nodes[source] * groups_.nodes[group] * (hops - hops_[group]);
    }
  return sums.beyond <= most;
}

void FaultDistances::add(std::size_t source, Fault fault, std::int64_t diameter, FaultSums& sums, std::int64_t* longer,
                         std::int64_t most) {
  for (std::size_t number = 0; number < planes_.size(); ++number)
    search(planes_[number], groups_.links[number], source);
  for (std::size_t group = 0; group < groups_.count; ++group) hops_[group] = distance_after(group);
  for (Plane& plane : planes_) {
    for (const std::uint32_t here : plane.order) {
      if (fault == Fault::kSwitch) break;
      if (plane.parents[here] != 1) continue;
      if (plane.is_only[here] != 0)
        lose(plane, here, false);
      else
        lose_last_cable(plane, here);
      std::int64_t* entry = nullptr;
      if (longer != nullptr) {
        const std::int32_t* peers = plane.cables.peer + here * plane.cables.ports;
        const auto* port = std::find(peers, peers + plane.cables.ports, static_cast<std::int32_t>(plane.parent[here]));
        entry = longer + plane.first + plane.cable[static_cast<std::size_t>(port - plane.cables.peer)];
      }
      const bool goes_on = collect(source, plane, nullptr, diameter, sums, entry, most);
      restore(plane);
      if (!goes_on) return;
    }
    if (fault == Fault::kCable) continue;
    for (const std::uint32_t here : plane.order) {
      // Without nodes at it, and without a switch that it is the only way to, its loss changes no distance.
      const bool has_groups = plane.start[here] < plane.start[here + 1u];
      const bool counts =
          plane.is_only[here] != 0 || (has_groups && (planes_.size() > 1 || groups_.count < plane.group.size()));
      if (!counts || (plane.hops[here] == 0 && !is_left(source, plane, here))) continue;
      lose(plane, here, true);
      const bool goes_on = collect(source, plane, &here, diameter, sums, nullptr, most);
      restore(plane);
      if (!goes_on) return;
    }
  }
}

}  // namespace isoplane
