// Distances and loads of random trees with chords, against a search and a walk for every pair of switches.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

#include "check.hpp"
#include "isoplane/general.hpp"
#include "isoplane/minimal_table.hpp"

namespace {

using Random = std::mt19937_64;

// A plane with a table along shortest paths, and the nodes at its switches.
struct Sample {
  std::size_t switches, ports;
  std::vector<std::int32_t> peer, row, label, at;
  std::vector<std::uint16_t> table;

  isoplane::Cables cables() const { return {peer.data(), switches, ports}; }

  isoplane::RoutedPlane routed() const {
    isoplane::RoutedPlane plane{cables(), {}, label.data()};
    plane.routes.row = row.data();
    plane.routes.columns = switches;
    plane.routes.next_port = table.data();
    return plane;
  }

  std::vector<std::size_t> route(std::int32_t from, std::int32_t to) const {  // links, as switch * ports + port
    std::vector<std::size_t> links;
    for (auto here = static_cast<std::size_t>(from); here != static_cast<std::size_t>(to);) {
      links.push_back(here * ports + table[here * switches + static_cast<std::size_t>(to)]);
      here = static_cast<std::size_t>(peer[links.back()]);
    }
    return links;
  }
};

Sample random_sample(std::size_t switches, std::size_t groups, Random& random) {
  Sample made{switches, switches, {}, {}, {}, {}, {}};
  made.peer.assign(switches * switches, -1);  // the port to switch i is port i
  const auto join = [&](std::size_t a, std::size_t b) {
    made.peer[a * switches + b] = static_cast<std::int32_t>(b);
    made.peer[b * switches + a] = static_cast<std::int32_t>(a);
  };
  for (std::size_t i = 1; i < switches; ++i) join(i, random() % i);
  for (std::size_t i = 0; i < switches / 3; ++i)
    if (const std::size_t a = random() % switches, b = random() % switches; a != b) join(a, b);
  for (std::size_t i = 0; i < switches; ++i) {
    made.row.push_back(static_cast<std::int32_t>(i));
    made.label.push_back(static_cast<std::int32_t>(i));
  }
  for (std::size_t i = 0; i < groups; ++i) made.at.push_back(static_cast<std::int32_t>(random() % switches));
  made.table.assign(switches * switches, 0xFFFF);
  isoplane::minimal_columns(made.cables(), 0, switches, made.table.data());
  return made;
}

// What every pair of groups puts on the links, pair by pair.
void check_network(const std::vector<Sample>& planes, const std::vector<std::int64_t>& nodes) {
  constexpr std::int64_t kWhole = 6;
  isoplane::NodeGroups groups{nodes.size(), nodes.data(), {}};
  isoplane::Ends ends{nodes.size(), nodes.data(), {}, {}};
  std::vector<isoplane::Cables> cables;
  std::vector<isoplane::RoutedPlane> routed;
  std::vector<std::vector<std::int64_t>> expected, found;
  std::vector<std::int64_t*> loads;
  for (const Sample& plane : planes) {
    groups.switch_of.push_back(plane.at.data());
    ends.target.push_back(plane.at.data());
    ends.goal.push_back(plane.at.data());
    cables.push_back(plane.cables());
    routed.push_back(plane.routed());
    expected.emplace_back(plane.peer.size(), 0);
    found.emplace_back(plane.peer.size(), 0);
  }
  std::int64_t total = 0, diameter = 0;
  for (std::size_t a = 0; a < nodes.size(); ++a)
    for (std::size_t b = 0; b < nodes.size(); ++b) {
      std::vector<std::vector<std::size_t>> routes;
      for (const Sample& plane : planes) routes.push_back(plane.route(plane.at[a], plane.at[b]));
      std::size_t nearest = routes[0].size();
      for (const auto& route : routes) nearest = std::min(nearest, route.size());
      std::int64_t ties = 0;
      for (const auto& route : routes) ties += route.size() == nearest;
      for (std::size_t plane = 0; plane < planes.size(); ++plane)
        if (routes[plane].size() == nearest)
          for (const std::size_t link : routes[plane]) expected[plane][link] += nodes[a] * nodes[b] * kWhole / ties;
      total += nodes[a] * nodes[b] * static_cast<std::int64_t>(nearest);
      diameter = std::max(diameter, static_cast<std::int64_t>(nearest));
    }
  for (auto& plane : found) loads.push_back(plane.data());
  isoplane::add_loads(routed, groups, ends, kWhole, loads);
  CHECK(found == expected);
  std::vector<std::int64_t> all(nodes.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<std::int64_t>(i);
  const std::vector<std::int64_t> beyond = isoplane::pairs_beyond(cables, groups, all.data(), all.size());
  CHECK(std::accumulate(beyond.begin(), beyond.end(), std::int64_t{0}) == total);
  CHECK(static_cast<std::int64_t>(beyond.size()) == diameter);
}

void distances_and_loads_are_those_of_every_pair() {
  Random random(3);
  for (const std::size_t planes : {1, 2, 3})
    for (const std::size_t count : {1, 2, 30, 600}) {
      std::vector<std::int64_t> nodes;
      for (std::size_t i = 0; i < count; ++i) nodes.push_back(static_cast<std::int64_t>(1 + random() % 9));
      std::vector<Sample> samples;
      for (std::size_t i = 0; i < planes; ++i) samples.push_back(random_sample(2 + random() % 60, count, random));
      check_network(samples, nodes);
    }
}

}  // namespace

void test_general() { distances_and_loads_are_those_of_every_pair(); }
