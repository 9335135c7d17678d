// Tests of relabelled planes: the change of a move against a new sum, and walks.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "check.hpp"
#include "isoplane/linear_planes.hpp"
#include "isoplane/places_walk.hpp"
#include "isoplane/random.hpp"
#include "isoplane/relabelled_distances.hpp"

namespace {

using isoplane::LinearPlanes;
using isoplane::Places;
using isoplane::Random;
using isoplane::RelabelledDistances;
using isoplane::RelabellingTask;

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
        const std::int64_t expected = distances.sum() + distances.change(plane, one, other);
        distances.exchange(plane, one, other);
        CHECK(distances.sum() == expected);
        CHECK(distances.sum() == sum_over_nearest(ring(vertices), vertices, distances.places()));
      }
      CHECK(RelabelledDistances(task(vertices, planes), distances.places()).sum() == distances.sum());
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
          const std::int64_t expected = linear.sum() + linear.propose(random);
          linear.accept();
          CHECK(linear.sum() == expected);
          // The sum over offsets is that of each vertex, and pairs are counted once.
          CHECK(linear.sum() * vertices == 2 * sum_over_nearest(hops, vertices, linear.places()));
          CHECK(LinearPlanes::words_of(*task, linear.places()) == linear.words());
          CHECK(LinearPlanes(task, linear.words()).sum() == expected);
        }
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

template <class Walk>
void walks_do_not_depend_on_interruptions(const std::vector<std::uint8_t>& hops, std::uint32_t vertices) {
  for (const std::uint32_t planes : {2u, 3u}) {
    const auto task = std::make_shared<const RelabellingTask>(vertices, planes, hops);
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
  places_that_are_not_linear_are_told_apart();
  walks_do_not_depend_on_interruptions<isoplane::RelabellingWalk>(ring(24), 24);
  walks_do_not_depend_on_interruptions<isoplane::LinearWalk>(cube(5, false), 32);
  what_is_no_relabelling_is_refused();
}
