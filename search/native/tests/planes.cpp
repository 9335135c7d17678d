// Tests of relabelled planes: the change of an exchange against a new sum, and walks.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <vector>

#include "check.hpp"
#include "isoplane/random.hpp"
#include "isoplane/relabelling_walk.hpp"

namespace {

using isoplane::Random;
using isoplane::RelabelledDistances;
using isoplane::RelabellingTask;
using isoplane::RelabellingWalk;
using Places = RelabelledDistances::Places;

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

void walks_do_not_depend_on_interruptions() {
  for (const std::uint32_t planes : {2u, 3u}) {
    const RelabellingWalk::Settings settings{0.2, 0.06, 200, 1.5};
    RelabellingWalk whole(task(24, planes), settings, 1, 2, identity(24, planes));
    whole.run(20000);
    RelabellingWalk part(task(24, planes), settings, 1, 2, identity(24, planes));
    for (int done = 0, step = 1; done < 20000; done += step, step = std::min(3 * step, 20000 - done)) {
      part.run(step);
      part = RelabellingWalk(task(24, planes), settings, part.state());
    }
    CHECK(whole.state() == part.state() && whole.designs() == part.designs());
    CHECK(sum_over_nearest(ring(24), 24, whole.designs()[0]) < sum_over_nearest(ring(24), 24, identity(24, planes)));
    RelabellingWalk taker(task(24, planes), settings, 3, 0, identity(24, planes));
    taker.offer(whole.designs()[0]);
    CHECK(taker.designs() == whole.designs());
    isoplane::State damaged = part.state();
    damaged[damaged.size() / 2] ^= 1;
    CHECK(check::throws<std::invalid_argument>([&] { RelabellingWalk(task(24, planes), settings, damaged); }));
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
  walks_do_not_depend_on_interruptions();
  what_is_no_relabelling_is_refused();
}
