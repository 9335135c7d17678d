// Tests of regular graphs with symmetries, of their distances, and of walks over them.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <memory>
#include <queue>
#include <stdexcept>
#include <utility>
#include <vector>

#include "check.hpp"
#include "isoplane/graph_distances.hpp"
#include "isoplane/graph_walk.hpp"
#include "isoplane/placed_walk.hpp"
#include "isoplane/tracked_distances.hpp"
#include "isoplane/voltage_graph.hpp"

namespace {

using isoplane::DistanceSums;
using isoplane::GraphDistances;
using isoplane::GraphMove;
using isoplane::GraphTask;
using isoplane::GraphWalk;
using isoplane::Group;
using isoplane::Isa;
using isoplane::Random;
using isoplane::VoltageGraph;

constexpr std::int64_t kNoLimit = std::numeric_limits<std::int64_t>::max() / 4;

std::vector<Group> groups() {
  return {{1, 1, 1, {1, 0, 0, 1}}, {6, 1, 1, {1, 0, 0, 1}}, {4, 1, 2, {3, 0, 0, 1}}, {7, 1, 3, {2, 0, 0, 1}},
          {8, 1, 2, {5, 0, 0, 1}}, {5, 1, 4, {2, 0, 0, 1}}, {4, 2, 1, {1, 0, 0, 1}}, {3, 3, 3, {1, 1, 0, 1}},
          {2, 2, 3, {0, 1, 1, 1}}, {8, 2, 4, {5, 4, 1, 1}}};
}

void groups_have_inverses_and_are_associative() {
  for (const Group& group : groups()) {
    for (std::uint32_t x = 0; x < group.order(); ++x) {
      CHECK(group.times(x, 0) == x && group.times(0, x) == x && group.times(x, group.inverse(x)) == 0);
      for (std::uint32_t y = 0; y < group.order(); ++y) {
        std::vector<std::uint32_t> products(group.order());
        group.multiply_all(group.images(), y, 0, products.data(), 1);
        CHECK(products[x] == group.times(x, y));
        for (std::uint32_t z = 0; z < group.order(); z += 3)
          CHECK(group.times(group.times(x, y), z) == group.times(x, group.times(y, z)));
      }
    }
  }
  CHECK(check::throws<std::invalid_argument>([] { Group(7, 1, 3, {3, 0, 0, 1}); }));  // 3^3 is 6 modulo 7
  CHECK(check::throws<std::invalid_argument>([] { Group(4, 2, 2, {1, 1, 0, 1}); }));  // (0, 2) = (0, 0) -> (2, 0)
}

VoltageGraph random_graph(const Group& group, std::uint32_t orbits, std::uint32_t degree, Random& random) {
  VoltageGraph graph(group, orbits, degree);
  for (std::uint32_t stub = 0; stub + 1 < graph.stubs(); stub += 2)
    graph.join(stub, stub + 1, random.below(group.order()));
  if (graph.stubs() % 2 != 0) graph.join(graph.stubs() - 1, graph.stubs() - 1, group.involutions().front());
  GraphMove move;
  for (int i = 0; i < 300; ++i) move.make(graph, random, random.below(graph.stubs()));
  return graph;
}

std::vector<std::uint32_t> rows_of(const VoltageGraph& graph) {
  return {graph.next(), graph.next() + std::size_t{graph.vertices()} * graph.degree()};
}

// Each edge is in the rows of both ends, as often.
bool is_undirected(const VoltageGraph& graph) {
  const std::uint32_t n = graph.vertices();
  std::vector<int> joined(std::size_t{n} * n);
  for (std::uint32_t vertex = 0; vertex < n; ++vertex)
    for (std::uint32_t port = 0; port < graph.degree(); ++port)
      ++joined[std::size_t{vertex} * n + graph.next()[std::size_t{vertex} * graph.degree() + port]];
  for (std::uint32_t one = 0; one < n; ++one)
    for (std::uint32_t other = 0; other < n; ++other)
      if (joined[std::size_t{one} * n + other] != joined[std::size_t{other} * n + one]) return false;
  return true;
}

void moves_keep_regular_graphs_and_can_be_undone() {
  Random random(5, 0);
  for (const Group& group : groups()) {
    for (const std::uint32_t orbits : {1u, 3u, 8u}) {
      const std::uint32_t degree = group.involutions().empty() ? 4 : 5;
      if (orbits * group.order() <= degree || (orbits * degree % 2 != 0 && group.involutions().empty())) continue;
      VoltageGraph graph = random_graph(group, orbits, degree, random);
      CHECK(is_undirected(graph));
      GraphMove move;
      for (int i = 0; i < 200; ++i) {
        const auto before = rows_of(graph);
        if (!move.make(graph, random, random.below(graph.stubs()))) {
          CHECK(rows_of(graph) == before);
          continue;
        }
        CHECK(is_undirected(graph));
        const auto after = rows_of(graph);
        const std::uint32_t clashes = graph.clashes(), clashes_of_move = move.clashes(graph);
        move.undo(graph);
        CHECK(rows_of(graph) == before);
        CHECK(clashes - graph.clashes() == clashes_of_move - move.clashes(graph));
        move.redo(graph);
        CHECK(rows_of(graph) == after);
        move.make(graph, random, random.below(graph.stubs()));
      }
    }
  }
}

// By one breadth-first search after the other.
DistanceSums sums_one_by_one(const VoltageGraph& graph, std::int64_t diameter) {
  DistanceSums sums;
  for (const std::uint32_t source : graph.representatives()) {
    std::vector<std::int64_t> distance(graph.vertices(), -1);
    std::queue<std::uint32_t> waiting({source});
    distance[source] = 0;
    while (!waiting.empty()) {
      const std::uint32_t vertex = waiting.front();
      waiting.pop();
      for (std::uint32_t port = 0; port < graph.degree(); ++port) {
        const std::uint32_t next = graph.next()[std::size_t{vertex} * graph.degree() + port];
        if (distance[next] >= 0) continue;
        distance[next] = distance[vertex] + 1;
        waiting.push(next);
      }
    }
    for (const std::int64_t hops : distance) {
      if (hops < 0) return {kNoLimit, 0, graph.vertices()};
      sums.hops += hops;
      sums.beyond += std::max<std::int64_t>(0, hops - diameter);
      sums.diameter = std::max(sums.diameter, hops);
    }
  }
  return sums;
}

void distances_equal_those_of_single_searches() {
  Random random(6, 0);
  for (const Group& group : groups()) {
    for (const std::uint32_t orbits : {2u, 14u, 70u, 530u}) {
      if (orbits * group.order() > 1100) continue;
      const VoltageGraph graph = random_graph(group, orbits, 4, random);
      const DistanceSums expected = sums_one_by_one(graph, 4);
      for (const Isa isa : {Isa::kScalar, Isa::kAvx2, Isa::kAvx512}) {
        if (!isoplane::isa_available(isa)) continue;
        GraphDistances distances(graph.vertices(), graph.degree(), graph.representatives(), isa);
        const DistanceSums found = distances(graph.next(), 4, 3, kNoLimit);
        CHECK(found.diameter == expected.diameter);
        if (expected.hops == kNoLimit) continue;
        CHECK(found.hops == expected.hops && found.beyond == expected.beyond);
        const std::int64_t cost = expected.hops + 3 * expected.beyond;
        const DistanceSums within = distances(graph.next(), 4, 3, cost),
                           above = distances(graph.next(), 4, 3, cost - 1);
        CHECK(within.hops == expected.hops && above.hops + 3 * above.beyond >= cost);
      }
    }
  }
}

// Along a walk of moves of which some are kept, the sums are those of searches from all vertices, also within a limit.
void tracked_distances_equal_those_of_whole_searches() {
  Random random(7, 0);
  for (const std::uint32_t degree : {3u, 6u}) {
    VoltageGraph graph = random_graph(Group(1, 1, 1, {1, 0, 0, 1}), 90, degree, random);
    GraphDistances whole(90, degree, graph.representatives());
    isoplane::TrackedDistances tracked(90, degree, graph.next());
    GraphMove move;
    for (int i = 0; i < 400; ++i) {
      if (!move.make(graph, random, random.below(graph.stubs()))) continue;
      const std::int64_t diameter = 3 + i / 100;
      const DistanceSums expected = whole(graph.next(), diameter, 3, kNoLimit);
      const auto sums = [&](std::int64_t limit) {
        return tracked.changed(graph.next(), move.orbits(graph), diameter, 3, limit);
      };
      const DistanceSums found = sums(kNoLimit);
      CHECK(found.hops == expected.hops && found.beyond == expected.beyond && found.diameter == expected.diameter);
      const std::int64_t cost = expected.hops + 3 * expected.beyond;
      const DistanceSums above = sums(cost - 1);
      CHECK(sums(cost).hops == expected.hops && above.hops + 3 * above.beyond >= cost);
      if (random.below(3) == 0 && expected.diameter < isoplane::TrackedDistances::kFar && expected.diameter < 90)
        tracked.keep(graph.next());
      else
        move.undo(graph);
    }
  }
}

std::shared_ptr<const GraphTask> task(std::uint32_t vertices, std::uint32_t degree, bool diameter_first) {
  auto made = std::make_shared<GraphTask>();
  const Group::Matrix identity{1, 0, 0, 1};
  *made = {vertices,
           degree,
           {{1, 1, 1, identity}, {6, 1, 1, identity}, {4, 1, 2, {3, 0, 0, 1}}, {2, 2, 6, {0, 1, 1, 1}}},
           diameter_first};
  made->check();
  return made;
}

GraphWalk::Ends circulant(std::uint32_t vertices) {
  GraphWalk::Ends ends;
  for (std::uint32_t vertex = 0; vertex < vertices; ++vertex)
    for (const std::uint32_t step : {1u, 3u}) ends.insert(ends.end(), {vertex, (vertex + step) % vertices});
  return ends;
}

void walks_do_not_depend_on_interruptions() {
  for (const bool diameter_first : {false, true}) {
    const auto graphs = task(48, 4, diameter_first);
    const isoplane::GraphAnnealing settings{0.2, 0.4, 200, 1.5};
    GraphWalk whole(graphs, settings, 1, 2, circulant(48));
    whole.run(20000);
    GraphWalk part(graphs, settings, 1, 2, circulant(48));
    for (int done = 0, step = 1; done < 20000; done += step, step = std::min(3 * step, 20000 - done)) {
      part.run(step);
      part = GraphWalk(graphs, settings, part.state());
    }
    CHECK(whole.state() == part.state() && whole.designs() == part.designs());
    isoplane::State damaged = part.state();
    damaged[damaged.size() / 2] ^= 1;
    CHECK(check::throws<std::invalid_argument>([&] { GraphWalk(graphs, settings, damaged); }));
  }
}

void walks_refuse_starts_that_are_no_simple_regular_graph() {
  const isoplane::GraphAnnealing settings{0.2, 0.4, 200, 1.5};
  GraphWalk::Ends start = circulant(48);
  std::swap(start[1], start[4]);
  start[0] = start[1];
  CHECK(check::throws<std::invalid_argument>([&] { GraphWalk(task(48, 4, false), settings, 1, 0, start); }));
}

// 12 racks of 4 places in a row, and cables of 1 to 12 m.
std::shared_ptr<const isoplane::PlacedTask> placed_task(std::vector<isoplane::Sum> components,
                                                        std::vector<isoplane::Sum> limits) {
  isoplane::PlacedTask made{*task(48, 4, false),
                            2,
                            {},
                            {},
                            {},
                            {},
                            {},
                            100,
                            5,
                            1000,
                            7000,
                            500,
                            isoplane::Scalarisation(std::move(components), std::move(limits), {})};
  for (std::uint32_t place = 0; place < 48; ++place) made.rack.push_back(place / 4);
  for (int one = 0; one < 12; ++one) {
    made.length_mm.push_back(1000 * (one + 1));
    made.price_cents.push_back(100 + 10 * one * one);
    for (int other = 0; other < 12; ++other) {
      made.kind.push_back(static_cast<std::uint16_t>(std::abs(one - other)));
      made.needed_mm.push_back(1000 * std::abs(one - other) + 900);
    }
  }
  made.check();
  return std::make_shared<const isoplane::PlacedTask>(std::move(made));
}

// The longest cable, and the diameter.
std::pair<int, std::int64_t> extremes(const GraphWalk::Ends& ends) {
  int longest_mm = 0;
  VoltageGraph graph(groups().front(), 48, 4);
  std::vector<std::uint32_t> used(48);
  for (std::size_t end = 0; end < ends.size(); end += 2) {
    const std::uint32_t one = ends[end], other = ends[end + 1];
    longest_mm = std::max(longest_mm, 1000 * (1 + std::abs(static_cast<int>(one / 4) - static_cast<int>(other / 4))));
    graph.join(4 * one + used[one]++, 4 * other + used[other]++, 0);
  }
  return {longest_mm, sums_one_by_one(graph, 0).diameter};
}

void placed_walks_meet_limits_and_do_not_depend_on_interruptions() {
  using isoplane::Metric;
  using isoplane::PlacedWalk;
  const isoplane::PlacedAnnealing settings{0.05, 0.005, 300, 1.5};
  const isoplane::Sum length{{1, {Metric::kCableLength}}}, delay{{1, {Metric::kDelay}}};
  const isoplane::Sum near{{1, {Metric::kDiameter}}, {-5, {}}}, short_ones{{1, {Metric::kLongestCable}}, {-6000, {}}};
  const isoplane::Sum without_edge{{1, {Metric::kCableFaultDiameter}}, {1, {Metric::kSwitchFaultDiameter}}};
  for (const auto& task : {placed_task({length}, {near}), placed_task({delay, length}, {short_ones}),
                           placed_task({without_edge, {{1, {Metric::kCableFaultHops}}}}, {near})}) {
    PlacedWalk whole(task, settings, 1, 2, circulant(48));
    whole.run(6000);
    PlacedWalk part(task, settings, 1, 2, circulant(48));
    for (int done = 0, step = 1; done < 6000; done += step, step = std::min(3 * step, 6000 - done)) {
      part.run(step);
      part = PlacedWalk(task, settings, part.state());
    }
    CHECK(whole.state() == part.state() && whole.designs() == part.designs());
    const GraphWalk::Ends best = whole.designs()[0];
    const auto [longest_mm, diameter] = extremes(best);
    CHECK(task->score.uses(Metric::kDiameter) ? diameter <= 5 : longest_mm <= 6000);
    PlacedWalk other(task, settings, 7, 0, circulant(48));
    other.offer(best);
    CHECK(other.designs()[0].size() == best.size() && extremes(other.designs()[0]) == extremes(best));
    isoplane::State damaged = part.state();
    damaged[damaged.size() / 2] ^= 1;
    CHECK(check::throws<std::invalid_argument>([&] { PlacedWalk(task, settings, damaged); }));
  }
}

}  // namespace

void test_graphs() {
  groups_have_inverses_and_are_associative();
  moves_keep_regular_graphs_and_can_be_undone();
  distances_equal_those_of_single_searches();
  tracked_distances_equal_those_of_whole_searches();
  walks_do_not_depend_on_interruptions();
  walks_refuse_starts_that_are_no_simple_regular_graph();
  placed_walks_meet_limits_and_do_not_depend_on_interruptions();
}
