// Minimum cuts, against all sets of vertices.
#include "isoplane/minimum_cut.hpp"

#include <algorithm>
#include <limits>
#include <random>
#include <vector>

#include "check.hpp"

namespace {

struct Sample {
  std::size_t vertices;
  std::vector<std::int32_t> tail, head;
  std::vector<std::int64_t> capacity;

  explicit Sample(std::mt19937_64& random) : vertices(2 + random() % 7) {
    for (std::size_t link = 0; link < 3 * vertices; ++link) {
      tail.push_back(static_cast<std::int32_t>(random() % vertices));
      head.push_back(static_cast<std::int32_t>(random() % vertices));
      capacity.push_back(static_cast<std::int64_t>(random() % 6));
    }
  }

  // The capacity of the links that leave a set, a bit for each vertex.
  std::int64_t leaving(std::size_t set) const {
    std::int64_t total = 0;
    for (std::size_t link = 0; link < tail.size(); ++link)
      if ((set >> tail[link] & 1) == 1 && (set >> head[link] & 1) == 0) total += capacity[link];
    return total;
  }
};

}  // namespace

void test_minimum_cut() {
  std::mt19937_64 random(1);
  for (int repeat = 0; repeat < 300; ++repeat) {
    const Sample sample(random);
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    for (std::size_t set = 0; set < std::size_t{1} << sample.vertices; ++set)
      if ((set & 1) == 1 && (set & 2) == 0) least = std::min(least, sample.leaving(set));
    std::vector<std::uint8_t> side(sample.vertices);
    const isoplane::CutLinks graph{sample.vertices, sample.tail.size(), sample.tail.data(), sample.head.data(),
                                   sample.capacity.data()};
    CHECK(isoplane::minimum_cut(graph, 0, 1, side.data()) == least);
    std::size_t found = 0;
    for (std::size_t vertex = 0; vertex < sample.vertices; ++vertex) found |= std::size_t{side[vertex]} << vertex;
    CHECK((found & 3) == 1 && sample.leaving(found) == least);
  }
}
