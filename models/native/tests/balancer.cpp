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

// Two planes of a torus, of which the second has its switches at other places: x at 7x modulo 36 is a permutation.
void each_pair_takes_a_near_plane_and_loads_are_counted() {
  constexpr std::size_t kSwitches = 36, kPorts = 4;
  const std::vector<std::int32_t> peer = torus(6);
  std::vector<std::int32_t> peers = peer;
  std::vector<std::size_t> at(kSwitches);
  for (std::size_t here = 0; here < kSwitches; ++here) at[here * 7 % kSwitches] = here;
  for (std::size_t here = 0; here < kSwitches; ++here)
    for (std::size_t port = 0; port < kPorts; ++port) {
      const auto place = static_cast<std::size_t>(peer[here * 7 % kSwitches * kPorts + port]);
      peers.push_back(static_cast<std::int32_t>(kSwitches + at[place]));
    }
  const isoplane::Cables both{peers.data(), 2 * kSwitches, kPorts};
  std::vector<std::uint16_t> table(2 * kSwitches * kSwitches, 0xFFFF);
  for (std::size_t plane = 0; plane < 2; ++plane) {
    std::vector<std::int32_t> own(peers.begin() + static_cast<std::ptrdiff_t>(plane * kSwitches * kPorts),
                                  peers.begin() + static_cast<std::ptrdiff_t>((plane + 1) * kSwitches * kPorts));
    for (std::int32_t& end : own) end -= static_cast<std::int32_t>(plane * kSwitches);
    const std::vector<std::uint16_t> found = shortest_paths({own.data(), kSwitches, kPorts});
    std::copy(found.begin(), found.end(), table.begin() + static_cast<std::ptrdiff_t>(plane * found.size()));
  }
  std::vector<std::int64_t> weight(kSwitches, 1);
  weight[7] = 3;
  std::vector<std::int32_t> target(kSwitches);
  std::iota(target.begin(), target.end(), 0);
  std::vector<std::uint8_t> plane_of(kSwitches * kSwitches, 0);
  const auto length = [&](std::size_t plane, std::size_t from, std::size_t to) {
    std::size_t count = 0;
    for (std::size_t here = from + plane * kSwitches; here != to + plane * kSwitches; ++count)
      here = static_cast<std::size_t>(peers[here * kPorts + table[here * kSwitches + to]]);
    return count;
  };
  for (std::size_t from = 0; from < kSwitches; ++from)
    for (std::size_t to = 0; to < kSwitches; ++to)
      plane_of[from * kSwitches + to] = length(1, from, to) < length(0, from, to);
  isoplane::Balancer balancer(both, {kSwitches, target.data(), weight.data(), table.data()}, weight.data(), nullptr, 1,
                              {2, plane_of.data(), 1});
  balancer.measure(0, kSwitches);
  const auto heaviest = [&] {
    std::vector<std::int64_t> load(2 * kSwitches * kPorts, 0);
    for (std::size_t from = 0; from < kSwitches; ++from)
      for (std::size_t to = 0; to < kSwitches; ++to) {
        const std::size_t start = plane_of[from * kSwitches + to] * kSwitches;
        for (std::size_t here = start + from; here != start + to;) {
          const std::size_t link = here * kPorts + table[here * kSwitches + to];
          load[link] += weight[from] * weight[to];
          here = static_cast<std::size_t>(peers[link]);
        }
      }
    return *std::max_element(load.begin(), load.end());
  };
  // Pairs whose route in their plane is longer by so many hops than in the other.
  const auto detours = [&](std::size_t by) {
    std::size_t count = 0;
    for (std::size_t from = 0; from < kSwitches; ++from)
      for (std::size_t to = 0; to < kSwitches; ++to) {
        const std::size_t taken = plane_of[from * kSwitches + to];
        count += length(taken, from, to) >= length(1 - taken, from, to) + by;
      }
    return count;
  };
  const std::int64_t start = balancer.heaviest();
  CHECK(start == heaviest());
  for (int call = 0; call < 6; ++call) {
    balancer.run(50000, call < 2 ? 0.5 : 0);
    CHECK(balancer.heaviest() == heaviest());
  }
  CHECK(balancer.heaviest() < start);
  const std::int64_t before = balancer.heaviest();
  const std::size_t longer = detours(1);
  CHECK(longer > 0);
  balancer.shorten();
  CHECK(balancer.heaviest() == heaviest());
  CHECK(balancer.heaviest() <= before);
  CHECK(detours(1) < longer);
  CHECK(detours(2) == 0);
}

}  // namespace

void test_balancer() {
  tables_stay_shortest_and_loads_are_counted();
  each_pair_takes_a_near_plane_and_loads_are_counted();
}
