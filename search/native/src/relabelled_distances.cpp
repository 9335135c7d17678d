#include "isoplane/relabelled_distances.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <stdexcept>
#include <utility>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace isoplane {
namespace {

constexpr std::size_t kLane = 16;  // bytes that are added at once

}  // namespace

std::int64_t sum_of_least(const std::uint8_t* one, const std::uint8_t* other, std::size_t bytes) {
#if defined(__SSE2__)
  const __m128i zero = _mm_setzero_si128();
  __m128i sum = zero;
  for (std::size_t at = 0; at < bytes; at += kLane) {
    const __m128i a = _mm_loadu_si128(reinterpret_cast<const __m128i*>(one + at));
    const __m128i b = _mm_loadu_si128(reinterpret_cast<const __m128i*>(other + at));
    sum = _mm_add_epi64(sum, _mm_sad_epu8(_mm_min_epu8(a, b), zero));
  }
  return _mm_cvtsi128_si64(sum) + _mm_cvtsi128_si64(_mm_unpackhi_epi64(sum, sum));
#else
  std::int64_t sum = 0;
  for (std::size_t at = 0; at < bytes; ++at) sum += std::min(one[at], other[at]);
  return sum;
#endif
}

void lower(std::uint8_t* least, const std::uint8_t* added, std::size_t bytes) {
  for (std::size_t at = 0; at < bytes; ++at) least[at] = std::min(least[at], added[at]);
}

RelabellingTask::RelabellingTask(std::uint32_t vertices, std::uint32_t planes,
                                 const std::vector<std::uint8_t>& distances)
    : vertices_(vertices),
      planes_(planes),
      stride_((vertices + kLane - 1) / kLane * kLane),
      mixed_(distances.size() > std::size_t{vertices} * vertices) {
  const std::size_t topologies = mixed_ ? planes : 1;
  if (vertices < 2 || planes < 2 || distances.size() != topologies * vertices * vertices)
    throw std::invalid_argument("expected two planes or more, and the distances between all vertices");
  rows_.resize(topologies * vertices * stride_);
  for (std::size_t x = 0; x < topologies * vertices; ++x)
    std::memcpy(&rows_[x * stride_], &distances[x * vertices], vertices);
  bool of_sums = std::has_single_bit(vertices);
  for (std::size_t plane = 0; plane < topologies; ++plane)
    for (std::uint32_t x = 0; x < vertices; ++x)
      for (std::uint32_t y = 0; y < vertices; ++y) {
        const int hops = row(x, plane)[y];
        if (hops != row(y, plane)[x] || (hops == 0) != (x == y))
          throw std::invalid_argument("expected symmetric distances, above 0 between different vertices");
        of_sums = of_sums && hops == row(0, plane)[x ^ y];
      }
  if (of_sums) dimension_ = std::countr_zero(vertices);
}

RelabelledDistances::RelabelledDistances(std::shared_ptr<const RelabellingTask> task, const Places& places)
    : task_(std::move(task)), places_(places), spare_(2 * task_->stride()) {
  const std::uint32_t vertices = task_->vertices(), others = task_->planes() - 1;
  if (places.size() != std::size_t{others} * vertices) throw std::invalid_argument("expected places in each plane");
  rows_.resize(places.size() * task_->stride());
  for (std::uint32_t plane = 1; plane <= others; ++plane) {
    const std::uint32_t* own = places_.data() + std::size_t{plane - 1} * vertices;
    std::vector<bool> used(vertices);
    for (std::uint32_t x = 0; x < vertices; ++x) {
      if (own[x] >= vertices || used[own[x]]) throw std::invalid_argument("expected a permutation in each plane");
      used[own[x]] = true;
    }
    for (std::uint32_t x = 0; x < vertices; ++x)
      for (std::uint32_t y = 0; y < vertices; ++y) own_row(plane, x)[y] = task_->row(own[x], plane)[own[y]];
  }
  for (std::uint32_t x = 0; x < vertices; ++x) {
    sums_.push_back(sum_of_least(nearest_elsewhere(1, x, spare_.data()), row(1, x), task_->stride()));
    sum_ += sums_.back();
  }
  sum_ /= 2;
}

const std::uint8_t* RelabelledDistances::row(std::uint32_t plane, std::uint32_t vertex) const {
  if (plane == 0) return task_->row(vertex);
  return rows_.data() + (std::size_t{plane - 1} * task_->vertices() + vertex) * task_->stride();
}

std::uint8_t* RelabelledDistances::own_row(std::uint32_t plane, std::uint32_t vertex) {
  return rows_.data() + (std::size_t{plane - 1} * task_->vertices() + vertex) * task_->stride();
}

// The least distances of a vertex in all planes but one.
const std::uint8_t* RelabelledDistances::nearest_elsewhere(std::uint32_t plane, std::uint32_t vertex,
                                                           std::uint8_t* spare) const {
  if (task_->planes() == 2) return row(0, vertex);
  std::memcpy(spare, row(0, vertex), task_->stride());
  for (std::uint32_t other = 1; other < task_->planes(); ++other)
    if (other != plane) lower(spare, row(other, vertex), task_->stride());
  return spare;
}

std::int64_t RelabelledDistances::change(std::uint32_t plane, std::uint32_t one, std::uint32_t other) const {
  const std::size_t bytes = task_->stride();
  const std::uint8_t *of_one = row(plane, one), *of_other = row(plane, other);
  const std::uint8_t* elsewhere = nearest_elsewhere(plane, one, spare_.data());
  const std::int64_t pair = std::min(elsewhere[other], of_one[other]);
  std::int64_t after = sum_of_least(elsewhere, of_other, bytes);
  after += sum_of_least(nearest_elsewhere(plane, other, spare_.data() + bytes), of_one, bytes);
  // Their rows count each other as if both were in one place; as a pair they are as far apart as before.
  return after - sums_[one] - sums_[other] + 2 * pair;
}

void RelabelledDistances::exchange(std::uint32_t plane, std::uint32_t one, std::uint32_t other) {
  const std::uint32_t vertices = task_->vertices();
  std::uint32_t* own = places_.data() + std::size_t{plane - 1} * vertices;
  std::swap(own[one], own[other]);
  std::uint8_t *of_one = own_row(plane, one), *of_other = own_row(plane, other);
  std::swap_ranges(of_one, of_one + vertices, of_other);
  std::swap(of_one[one], of_one[other]);
  std::swap(of_other[one], of_other[other]);
  const std::uint8_t* elsewhere = nearest_elsewhere(plane, one, spare_.data());
  const std::uint8_t* from_other = nearest_elsewhere(plane, other, spare_.data() + task_->stride());
  std::int64_t change = 0;
  for (std::uint32_t y = 0; y < vertices; ++y) {
    if (y == one || y == other) continue;
    // In the rows of the two, places are exchanged already.
    const int to_one = std::min(elsewhere[y], of_one[y]) - std::min(elsewhere[y], of_other[y]);
    const int to_other = std::min(from_other[y], of_other[y]) - std::min(from_other[y], of_one[y]);
    std::uint8_t* of_y = own_row(plane, y);
    of_y[one] = of_one[y];
    of_y[other] = of_other[y];
    sums_[y] += to_one + to_other;
    sums_[one] += to_one;
    sums_[other] += to_other;
    change += to_one + to_other;
  }
  sum_ += change;
}

std::optional<Places> RelabelledDistances::words_of(const RelabellingTask&, const Places& places) { return places; }

std::size_t RelabelledDistances::word_count(const RelabellingTask& task) {
  return std::size_t{task.planes() - 1} * task.vertices();
}

Places RelabelledDistances::random(const RelabellingTask& task, Random& random) {
  Places places;
  for (std::uint32_t plane = 1; plane < task.planes(); ++plane) {
    const std::size_t first = places.size();
    for (std::uint32_t x = 0; x < task.vertices(); ++x) {
      places.push_back(x);
      std::swap(places[first + x], places[first + random.below(x + 1)]);
    }
  }
  return places;
}

std::int64_t RelabelledDistances::propose(Random& random) {
  move_ = PlaceExchange::drawn(*task_, random);
  return change(move_.plane, move_.one, move_.other);
}

PlaceExchange PlaceExchange::drawn(const RelabellingTask& task, Random& random) {
  PlaceExchange move;
  if (task.planes() > 2) move.plane = 1 + random.below(task.planes() - 1);
  move.one = random.below(task.vertices());
  move.other = random.below(task.vertices() - 1);
  if (move.other >= move.one) ++move.other;
  return move;
}

}  // namespace isoplane
