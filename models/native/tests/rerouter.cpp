// Native tests of the repair of tables: every route arrives, routes that still arrived are kept, and loads are counted.
#include "isoplane/rerouter.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "check.hpp"
#include "isoplane/minimal_table.hpp"
#include "suites.hpp"

namespace {

constexpr std::size_t kSwitches = 24, kPorts = 6;
using Peers = std::vector<std::int32_t>;
using Table = std::vector<std::uint16_t>;  // [column][switch]

// A ring with random chords; every switch has at most kPorts cables.
Peers random_graph(std::mt19937& random) {
  Peers peer(kSwitches * kPorts, -1);
  std::vector<std::size_t> used(kSwitches, 0);
  const auto join = [&](std::size_t a, std::size_t b) {
    if (a == b || used[a] == kPorts || used[b] == kPorts) return;
    peer[a * kPorts + used[a]++] = static_cast<std::int32_t>(b);
    peer[b * kPorts + used[b]++] = static_cast<std::int32_t>(a);
  };
  for (std::size_t here = 0; here < kSwitches; ++here) join(here, (here + 1) % kSwitches);
  for (int chord = 0; chord < 30; ++chord) join(random() % kSwitches, random() % kSwitches);
  return peer;
}

Table transposed(const Table& table) {
  Table found(table.size());
  for (std::size_t row = 0; row < kSwitches; ++row)
    for (std::size_t column = 0; column < kSwitches; ++column)
      found[column * kSwitches + row] = table[row * kSwitches + column];
  return found;
}

// Hops of a route; more than the number of switches if it does not arrive.
std::size_t hops(const Peers& peer, const Table& table, std::size_t here, std::size_t to) {
  std::size_t count = 0;
  while (here != to && count <= kSwitches) {
    const std::size_t port = table[to * kSwitches + here];
    if (port >= kPorts || peer[here * kPorts + port] < 0) return kSwitches + 1;
    here = static_cast<std::size_t>(peer[here * kPorts + port]);
    ++count;
  }
  return count;
}

std::int64_t heaviest_by_following_every_route(const Peers& peer, const Table& table,
                                               const std::vector<std::int64_t>& sent,
                                               const std::vector<std::uint16_t>& share) {
  std::vector<std::int64_t> load(kSwitches * kPorts, 0);
  for (std::size_t from = 0; from < kSwitches; ++from)
    for (std::size_t to = 0; to < kSwitches; ++to)
      for (std::size_t here = from; here != to;) {
        const std::size_t link = here * kPorts + table[to * kSwitches + here];
        load[link] += sent[from] * sent[to] * share[to * kSwitches + from];
        here = static_cast<std::size_t>(peer[link]);
      }
  return *std::max_element(load.begin(), load.end());
}

void tables_are_repaired_and_relieved(unsigned seed) {
  std::mt19937 random(seed);
  const Peers peer = random_graph(random);
  const isoplane::Cables cables{peer.data(), kSwitches, kPorts};
  Table shortest(kSwitches * kSwitches, 0xFFFF);
  isoplane::minimal_columns(cables, 0, kSwitches, shortest.data());
  shortest = transposed(shortest);
  Table given = shortest;  // with arbitrary ports at some switches: longer routes, loops, and ports without cables
  for (std::uint16_t& port : given)
    if (random() % 4 == 0) port = static_cast<std::uint16_t>(random() % (kPorts + 2));
  std::vector<std::int32_t> target(kSwitches);
  std::vector<std::int64_t> sent(kSwitches);
  std::vector<std::uint16_t> share(kSwitches * kSwitches);
  for (std::size_t here = 0; here < kSwitches; ++here) target[here] = static_cast<std::int32_t>(here);
  for (std::int64_t& nodes : sent) nodes = random() % 3;
  for (std::uint16_t& parts : share) parts = static_cast<std::uint16_t>(random() % 3);
  Table table = given;
  isoplane::Rerouter rerouter(cables, target.data(), sent.data(), sent.data(), share.data(), kSwitches, table.data());
  rerouter.run(0, 10);
  rerouter.run(10, kSwitches - 10);
  const std::int64_t repaired = rerouter.heaviest();
  CHECK(repaired == heaviest_by_following_every_route(peer, table, sent, share));
  for (std::size_t to = 0; to < kSwitches; ++to)
    for (std::size_t from = 0; from < kSwitches; ++from) {
      if (from == to) continue;
      CHECK(hops(peer, table, from, to) <= kSwitches);
      if (hops(peer, given, from, to) <= kSwitches) CHECK(table[to * kSwitches + from] == given[to * kSwitches + from]);
    }
  std::int64_t heaviest = repaired;
  for (int sweep = 0; sweep < 6; ++sweep) {
    rerouter.relieve(0, kSwitches, heaviest * 7 / 10);
    heaviest = rerouter.heaviest();
    CHECK(heaviest == heaviest_by_following_every_route(peer, table, sent, share));
  }
  CHECK(heaviest <= repaired);
  std::size_t longest = 0;
  for (std::size_t to = 0; to < kSwitches; ++to)
    for (std::size_t from = 0; from < kSwitches; ++from) longest = std::max(longest, hops(peer, table, from, to));
  CHECK(longest == rerouter.longest());
}

}  // namespace

void test_rerouter() {
  for (unsigned seed = 0; seed < 50; ++seed) tables_are_repaired_and_relieved(seed);
}
