// Loads of networks whose routes depend on offsets, against the same routes as tables of all switches.
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "check.hpp"
#include "isoplane/general.hpp"

namespace {

using Random = std::mt19937_64;
using Loads = std::vector<std::vector<std::int64_t>>;

std::size_t index(std::int64_t value) { return static_cast<std::size_t>(value); }

// Offsets of bits if there is no shape, else of the coordinates of a torus.
struct Group {
  std::vector<std::int64_t> shape;
  std::size_t switches;

  std::size_t sum(std::size_t a, std::size_t b) const {
    if (shape.empty()) return a ^ b;
    std::size_t found = 0, stride = 1;
    for (const std::int64_t size : shape) {
      found += (a / stride + b / stride) % index(size) * stride;
      stride *= index(size);
    }
    return found;
  }

  std::size_t difference(std::size_t a, std::size_t b) const {
    for (std::size_t found = 0;; ++found)
      if (sum(found, b) == a) return found;
  }
};

// A plane with a port for each of some offsets, and routes along a random tree of shortest paths.
struct Plane {
  std::size_t ports;
  std::vector<std::int32_t> peer, own_row, one_row, label;
  std::vector<std::uint16_t> by_offset, table;

  Plane(const Group& group, std::size_t count, Random& random) : ports(count), one_row(group.switches) {
    std::vector<std::size_t> move{1};
    for (std::size_t stride = 1, i = 0; stride < group.switches;
         stride *= group.shape.empty() ? 2 : index(group.shape[i++]))
      move.push_back(stride);
    while (move.size() < ports) move.push_back(1 + random() % (group.switches - 1));
    ports = move.size();
    for (std::size_t here = 0; here < group.switches; ++here) {
      for (std::size_t port = 0; port < ports; ++port)
        peer.push_back(static_cast<std::int32_t>(group.sum(here, move[port])));
      own_row.push_back(static_cast<std::int32_t>(here));
      label.push_back(static_cast<std::int32_t>(here));
    }
    by_offset.assign(group.switches, isoplane::kNoRoute);
    std::vector<std::size_t> reached{0};
    for (std::size_t i = 0; i < reached.size(); ++i)
      for (std::size_t tried = 0, first = random() % ports; tried < ports; ++tried) {
        const std::size_t port = (first + tried) % ports, before = group.sum(reached[i], move[port]);
        if (before == 0 || by_offset[before] != isoplane::kNoRoute) continue;
        by_offset[before] = static_cast<std::uint16_t>(port);
        reached.push_back(before);
      }
  }

  void expand(const Group& group) {
    table.clear();
    for (std::size_t here = 0; here < group.switches; ++here)
      for (std::size_t target = 0; target < group.switches; ++target)
        table.push_back(by_offset[group.difference(target, here)]);
  }

  isoplane::RoutedPlane routed(const Group& group, bool as_table) const {
    isoplane::RoutedPlane plane{{peer.data(), group.switches, ports}, {}, label.data()};
    plane.routes.key = as_table              ? isoplane::RouteKey::kTable
                       : group.shape.empty() ? isoplane::RouteKey::kXor
                                             : isoplane::RouteKey::kTorus;
    plane.routes.shape = group.shape;
    plane.routes.row = as_table ? own_row.data() : one_row.data();
    plane.routes.columns = group.switches;
    plane.routes.next_port = as_table ? table.data() : by_offset.data();
    return plane;
  }
};

// Nodes at some of the switches, each with the same number of links.
struct Nodes {
  std::vector<std::int64_t> count, start{0};
  std::vector<std::int32_t> at;

  Nodes(const Group& group, std::size_t links, Random& random) {
    for (std::size_t here = 0; here < group.switches; ++here) {
      if (random() % 3 == 0) continue;
      count.push_back(static_cast<std::int64_t>(1 + random() % 9));
      at.insert(at.end(), links, static_cast<std::int32_t>(here));
      start.push_back(static_cast<std::int64_t>(at.size()));
    }
  }
};

// The least parts of a packet with the loads of all links, or the error.
struct Outcome {
  std::int64_t parts = 0;
  Loads loads;
  std::string error;

  bool operator==(const Outcome&) const = default;
};

Outcome outcome(const Group& group, const std::vector<Plane>& planes, const Nodes& nodes,
                const std::vector<std::int64_t>& weight, bool as_table) {
  const std::size_t count = nodes.count.size();
  isoplane::LoadTask task{{}, {count, nodes.count.data(), {}}, {count, nodes.count.data(), {}}, {weight}};
  Outcome found;
  std::vector<std::int64_t*> sums;
  for (const Plane& plane : planes) {
    task.planes.push_back(plane.routed(group, as_table));
    task.groups.links.push_back({nodes.start.data(), nodes.at.data()});
    task.ends.links.push_back({nodes.start.data(), nodes.at.data(), nodes.at.data()});
    found.loads.emplace_back(plane.peer.size());
  }
  for (auto& loads : found.loads) sums.push_back(loads.data());
  try {
    found.parts = isoplane::packet_parts(task, 1);
    isoplane::add_loads(task, found.parts, {sums, {}, {}});
  } catch (const isoplane::BadRoute& error) {
    found = {0, {}, error.what()};
  }
  return found;
}

void loads_are_those_of_tables() {
  Random random(5);
  const std::vector<Group> groups{{{}, 16}, {{}, 32}, {{3, 5, 2}, 30}, {{4, 4}, 16}, {{11}, 11}};
  for (int repeat = 0; repeat < 20; ++repeat)
    for (const Group& group : groups)
      for (const std::size_t count : {1, 2})
        for (const bool weighs : {false, true}) {
          std::vector<Plane> planes;
          std::vector<std::int64_t> weight;
          for (std::size_t i = 0; i < count; ++i) {
            planes.emplace_back(group, 5, random);
            if (random() % 8 == 0)  // often a loop
              planes[i].by_offset[1 + random() % (group.switches - 1)] = static_cast<std::uint16_t>(random() % 6);
            if (random() % 8 == 0)  // no translation preserves the cables
              std::swap(planes[i].peer[0], planes[i].peer[planes[i].ports]);
            planes[i].expand(group);
            if (weighs) weight.push_back(static_cast<std::int64_t>(1 + random() % 3));
          }
          const Nodes nodes(group, 1 + random() % 2, random);
          CHECK(outcome(group, planes, nodes, weight, false) == outcome(group, planes, nodes, weight, true));
        }
}

}  // namespace

void test_translated_loads() { loads_are_those_of_tables(); }
