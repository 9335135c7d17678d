#include "isoplane/tracked_distances.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>

namespace isoplane {

TrackedDistances::TrackedDistances(std::size_t vertices, std::size_t degree, const std::uint32_t* next)
    : vertices_(vertices),
      degree_(degree),
      search_(vertices, degree, {}),
      hops_(vertices * vertices, kFar),
      sums_(vertices),
      beyond_(vertices),
      largest_(vertices),
      sources_(vertices),
      differs_(vertices),
      nearest_(vertices) {
  std::iota(sources_.begin(), sources_.end(), 0u);
  keep(next);
  for (std::uint32_t source = 0; source < vertices_; ++source) weigh(source);
}

// A row of distances remains right exactly if each vertex but its source is one hop farther than its nearest neighbour.
// That can fail only at vertices whose neighbours change.
void TrackedDistances::find_sources(const std::uint32_t* next, std::span<const std::uint32_t> vertices) {
  // Bytes may alias the members: their copies are what lets the compiler take many bytes at once.
  const std::size_t n = vertices_;
  std::uint8_t *differs = differs_.data(), *nearest = nearest_.data();
  std::fill(differs, differs + n, std::uint8_t{0});
  for (const std::uint32_t vertex : vertices) {
    std::fill(nearest, nearest + n, kFar);
    for (std::size_t port = 0; port < degree_; ++port) {
      const std::uint8_t* row = hops_.data() + next[vertex * degree_ + port] * n;
      for (std::size_t source = 0; source < n; ++source) nearest[source] = std::min(nearest[source], row[source]);
    }
    const std::uint8_t* row = hops_.data() + vertex * n;
    const std::uint8_t here = differs[vertex];
    for (std::size_t source = 0; source < n; ++source)
      differs[source] |= static_cast<std::uint8_t>(row[source] != static_cast<std::uint8_t>(nearest[source] + 1));
    differs[vertex] = here;  // a source is at no distance from itself, whatever its neighbours
  }
  sources_.clear();
  for (std::uint32_t source = 0; source < vertices_; ++source)
    if (differs_[source] != 0) sources_.push_back(source);
}

DistanceSums TrackedDistances::changed(const std::uint32_t* next, std::span<const std::uint32_t> vertices,
                                       std::int64_t diameter, std::int64_t penalty, std::int64_t limit) {
  if (diameter != diameter_) set_diameter(diameter);
  find_sources(next, vertices);
  DistanceSums others;
  std::int64_t known = 0;  // no distance to a vertex whose row does not change is above it
  for (std::size_t source = 0; source < vertices_; ++source) {
    known = std::max(known, largest_[source]);
    if (differs_[source] != 0) continue;
    others.hops += sums_[source];
    others.beyond += beyond_[source];
    others.diameter = std::max(others.diameter, largest_[source]);
  }
  search_.set_sources(sources_);
  const std::int64_t rest = limit - others.hops - penalty * others.beyond;
  const DistanceSums sums = search_(next, diameter, penalty, rest, known);
  return {others.hops + sums.hops, others.beyond + sums.beyond, std::max(others.diameter, sums.diameter)};
}

// Of both ends of a distance that changes, the rows change: so it is between two of the sources.
void TrackedDistances::keep(const std::uint32_t* next) {
  search_.set_sources(sources_);
  search_.each_distance(next, [&](std::size_t from, std::size_t to, std::int64_t hops) {
    const std::uint32_t source = sources_[from];
    std::uint8_t& before = hops_[source * vertices_ + sources_[to]];
    if (before == hops) return;
    sums_[source] += hops - before;
    beyond_[source] += std::max<std::int64_t>(0, hops - diameter_) - std::max<std::int64_t>(0, before - diameter_);
    largest_[source] = std::max(largest_[source], hops);
    before = static_cast<std::uint8_t>(hops);
  });
  for (const std::uint32_t source : sources_) {
    const std::uint8_t* row = hops_.data() + source * vertices_;
    while (std::memchr(row, static_cast<int>(largest_[source]), vertices_) == nullptr) --largest_[source];
  }
}

void TrackedDistances::weigh(std::uint32_t source) {
  const std::uint8_t* row = hops_.data() + source * vertices_;
  std::int64_t sum = 0, beyond = 0, largest = 0;
  for (std::size_t vertex = 0; vertex < vertices_; ++vertex) {
    const std::int64_t hops = row[vertex];
    sum += hops;
    beyond += std::max<std::int64_t>(0, hops - diameter_);
    largest = std::max(largest, hops);
  }
  sums_[source] = sum;
  beyond_[source] = beyond;
  largest_[source] = largest;
}

void TrackedDistances::set_diameter(std::int64_t diameter) {
  diameter_ = diameter;
  for (std::uint32_t source = 0; source < vertices_; ++source) weigh(source);
}

}  // namespace isoplane
