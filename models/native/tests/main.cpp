// Native tests of the models: shortest-path tables, against a breadth-first search to every switch.
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "check.hpp"
#include "isoplane/minimal_table.hpp"
#include "suites.hpp"

namespace {

using Random = std::mt19937_64;

// A ring with random chords: peer[switch][port].
std::vector<std::int32_t> ring_with_chords(std::size_t switches, std::size_t ports, Random& random) {
  std::vector<std::int32_t> peer(switches * ports, -1);
  std::vector<std::size_t> used(switches, 0);
  const auto join = [&](std::size_t a, std::size_t b) {
    if (a == b || used[a] == ports || used[b] == ports) return;
    peer[a * ports + used[a]++] = static_cast<std::int32_t>(b);
    peer[b * ports + used[b]++] = static_cast<std::int32_t>(a);
  };
  for (std::size_t i = 0; i < switches; ++i) join(i, (i + 1) % switches);
  for (std::size_t i = 0; i < switches * ports; ++i) join(random() % switches, random() % switches);
  return peer;
}

std::vector<std::int32_t> distances_to(const isoplane::Cables& cables, std::size_t destination) {
  std::vector<std::int32_t> distances(cables.switches, -1);
  std::vector<std::size_t> queue{destination};
  distances[destination] = 0;
  for (std::size_t done = 0; done < queue.size(); ++done)
    for (std::size_t port = 0; port < cables.ports; ++port) {
      const std::int32_t peer = cables.peer[queue[done] * cables.ports + port];
      if (peer < 0 || distances[static_cast<std::size_t>(peer)] >= 0) continue;
      distances[static_cast<std::size_t>(peer)] = distances[queue[done]] + 1;
      queue.push_back(static_cast<std::size_t>(peer));
    }
  return distances;
}

constexpr std::uint16_t kUnset = 0xFFFF;

std::uint16_t lowest_port_on_a_shortest_path(const isoplane::Cables& cables, const std::vector<std::int32_t>& distances,
                                             std::size_t here) {
  for (std::size_t port = 0; port < cables.ports; ++port) {
    const std::int32_t peer = cables.peer[here * cables.ports + port];
    if (peer >= 0 && distances[static_cast<std::size_t>(peer)] < distances[here])
      return static_cast<std::uint16_t>(port);
  }
  return kUnset;
}

void entries_are_the_lowest_port_on_a_shortest_path() {
  Random random(1);
  for (const std::size_t switches : {2, 3, 64, 65, 513, 700}) {
    const std::vector<std::int32_t> peer = ring_with_chords(switches, 5, random);
    const isoplane::Cables cables{peer.data(), switches, 5};
    std::vector<std::uint16_t> table(switches * switches, kUnset);
    isoplane::minimal_columns(cables, 0, switches, table.data());
    for (std::size_t destination = 0; destination < switches; ++destination) {
      const std::vector<std::int32_t> distances = distances_to(cables, destination);
      for (std::size_t here = 0; here < switches; ++here)
        if (table[here * switches + destination] != lowest_port_on_a_shortest_path(cables, distances, here))
          return CHECK(false);
    }
    CHECK(true);
  }
}

void other_columns_are_unchanged() {
  Random random(2);
  const std::vector<std::int32_t> peer = ring_with_chords(100, 4, random);
  std::vector<std::uint16_t> table(100 * 100, kUnset);
  isoplane::minimal_columns({peer.data(), 100, 4}, 30, 7, table.data());
  std::size_t filled = 0;
  for (std::size_t i = 0; i < table.size(); ++i)
    if (table[i] != kUnset) {
      CHECK(i % 100 >= 30 && i % 100 < 37);
      ++filled;
    }
  CHECK(filled == 7 * 99);
}

}  // namespace

int main() {
  entries_are_the_lowest_port_on_a_shortest_path();
  other_columns_are_unchanged();
  test_balancer();
  test_rack_search();
  test_rerouter();
  test_routing_cache();
  return check::finish();
}
