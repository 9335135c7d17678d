// Tests of relabelled planes: the change of a move against a new sum, and walks.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <memory>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

#include "check.hpp"
#include "isoplane/additive_planes.hpp"
#include "isoplane/linear_loads.hpp"
#include "isoplane/linear_planes.hpp"
#include "isoplane/places_walk.hpp"
#include "isoplane/random.hpp"
#include "isoplane/relabelled_distances.hpp"
#include "isoplane/turned_planes.hpp"

namespace {

using isoplane::AdditivePlanes;
using isoplane::FreeLoads;
using isoplane::LinearLoads;
using isoplane::LinearLoadTask;
using isoplane::LinearPlanes;
using isoplane::OffsetDistances;
using isoplane::Places;
using isoplane::Random;
using isoplane::RelabelledDistances;
using isoplane::RelabellingTask;
using isoplane::TurnedLoads;

// The hops between all vertices of a ring.
std::vector<std::uint8_t> ring(std::uint32_t vertices) {
  std::vector<std::uint8_t> hops(std::size_t{vertices} * vertices);
  for (int x = 0; x < static_cast<int>(vertices); ++x)
    for (int y = 0; y < static_cast<int>(vertices); ++y) {
      const int apart = std::abs(x - y), around = std::min(apart, static_cast<int>(vertices) - apart);
      hops[static_cast<std::size_t>(x) * vertices + static_cast<std::size_t>(y)] = static_cast<std::uint8_t>(around);
    }
  return hops;
}

std::shared_ptr<const RelabellingTask> task(std::uint32_t vertices, std::uint32_t planes) {
  return std::make_shared<RelabellingTask>(vertices, planes, ring(vertices));
}

Places identity(std::uint32_t vertices, std::uint32_t planes) {
  Places places;
  for (std::uint32_t plane = 1; plane < planes; ++plane)
    for (std::uint32_t x = 0; x < vertices; ++x) places.push_back(x);
  return places;
}

std::int64_t sum_over_nearest(const std::vector<std::uint8_t>& hops, std::uint32_t vertices, const Places& places) {
  std::int64_t sum = 0;
  for (std::size_t x = 0; x < vertices; ++x)
    for (std::size_t y = 0; y < x; ++y) {
      std::uint8_t least = hops[x * vertices + y];
      for (std::size_t first = 0; first < places.size(); first += vertices)
        least = std::min(least, hops[std::size_t{places[first + x]} * vertices + places[first + y]]);
      sum += least;
    }
  return sum;
}

void exchanges_change_the_sum_as_told() {
  for (const std::uint32_t vertices : {2u, 5u, 16u, 33u})
    for (const std::uint32_t planes : {2u, 3u, 5u}) {
      Random random(vertices, planes);
      RelabelledDistances distances(task(vertices, planes), identity(vertices, planes));
      for (int i = 0; i < 200; ++i) {
        const std::uint32_t plane = 1 + random.below(planes - 1), one = random.below(vertices);
        const std::uint32_t other = (one + 1 + random.below(vertices - 1)) % vertices;
        const std::int64_t expected = distances.score() + distances.change(plane, one, other);
        distances.exchange(plane, one, other);
        CHECK(distances.score() == expected);
        CHECK(distances.score() == sum_over_nearest(ring(vertices), vertices, distances.places()));
      }
      CHECK(RelabelledDistances(task(vertices, planes), distances.places()).score() == distances.score());
    }
}

// The hops between all vertices of a cube, or of a folded one.
std::vector<std::uint8_t> cube(int n, bool folded) {
  std::vector<std::uint8_t> hops;
  for (std::uint32_t x = 0; x >> n == 0; ++x)
    for (std::uint32_t y = 0; y >> n == 0; ++y) {
      const int apart = std::popcount(x ^ y);
      hops.push_back(static_cast<std::uint8_t>(folded ? std::min(apart, n + 1 - apart) : apart));
    }
  return hops;
}

void linear_moves_change_the_sum_as_told() {
  for (const int n : {2, 3, 5})
    for (const std::uint32_t planes : {2u, 3u, 5u})
      for (const bool folded : {false, true}) {
        const std::uint32_t vertices = 1u << n;
        const auto hops = cube(n, folded);
        const auto task = std::make_shared<RelabellingTask>(vertices, planes, hops);
        CHECK(task->dimension() == n);
        Random random(vertices, planes);
        LinearPlanes linear(task, LinearPlanes::random(*task, random));
        for (int i = 0; i < 200; ++i) {
          const std::int64_t expected = linear.score() + linear.propose(random);
          linear.accept();
          CHECK(linear.score() == expected);
          // The sum over offsets is that of each vertex, and pairs are counted once.
          CHECK(linear.score() * vertices == 2 * sum_over_nearest(hops, vertices, linear.places()));
          CHECK(LinearPlanes::words_of(*task, linear.places()) == linear.words());
          CHECK(LinearPlanes(task, linear.words()).score() == expected);
        }
      }
}

// K4 x K4 and so on: digits may be pairs of coordinates of one factor, and the others are those of a K2.
std::vector<std::uint8_t> complete_factors(int n) {
  std::vector<std::uint8_t> hops;
  for (std::uint32_t x = 0; x >> n == 0; ++x)
    for (std::uint32_t y = 0; y >> n == 0; ++y) {
      int apart = 0;
      for (int i = 0; i < n; i += 2) apart += ((x ^ y) >> i & 3u) != 0 ? 1 : 0;
      hops.push_back(static_cast<std::uint8_t>(apart));
    }
  return hops;
}

void additive_moves_change_the_sum_as_told() {
  for (const int n : {1, 2, 3, 5, 6})
    for (const std::uint32_t planes : {2u, 4u})
      for (const auto& hops : {cube(n, false), cube(n, true), complete_factors(n)}) {
        const std::uint32_t vertices = 1u << n;
        const auto task = std::make_shared<RelabellingTask>(vertices, planes, hops);
        Random random(vertices, planes);
        bool is_linear = true;
        for (int start = 0; start < 4; ++start) {
          AdditivePlanes additive(task, AdditivePlanes::random(*task, random));
          for (int i = 0; i < 20; ++i) {
            const std::int64_t expected = additive.score() + additive.propose(random);
            additive.accept();
            CHECK(additive.score() == expected);
            const Places places = additive.places();
            CHECK(additive.score() * vertices == 2 * sum_over_nearest(hops, vertices, places));
            CHECK(AdditivePlanes(task, additive.words()).score() == expected);
            CHECK(AdditivePlanes(task, *AdditivePlanes::words_of(*task, places)).places() == places);
            is_linear = is_linear && LinearPlanes::words_of(*task, places);
          }
        }
        CHECK(is_linear == (n < 4));
        const LinearPlanes linear(task, LinearPlanes::random(*task, random));
        CHECK(AdditivePlanes(task, *AdditivePlanes::words_of(*task, linear.places())).score() == linear.score());
      }
}

void places_that_are_not_additive_are_told_apart() {
  const auto task = std::make_shared<RelabellingTask>(16, 2, cube(4, false));
  Places places = identity(16, 2);
  std::swap(places[2], places[7]);
  CHECK(!AdditivePlanes::words_of(*task, places));
  CHECK(check::throws<std::invalid_argument>([&] { AdditivePlanes(task, {5, 1, 0, 1, 0}); }));  // both map to one
  CHECK(check::throws<std::invalid_argument>([&] { AdditivePlanes(task, {5, 1, 2, 4, 0}); }));  // of a coordinate
  CHECK(check::throws<std::invalid_argument>([&] { AdditivePlanes(task, {1, 1, 0, 1, 8}); }));  // 1 is no inverse of 1
  CHECK(check::throws<std::invalid_argument>([&] { AdditivePlanes(task, {2, 1, 2, 4, 8}); }));  // no pair of 2 j
  const auto rings = std::make_shared<RelabellingTask>(8, 2, ring(8));
  CHECK(check::throws<std::invalid_argument>([&] { AdditivePlanes::words_of(*rings, identity(8, 2)); }));
  auto lengths = cube(2, false);  // a square with longer cables in one direction, which may not be turned
  for (std::uint32_t x = 0; x < 4; ++x) lengths[x * 4 + (x ^ 2)] = 2, lengths[x * 4 + (x ^ 3)] = 3;
  const auto uneven = std::make_shared<RelabellingTask>(4, 2, lengths);
  CHECK(AdditivePlanes::words_of(*uneven, identity(4, 2)) == (OffsetDistances::Words{0, 1, 2}));
}

void planes_of_several_topologies_have_their_own_distances() {
  const std::uint32_t vertices = 16;
  const auto plain = cube(4, false), folded = cube(4, true);
  auto both = plain;
  both.insert(both.end(), folded.begin(), folded.end());
  const auto task = std::make_shared<RelabellingTask>(vertices, 2, both);
  const auto sum = [&](const Places& places) {
    std::int64_t sum = 0;
    for (std::uint32_t x = 0; x < vertices; ++x)
      for (std::uint32_t y = 0; y < x; ++y)
        sum += std::min(plain[x * vertices + y], folded[places[x] * vertices + places[y]]);
    return sum;
  };
  CHECK(task->is_mixed() && task->dimension() == 4);
  Random random(1, 2);
  LinearPlanes linear(task, LinearPlanes::random(*task, random));
  RelabelledDistances distances(task, identity(vertices, 2));
  for (int i = 0; i < 50; ++i) {
    linear.propose(random);
    linear.accept();
    CHECK(linear.score() * vertices == 2 * sum(linear.places()));
    distances.propose(random);
    distances.accept();
    CHECK(distances.score() == sum(distances.places()));
  }
}

void places_that_are_not_linear_are_told_apart() {
  const auto task = std::make_shared<RelabellingTask>(8, 2, cube(3, false));
  Places places = identity(8, 2);
  for (std::uint32_t& place : places) place ^= 5;
  CHECK(LinearPlanes::words_of(*task, places) == (LinearPlanes::Words{1, 2, 4}));
  std::swap(places[2], places[7]);
  CHECK(!LinearPlanes::words_of(*task, places));
  CHECK(check::throws<std::invalid_argument>([&] { LinearPlanes(task, {1, 2, 3}); }));
  CHECK(check::throws<std::invalid_argument>([&] { LinearPlanes(task, {1, 2}); }));
  CHECK(check::throws<std::invalid_argument>([&] { LinearPlanes::words_of(*task, Places{0, 1}); }));
  const auto rings = std::make_shared<RelabellingTask>(8, 2, ring(8));
  CHECK(!rings->dimension());
  CHECK(check::throws<std::invalid_argument>([&] { LinearPlanes(rings, {1, 2, 4}); }));
}

// Of planes that are folded or not.
std::shared_ptr<const LinearLoadTask> load_task(int n, const std::vector<bool>& folded,
                                                const std::vector<isoplane::Component>& components,
                                                const std::vector<std::int64_t>& times = {}) {
  const std::uint32_t vertices = 1u << n;
  const bool mixed = std::adjacent_find(folded.begin(), folded.end(), std::not_equal_to<>()) != folded.end();
  std::vector<std::uint64_t> links;
  std::vector<std::uint8_t> hops;
  for (std::size_t plane = 0; plane < (mixed ? folded.size() : 1); ++plane) {
    // A folded route to more than half of the coordinates takes the folded link, bit n, and the others.
    for (std::uint32_t x = 0; x < vertices; ++x)
      links.push_back(folded[plane] && 2 * std::popcount(x) > n + 1 ? vertices | (x ^ (vertices - 1)) : x);
    const std::vector<std::uint8_t> own = cube(n, folded[plane]);
    hops.insert(hops.end(), own.begin(), own.end());
  }
  const auto planes = static_cast<std::uint32_t>(folded.size());
  return std::make_shared<LinearLoadTask>(RelabellingTask(vertices, planes, hops), links, components, times);
}

// The load of the busiest link, by the packets of all pairs of vertices, link by link.
std::int64_t load_of_all_packets(const LinearLoadTask& task, const Places& places) {
  const std::uint32_t vertices = task.vertices();
  const auto place = [&](std::size_t plane, std::uint32_t x) {
    return plane == 0 ? x : places[(plane - 1) * vertices + x];
  };
  std::vector<std::int64_t> loads(std::size_t{task.planes()} * vertices * task.bits());
  for (std::uint32_t x = 0; x < vertices; ++x)
    for (std::uint32_t y = 0; y < vertices; ++y) {
      std::vector<std::size_t> nearest;
      int least = 255;
      for (std::size_t plane = 0; plane < task.planes(); ++plane) {
        const int hops = task.row(place(plane, x), plane)[place(plane, y)];
        if (hops < least) nearest.clear();
        least = std::min(least, hops);
        if (hops == least) nearest.push_back(plane);
      }
      for (const std::size_t plane : nearest) {
        std::uint32_t at = place(plane, x);
        const std::uint32_t to = place(plane, y);
        for (std::size_t bit = 0; bit < task.bits(); ++bit) {
          if ((task.links(plane)[at ^ to] >> bit & 1) == 0) continue;
          loads[(plane * vertices + at) * task.bits() + bit] +=
              task.time(plane) * task.parts() / static_cast<std::int64_t>(nearest.size());
          at ^= 1u << bit == vertices ? vertices - 1 : 1u << bit;
        }
        CHECK(at == to);
      }
    }
  return *std::max_element(loads.begin(), loads.end());
}

void loads_are_those_of_all_packets() {
  using isoplane::Metric;
  for (const int n : {2, 4})
    for (const std::size_t planes : {2, 3, 4})
      for (const std::size_t folded : {std::size_t{0}, std::size_t{1}, planes}) {
        std::vector<bool> are_folded(planes - folded);
        are_folded.resize(planes, true);
        const std::vector<std::int64_t> times{3, 2, 1, 4};
        const auto task = load_task(n, are_folded, {{Metric::kMaxLoad, Metric::kSumOfDistances}},
                                    {times.begin(), times.begin() + static_cast<std::ptrdiff_t>(n == 4 ? planes : 0)});
        Random random(planes, static_cast<std::uint64_t>(n));
        for (const bool turned : {false, true}) {
          FreeLoads start(task, LinearPlanes::random(*task, random));
          LinearLoads planes_of(
              task, turned ? LinearLoads::random(*task, random) : *LinearLoads::words_of(*task, start.places()));
          for (int i = 0; i < 20; ++i) {
            const isoplane::Score before = planes_of.score();
            const double change = planes_of.propose(random);
            planes_of.accept();
            CHECK((change > 0) == (before < planes_of.score()));
            const FreeLoads again(task, *LinearPlanes::words_of(*task, planes_of.places()));
            CHECK(again.load() == load_of_all_packets(*task, planes_of.places()));
            CHECK(again.score() == planes_of.score());
            CHECK(LinearLoads(task, planes_of.words()).words() == planes_of.words());
          }
          const Places places = planes_of.places();
          planes_of.release();
          CHECK(planes_of.places() == places);
        }
      }
}

void turns_of_another_order_are_refused() {
  const auto task = load_task(3, {false, false}, {{isoplane::Metric::kMaxLoad}});
  CHECK(check::throws<std::invalid_argument>([&] { TurnedLoads(task, {2, 4, 1}, {1, 2, 4}); }));
  CHECK(check::throws<std::invalid_argument>([&] { TurnedLoads(task, {8, 1, 4}, {1, 2, 4}); }));
  CHECK(check::throws<std::invalid_argument>([&] { TurnedLoads(task, {2, 1, 4}, {1, 2, 3}); }));
  CHECK(check::throws<std::invalid_argument>([&] { LinearLoads(task, {1, 2, 4}); }));
  const auto mixed = load_task(3, {false, true}, {{isoplane::Metric::kMaxLoad}});
  CHECK(check::throws<std::invalid_argument>([&] { TurnedLoads(mixed, {2, 1, 4}, {1, 2, 4}); }));
  CHECK(
      check::throws<std::invalid_argument>([] { load_task(3, {false, false}, {{isoplane::Metric::kMaxLoad}}, {1}); }));
  CHECK(check::throws<std::invalid_argument>(
      [] { load_task(3, {false, false}, {{isoplane::Metric::kMaxLoad}}, {1, 0}); }));
}

template <class Walk>
void walks_do_not_depend_on_interruptions(const std::vector<std::uint8_t>& hops, std::uint32_t vertices) {
  for (const std::uint32_t planes : {2u, 3u}) {
    std::shared_ptr<const typename Walk::Task> task;
    if constexpr (std::is_same_v<typename Walk::Task, LinearLoadTask>)
      task = load_task(std::countr_zero(vertices), std::vector<bool>(planes),
                       {{isoplane::Metric::kSumOfDistances}, {isoplane::Metric::kMaxLoad}});
    else
      task = std::make_shared<const RelabellingTask>(vertices, planes, hops);
    const Places start = identity(vertices, planes);
    const typename Walk::Settings settings{0.2, 0.06, 200, 1.5};
    Walk whole(task, settings, 1, 2, start);
    whole.run(20000);
    Walk part(task, settings, 1, 2, start);
    for (int done = 0, step = 1; done < 20000; done += step, step = std::min(3 * step, 20000 - done)) {
      part.run(step);
      part = Walk(task, settings, part.state());
    }
    CHECK(whole.state() == part.state() && whole.designs() == part.designs());
    CHECK(sum_over_nearest(hops, vertices, whole.designs()[0]) < sum_over_nearest(hops, vertices, start));
    Walk taker(task, settings, 3, 0, start);
    taker.offer(whole.designs()[0]);
    CHECK(taker.designs() == whole.designs());
    isoplane::State damaged = part.state();
    damaged[damaged.size() / 2] ^= 1;
    CHECK(check::throws<std::invalid_argument>([&] { Walk(task, settings, damaged); }));
  }
}

void what_is_no_relabelling_is_refused() {
  Places twice = identity(8, 2);
  twice[3] = twice[4];
  CHECK(check::throws<std::invalid_argument>([&] { RelabelledDistances(task(8, 2), twice); }));
  CHECK(check::throws<std::invalid_argument>([&] { RelabelledDistances(task(8, 3), identity(8, 2)); }));
  CHECK(check::throws<std::invalid_argument>([] { task(8, 1); }));
  std::vector<std::uint8_t> one_way = ring(8);
  ++one_way[1];
  CHECK(check::throws<std::invalid_argument>([&] { RelabellingTask(8, 2, one_way); }));
}

}  // namespace

void test_planes() {
  exchanges_change_the_sum_as_told();
  linear_moves_change_the_sum_as_told();
  additive_moves_change_the_sum_as_told();
  planes_of_several_topologies_have_their_own_distances();
  places_that_are_not_linear_are_told_apart();
  places_that_are_not_additive_are_told_apart();
  loads_are_those_of_all_packets();
  turns_of_another_order_are_refused();
  walks_do_not_depend_on_interruptions<isoplane::RelabellingWalk>(ring(24), 24);
  walks_do_not_depend_on_interruptions<isoplane::LinearWalk>(cube(5, false), 32);
  walks_do_not_depend_on_interruptions<isoplane::LinearLoadWalk>(cube(5, false), 32);
  what_is_no_relabelling_is_refused();
}
