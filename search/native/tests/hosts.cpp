// Tests of host graphs: their moves, their distances, and walks over them.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <numeric>
#include <queue>
#include <stdexcept>
#include <vector>

#include "check.hpp"
#include "isoplane/host_distances.hpp"
#include "isoplane/host_graph.hpp"
#include "isoplane/host_walk.hpp"

namespace {

using isoplane::DistanceSums;
using isoplane::HostDistances;
using isoplane::HostGraph;
using isoplane::HostMove;
using isoplane::HostTask;
using isoplane::HostWalk;
using isoplane::Isa;
using isoplane::Random;

constexpr std::int64_t kNoLimit = std::numeric_limits<std::int64_t>::max() / 4;

struct Size {
  std::uint32_t switches, ports, planes, hosts;
};
constexpr Size kSizes[] = {{2, 5, 1, 6},      {9, 6, 1, 20},    {30, 8, 2, 100},  {70, 7, 3, 200},
                           {150, 12, 1, 700}, {300, 9, 2, 900}, {600, 6, 1, 1200}};

HostGraph random_graph(const Size& size, Random& random, int moves) {
  HostGraph graph(size.switches, size.ports, size.planes, size.hosts);
  HostMove move(size.switches * size.ports);
  for (int i = 0; i < moves; ++i) {
    move.fill(graph, random);
    move.make(graph, random);
  }
  return graph;
}

bool is_within(const HostGraph& graph, const Size& size) {
  const auto& hosts = graph.hosts();
  if (std::accumulate(hosts.begin(), hosts.end(), 0u) != size.hosts) return false;
  for (std::uint32_t plane = 0; plane < size.planes; ++plane) {
    std::vector<std::uint32_t> degrees(size.switches);
    std::vector<std::vector<bool>> joined(size.switches, std::vector<bool>(size.switches));
    for (const auto& [one, other] : graph.edges(plane)) {
      if (one == other || joined[one][other]) return false;
      joined[one][other] = joined[other][one] = true;
      ++degrees[one];
      ++degrees[other];
    }
    if (degrees != graph.degrees(plane)) return false;
    for (std::uint32_t at = 0; at < size.switches; ++at) {
      if (degrees[at] + hosts[at] > size.ports) return false;
      for (std::uint32_t other = 0; other < size.switches; ++other)
        if (graph.joined(plane, at, other) != joined[at][other]) return false;
      for (std::uint32_t port = 0; port < degrees[at]; ++port)
        if (!joined[at][graph.next(plane, at)[port]]) return false;
    }
  }
  return true;
}

void moves_keep_simple_graphs_within_the_ports_and_can_be_undone() {
  Random random(3, 0);
  for (const Size& size : kSizes) {
    HostGraph graph = random_graph(size, random, 400);
    CHECK(is_within(graph, size));
    for (const bool is_fill : {false, true}) {
      HostMove move(graph.edges(0).size() + 2);
      int made = 0;
      for (int i = 0; i < 200; ++i) {
        const HostGraph::Words before = graph.words();
        const bool moved = is_fill ? move.fill(graph, random) : move.make(graph, random);
        made += moved;
        CHECK(moved || graph.words() == before);
        if (i % 2 == 0) continue;
        move.undo(graph);
        CHECK(graph.words() == before);
      }
      CHECK(made > 0 || is_fill || size.switches == 2);
      CHECK(is_within(graph, size));
    }
    CHECK(HostGraph(graph.words(), size.ports, size.planes, size.hosts).words() == graph.words());
    CHECK(check::throws<std::invalid_argument>(
        [&] { HostGraph(graph.words(), size.ports, size.planes, size.hosts + 1); }));
  }
}

// By a search from every switch in every plane.
DistanceSums expected_sums(const HostGraph& graph) {
  const std::uint32_t count = graph.switches();
  DistanceSums sums;
  for (std::uint32_t source = 0; source < count; ++source) {
    std::vector<std::int64_t> nearest(count, count);
    for (std::uint32_t plane = 0; plane < graph.planes(); ++plane) {
      std::vector<std::int64_t> hops(count, -1);
      std::queue<std::uint32_t> waiting({source});
      hops[source] = 0;
      for (; !waiting.empty(); waiting.pop()) {
        const std::uint32_t here = waiting.front();
        nearest[here] = std::min(nearest[here], hops[here]);
        for (std::uint32_t port = 0; port < graph.degree(plane, here); ++port) {
          const std::uint32_t peer = graph.next(plane, here)[port];
          if (hops[peer] >= 0) continue;
          hops[peer] = hops[here] + 1;
          waiting.push(peer);
        }
      }
    }
    for (std::uint32_t end = 0; end < count; ++end) {
      const std::int64_t pairs = std::int64_t{graph.hosts()[source]} * graph.hosts()[end];
      sums.hops += pairs * nearest[end];
      if (pairs > 0) sums.diameter = std::max(sums.diameter, nearest[end]);
    }
  }
  return sums;
}

void distances_equal_those_of_single_searches() {
  Random random(4, 0);
  for (const Isa isa : {Isa::kScalar, Isa::kAvx2, Isa::kAvx512}) {
    if (!isoplane::isa_available(isa)) continue;
    HostDistances distances(isa);
    for (const Size& size : kSizes) {
      for (const int moves : {30, 2000}) {  // the first ones are not connected
        const HostGraph graph = random_graph(size, random, moves);
        const DistanceSums expected = expected_sums(graph), sums = distances(graph, kNoLimit);
        // Hosts that no plane joins are at least as far apart as there are switches.
        CHECK(graph.is_connected() ? sums.hops == expected.hops : sums.hops >= expected.hops);
        if (!graph.is_connected()) continue;
        CHECK(sums.diameter == expected.diameter && distances(graph, expected.hops).hops == expected.hops);
        CHECK(distances(graph, expected.hops - 1).hops >= expected.hops);
      }
    }
  }
}

std::shared_ptr<const HostTask> task(const Size& size, bool moves_hosts, std::vector<std::uint32_t> sizes) {
  auto made = std::make_shared<HostTask>();
  *made = {size.hosts, size.ports, size.planes, 70, moves_hosts, std::move(sizes)};
  made->check();
  return made;
}

void walks_do_not_depend_on_interruptions() {
  const Size size{0, 9, 2, 90};
  for (const bool moves_hosts : {false, true}) {
    const auto graphs = task(size, moves_hosts, {14, 15, 16, 18, 20, 22, 25});
    const isoplane::HostAnnealing settings{0.2, 0.4, 200, 1.5};
    HostWalk whole(graphs, settings, 1, 2, {});
    whole.run(20000);
    HostWalk part(graphs, settings, 1, 2, {});
    for (int done = 0, step = 1; done < 20000; done += step, step = std::min(3 * step, 20000 - done)) {
      part.run(step);
      part = HostWalk(graphs, settings, part.state());
    }
    CHECK(whole.state() == part.state() && whole.designs() == part.designs());
    const HostGraph best(whole.designs().front(), size.ports, size.planes, size.hosts);
    CHECK(best.is_connected());
    for (std::uint32_t plane = 0; plane < size.planes; ++plane) CHECK(best.edges(plane).size() <= 70);
    const auto [least, most] = std::minmax_element(best.hosts().begin(), best.hosts().end());
    CHECK(moves_hosts || *most - *least <= 1);
    isoplane::State damaged = part.state();
    damaged[damaged.size() / 2] ^= 1;
    CHECK(check::throws<std::invalid_argument>([&] { HostWalk(graphs, settings, damaged); }));
  }
}

void starts_are_connected_graphs_within_the_ports() {
  const Size size{3, 5, 1, 7};
  const isoplane::HostAnnealing settings{0.2, 0.4, 200, 1.5};
  const auto start = [&](HostWalk::Words words) { HostWalk(task(size, true, {3}), settings, 1, 0, words); };
  start({3, 2, 2, 3, 2, 0, 1, 1, 2});
  for (const HostWalk::Words& words : {HostWalk::Words{3, 2, 2, 3, 1, 0, 1},
                                       {3, 2, 2, 3, 2, 0, 1, 1, 0},
                                       {3, 2, 2, 4, 2, 0, 1, 1, 2},
                                       {3, 2, 4, 1, 2, 0, 1, 1, 2},
                                       {3, 2, 2}})
    CHECK(check::throws<std::invalid_argument>([&] { start(words); }));
  CHECK(check::throws<std::invalid_argument>([&] { static_cast<void>(task(size, true, {1})); }));
}

// A pentagon whose switches have 20 hosts and six ports: each added switch copies the cables of another one, so that
// all hosts stay at most two hops apart.
void starts_grow_to_the_least_size_and_use_their_free_ports() {
  const Size size{0, 6, 1, 20};
  const HostWalk::Words pentagon{5, 4, 4, 4, 4, 4, 5, 0, 1, 1, 2, 2, 3, 3, 4, 4, 0};
  HostDistances distances;
  for (const std::uint32_t switches : {5u, 6u, 7u}) {
    const HostWalk walk(task(size, true, {switches, 9}), {0.2, 0.4, 200, 1.5}, 1, 0, pentagon);
    const HostGraph best(walk.designs().front(), size.ports, size.planes, size.hosts);
    CHECK(best.switches() == switches && best.is_connected());
    CHECK(distances(best, kNoLimit).diameter == 2);
    CHECK(switches > 5 || best.words() == pentagon);
    for (std::uint32_t one = 0; one < switches; ++one)
      for (std::uint32_t other = 0; other < one; ++other)
        CHECK(best.joined(0, one, other) || best.free_ports(0, one) == 0 || best.free_ports(0, other) == 0);
  }
}

}  // namespace

void test_hosts() {
  moves_keep_simple_graphs_within_the_ports_and_can_be_undone();
  distances_equal_those_of_single_searches();
  walks_do_not_depend_on_interruptions();
  starts_are_connected_graphs_within_the_ports();
  starts_grow_to_the_least_size_and_use_their_free_ports();
}
