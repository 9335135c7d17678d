// Native tests of balanced tables: they stay tables of shortest paths, and their heaviest link never gets heavier.
#include "isoplane/balancer.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "check.hpp"
#include "isoplane/minimal_table.hpp"
#include "suites.hpp"

namespace {

// A grid of side * side switches that wraps around: ports 0 to 3 lead to x + 1, x - 1, y + 1 and y - 1.
std::vector<std::int32_t> torus(std::size_t side) {
  std::vector<std::int32_t> peer;
  for (std::size_t y = 0; y < side; ++y)
    for (std::size_t x = 0; x < side; ++x)
      for (const auto& [dx, dy] : {std::pair<std::size_t, std::size_t>{1, 0}, {side - 1, 0}, {0, 1}, {0, side - 1}})
        peer.push_back(static_cast<std::int32_t>((x + dx) % side + side * ((y + dy) % side)));
  return peer;
}

std::vector<std::uint16_t> shortest_paths(const isoplane::Cables& cables) {
  std::vector<std::uint16_t> table(cables.switches * cables.switches, 0xFFFF);
  isoplane::minimal_columns(cables, 0, cables.switches, table.data());
  return table;
}

// The length of a route, at most the number of switches.
std::size_t hops(const isoplane::Cables& cables, const std::vector<std::uint16_t>& table, std::size_t from,
                 std::size_t to) {
  std::size_t count = 0;
  for (std::size_t here = from; here != to && count < cables.switches; ++count)
    here = static_cast<std::size_t>(cables.peer[here * cables.ports + table[here * cables.switches + to]]);
  return count;
}

std::int64_t heaviest_by_following_every_route(const isoplane::Cables& cables, const std::vector<std::uint16_t>& table,
                                               const std::vector<std::int64_t>& weight) {
  std::vector<std::int64_t> load(cables.switches * cables.ports, 0);
  for (std::size_t from = 0; from < cables.switches; ++from)
    for (std::size_t to = 0; to < cables.switches; ++to)
      for (std::size_t here = from; here != to;) {
        const std::size_t link = here * cables.ports + table[here * cables.switches + to];
        load[link] += weight[from] * weight[to];
        here = static_cast<std::size_t>(cables.peer[link]);
      }
  return *std::max_element(load.begin(), load.end());
}

void tables_stay_shortest_and_loads_are_counted() {
  const std::vector<std::int32_t> peer = torus(6);
  const isoplane::Cables cables{peer.data(), 36, 4};
  std::vector<std::int64_t> weight(36, 1);
  weight[7] = 3;
  weight[20] = 0;
  const std::vector<std::uint16_t> before = shortest_paths(cables);
  std::vector<std::uint16_t> table = before;
  std::vector<std::int32_t> target(36);
  std::iota(target.begin(), target.end(), 0);
  isoplane::Balancer balancer(cables, {36, target.data(), weight.data(), table.data()}, weight.data(), nullptr, 1);
  balancer.measure(0, 20);
  balancer.measure(20, 16);
  const std::int64_t start = balancer.heaviest(), total = balancer.total();
  CHECK(start == heaviest_by_following_every_route(cables, before, weight));
  for (int call = 0; call < 4; ++call) {
    balancer.run(20000, call < 2 ? 0.5 : 0);
    CHECK(balancer.heaviest() == heaviest_by_following_every_route(cables, table, weight));
    CHECK(balancer.total() == total);
  }
  CHECK(balancer.heaviest() < start);
  CHECK(table != before);
  for (std::size_t from = 0; from < 36; ++from)
    for (std::size_t to = 0; to < 36; ++to) CHECK(hops(cables, table, from, to) == hops(cables, before, from, to));
}

}  // namespace

void test_balancer() { tables_stay_shortest_and_loads_are_counted(); }
