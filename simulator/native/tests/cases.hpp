// Small networks and traffic for the tests.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "isoplane/sim/engine.hpp"

namespace cases {

using namespace isoplane::sim;

// The probability numerator / denominator in units of 2^-64.
inline std::uint64_t chance(std::uint64_t numerator, std::uint64_t denominator) {
  return static_cast<std::uint64_t>((static_cast<unsigned __int128>(numerator) << 64) / denominator);
}

// Attaches the same number of nodes to each switch of a plane.
inline PlanePlan uniform_attachment(PlanePlan plane, std::uint32_t nodes_per_switch) {
  plane.node_switch.clear();
  for (std::uint32_t node = 0; node < plane.switches * nodes_per_switch; ++node)
    plane.node_switch.push_back(node / nodes_per_switch);
  return plane;
}

// The n-cube with dimension-order routing and cables of one length.
inline PlanePlan cube(int n, std::int32_t cable) {
  PlanePlan plane;
  plane.switches = 1u << n;
  plane.ports = static_cast<std::uint32_t>(n);
  for (std::uint32_t s = 0; s < plane.switches; ++s)
    for (int k = 0; k < n; ++k) {
      plane.peer.push_back(static_cast<std::int32_t>(s ^ 1u << k));
      plane.peer_port.push_back(k);
      plane.cable.push_back(cable);
    }
  RoutePlan& routes = plane.routes;
  routes.group = Group::kXor;
  routes.row.assign(plane.switches, 0);
  for (std::uint32_t offset = 0; offset < plane.switches; ++offset) {
    routes.next_port.push_back(offset == 0 ? kArrived : static_cast<std::uint16_t>(std::countr_zero(offset)));
    routes.hops.push_back(std::popcount(offset));
  }
  return uniform_attachment(std::move(plane), 1);
}

// A ring of switches; every route goes in the positive direction. Without datelines it can deadlock.
inline PlanePlan ring(std::uint32_t size, bool datelines, std::int32_t cable = 0) {
  PlanePlan plane;
  plane.switches = size;
  plane.ports = 2;
  RoutePlan& routes = plane.routes;
  routes.group = Group::kTorus;
  routes.shape = {size};
  routes.row.assign(size, 0);
  for (std::uint32_t s = 0; s < size; ++s) {
    plane.peer.push_back(static_cast<std::int32_t>((s + 1) % size));
    plane.peer.push_back(static_cast<std::int32_t>((s + size - 1) % size));
    plane.peer_port.insert(plane.peer_port.end(), {1, 0});
    plane.cable.insert(plane.cable.end(), {cable, cable});
    routes.next_port.push_back(s == 0 ? kArrived : 0);
    routes.hops.push_back(static_cast<std::int32_t>(s));
    if (!datelines) continue;
    routes.dateline.push_back(s + 1 == size);
    routes.dateline.push_back(s == 0);
  }
  if (datelines) {
    routes.dimension.assign(std::size_t{2} * size, 0);
    routes.channel_classes = 2;
  }
  return uniform_attachment(std::move(plane), 1);
}

// A tree: leaves with `hosts` nodes each, below spines without nodes. A packet goes up to spine (destination node mod
// number of spines). All leaves share a row, because a packet at its destination needs no look-up; so do spines.
inline PlanePlan tree(std::uint32_t leaves, std::uint32_t hosts, std::uint32_t spines, std::int32_t cable) {
  PlanePlan plane;
  plane.switches = leaves + spines;
  plane.ports = std::max(leaves, spines);
  RoutePlan& routes = plane.routes;
  routes.group = Group::kTable;
  for (std::uint32_t s = 0; s < plane.switches; ++s) {
    const bool leaf = s < leaves;
    routes.row.push_back(leaf ? 0 : 1);
    for (std::uint32_t port = 0; port < plane.ports; ++port) {
      const bool cabled = port < (leaf ? spines : leaves);
      plane.peer.push_back(cabled ? static_cast<std::int32_t>(leaf ? leaves + port : port) : -1);
      plane.peer_port.push_back(cabled ? static_cast<std::int32_t>(leaf ? s : s - leaves) : -1);
      plane.cable.push_back(cable);
    }
    for (std::uint32_t node = 0; node < leaves * hosts; ++node)
      routes.hops.push_back(leaf ? 2 * (node / hosts != s) : 1);
  }
  for (std::uint32_t node = 0; node < leaves * hosts; ++node) {
    plane.node_switch.push_back(node / hosts);
    routes.column.push_back(node);
    routes.next_port.push_back(static_cast<std::uint16_t>(node % spines));
  }
  for (std::uint32_t node = 0; node < leaves * hosts; ++node)
    routes.next_port.push_back(static_cast<std::uint16_t>(node / hosts));
  return plane;
}

// Fully connected switches with a node at each: port o leads to the switch o + 1 further.
inline PlanePlan full_mesh(std::uint32_t size, std::int32_t cable) {
  PlanePlan plane;
  plane.switches = size;
  plane.ports = size - 1;
  RoutePlan& routes = plane.routes;
  routes.group = Group::kTable;
  for (std::uint32_t s = 0; s < size; ++s) {
    routes.row.push_back(static_cast<std::int32_t>(s));
    for (std::uint32_t ahead = 1; ahead < size; ++ahead) {
      plane.peer.push_back(static_cast<std::int32_t>((s + ahead) % size));
      plane.peer_port.push_back(static_cast<std::int32_t>(size - ahead - 1));
      plane.cable.push_back(cable);
    }
    for (std::uint32_t d = 0; d < size; ++d) {
      routes.next_port.push_back(d == s ? kArrived : static_cast<std::uint16_t>((d + size - s) % size - 1));
      routes.hops.push_back(d != s);
    }
  }
  return uniform_attachment(std::move(plane), 1);
}

// Adds detours over any other switch along the routes of a plane, whose columns are switches or offsets. Packets may
// use any channel, since a detour may cross more datelines than a route.
inline PlanePlan with_detours(PlanePlan plane) {
  const Routes routes(plane.routes, plane.ports);
  plane.routes.dimension.clear();
  plane.routes.dateline.clear();
  plane.routes.channel_classes = 1;
  DetourPlan& detours = plane.detours;
  detours.regions = plane.switches;
  for (std::uint32_t s = 0; s < plane.switches; ++s) {
    detours.region.push_back(static_cast<std::uint16_t>(s));
    for (std::uint32_t region = 0; region < plane.switches; ++region) {
      detours.next_port.push_back(s == region ? kArrived : routes.next_port(s, region));
      detours.entry.push_back(region);
      detours.hops.push_back(static_cast<std::uint16_t>(s == region ? 0 : routes.hops(s, region)));
    }
  }
  return plane;
}

// A listed message with its size, delay and predecessors.
struct Listed {
  std::uint32_t source, destination;
  std::uint64_t bits;
  Tick delay = 0;
  std::vector<std::uint32_t> predecessors = {};
};

inline TrafficPlan listed(const std::vector<Listed>& messages) {
  TrafficPlan plan;
  plan.pattern = Pattern::kList;
  std::vector<std::vector<std::uint32_t>> successors(messages.size());
  for (std::uint32_t i = 0; i < messages.size(); ++i) {
    const Listed& message = messages[i];
    plan.source.push_back(message.source);
    plan.destination.push_back(message.destination);
    plan.bits.push_back(message.bits);
    plan.delay.push_back(message.delay);
    plan.predecessors.push_back(static_cast<std::uint32_t>(message.predecessors.size()));
    for (const std::uint32_t predecessor : message.predecessors) successors[predecessor].push_back(i);
  }
  plan.successor_starts.push_back(0);
  for (const auto& own : successors) {
    plan.successors.insert(plan.successors.end(), own.begin(), own.end());
    plan.successor_starts.push_back(static_cast<std::uint32_t>(plan.successors.size()));
  }
  return plan;
}

}  // namespace cases
