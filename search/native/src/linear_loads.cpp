#include "isoplane/linear_loads.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <utility>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace isoplane {
namespace {

constexpr std::size_t kBits = 16;  // of a word of links
// Weight in the energy of later components, which break ties of earlier ones.
constexpr double kTieWeight = 0.02;

// Loops over all offsets, which compilers turn into vector code.
void keep_least(const std::uint8_t* hops, std::size_t offsets, std::uint8_t* least) {
  for (std::size_t x = 0; x < offsets; ++x) least[x] = std::min(hops[x], least[x]);
}

void count_equal(const std::uint8_t* hops, const std::uint8_t* least, std::size_t offsets, std::uint8_t* count) {
  for (std::size_t x = 0; x < offsets; ++x) count[x] = static_cast<std::uint8_t>(count[x] + (hops[x] == least[x]));
}

void set_shares(const std::uint8_t* count, int planes, int parts, std::size_t offsets, std::int16_t* share) {
  std::fill_n(share, offsets, static_cast<std::int16_t>(parts));
  for (int several = 2; several <= planes; ++several) {
    const auto each = static_cast<std::int16_t>(parts / several);
    for (std::size_t x = 0; x < offsets; ++x) share[x] = count[x] == several ? each : share[x];
  }
}

void keep_equal(const std::uint8_t* hops, const std::uint8_t* least, const std::int16_t* share, std::size_t offsets,
                std::int16_t* kept) {
  for (std::size_t x = 0; x < offsets; ++x) kept[x] = hops[x] == least[x] ? share[x] : std::int16_t{0};
}

// Sum of the values at the places whose words have a bit, of a multiple of 8 places.
std::int64_t sum_with_bit(const std::int16_t* values, const std::uint16_t* words, std::size_t bit, std::size_t places) {
#if defined(__SSE2__)
  const __m128i shift = _mm_cvtsi32_si128(static_cast<int>(bit)), one = _mm_set1_epi16(1);
  __m128i sum = _mm_setzero_si128();
  for (std::size_t at = 0; at < places; at += 8) {
    const __m128i word = _mm_loadu_si128(reinterpret_cast<const __m128i*>(words + at));
    const __m128i value = _mm_loadu_si128(reinterpret_cast<const __m128i*>(values + at));
    sum = _mm_add_epi32(sum, _mm_madd_epi16(value, _mm_and_si128(_mm_srl_epi16(word, shift), one)));
  }
  std::array<std::int32_t, 4> lanes{};
  _mm_storeu_si128(reinterpret_cast<__m128i*>(lanes.data()), sum);
  return std::accumulate(lanes.begin(), lanes.end(), std::int64_t{0});
#else
  std::int64_t sum = 0;
  for (std::size_t at = 0; at < places; ++at) sum += values[at] * (words[at] >> bit & 1);
  return sum;
#endif
}

}  // namespace

LinearLoadTask::LinearLoadTask(const RelabellingTask& planes, const std::vector<std::uint64_t>& links,
                               const std::vector<Component>& components, const std::vector<std::int64_t>& times)
    : RelabellingTask(planes), times_(times), scalarisation_(components) {
  if (times_.empty()) times_.assign(this->planes(), 1);
  if (times_.size() != this->planes() || *std::min_element(times_.begin(), times_.end()) < 1)
    throw std::invalid_argument("expected a time above 0 for each plane");
  const std::size_t topologies = is_mixed() ? this->planes() : 1;
  if (!dimension() || links.size() != topologies * vertices())
    throw std::invalid_argument("expected the links to each vertex, once or for each of mixed planes");
  std::vector<std::uint64_t> all(topologies);
  for (std::size_t at = 0; at < links.size(); ++at) all[at / vertices()] |= links[at];
  for (const std::uint64_t of_plane : all) bits_ = std::max(bits_, static_cast<std::size_t>(std::bit_width(of_plane)));
  words_ = (bits_ + kBits - 1) / kBits;
  links_.resize(topologies * words_ * stride());
  for (std::size_t plane = 0; plane < topologies; ++plane)
    for (std::size_t word = 0; word < words_; ++word)
      for (std::size_t x = 0; x < vertices(); ++x)
        links_[(plane * words_ + word) * stride() + x] =
            static_cast<std::uint16_t>(links[plane * vertices() + x] >> word * kBits);
  for (int sharing = 2; sharing <= static_cast<int>(this->planes()); ++sharing) {
    parts_ = std::lcm(parts_, sharing);
    if (parts_ > std::numeric_limits<std::int16_t>::max()) throw std::invalid_argument("expected fewer planes");
  }
  // Identical places are the reference: their sum of distances, and the mean load of the links.
  std::int64_t sum = 0, links_of_planes = 0;
  for (std::size_t x = 0; x < vertices(); ++x) {
    std::uint8_t least = row(0)[x];
    for (std::size_t plane = 1; plane < topologies; ++plane) least = std::min(least, row(0, plane)[x]);
    sum += least;
  }
  for (std::size_t plane = 0; plane < this->planes(); ++plane)
    links_of_planes += std::popcount(all[is_mixed() ? plane : 0]);
  const ExactMetrics identical =
      metrics(sum, longest_time() * std::max<std::int64_t>(1, parts_ * sum / links_of_planes));
  for (std::size_t c = 0; c < scalarisation_.size(); ++c)
    weight_[c] = (c == 0 ? 1.0 : kTieWeight) / scalarisation_.approximate(c, identical);
}

ExactMetrics LinearLoadTask::metrics(std::int64_t sum, std::int64_t load) {
  ExactMetrics metrics{};
  metrics[static_cast<std::size_t>(Metric::kSumOfDistances)] = sum;
  metrics[static_cast<std::size_t>(Metric::kMaxLoad)] = load;
  return metrics;
}

double LinearLoadTask::energy(std::int64_t sum, std::int64_t load) const {
  const ExactMetrics found = metrics(sum, load);
  double energy = 0;
  for (std::size_t c = 0; c < scalarisation_.size(); ++c) energy += scalarisation_.approximate(c, found) * weight_[c];
  return energy;
}

LoadMeter::LoadMeter(const LinearLoadTask& task)
    : offsets_(task.stride()),
      bits_(task.bits()),
      parts_(task.parts()),
      least_(offsets_),
      nearest_(offsets_),
      share_(offsets_),
      own_share_(offsets_) {}

const std::uint8_t* LoadMeter::set(const std::vector<const std::uint8_t*>& hops) {
  std::copy_n(hops[0], offsets_, least_.data());
  for (std::size_t plane = 1; plane < hops.size(); ++plane) keep_least(hops[plane], offsets_, least_.data());
  std::fill(nearest_.begin(), nearest_.end(), std::uint8_t{0});
  for (const std::uint8_t* each : hops) count_equal(each, least_.data(), offsets_, nearest_.data());
  set_shares(nearest_.data(), static_cast<int>(hops.size()), parts_, offsets_, share_.data());
  return least_.data();
}

std::int64_t LoadMeter::busiest(const std::uint8_t* hops, const std::uint16_t* links) {
  keep_equal(hops, least_.data(), share_.data(), offsets_, own_share_.data());
  std::int64_t busiest = 0;
  for (std::size_t bit = 0; bit < bits_; ++bit)
    busiest = std::max(busiest, sum_with_bit(own_share_.data(), links + bit / kBits * offsets_, bit % kBits, offsets_));
  return busiest;
}

FreeLoads::FreeLoads(std::shared_ptr<const LinearLoadTask> task, const Words& columns)
    : LinearPlanes(task, columns),
      meter_(*task),
      hops_(task->planes()),
      links_(task->planes() * task->words() * task->stride()),
      proposed_links_(task->words() * task->stride()) {
  std::copy_n(task->links(), proposed_links_.size(), links(0));
  for (std::size_t plane = 1; plane < task->planes(); ++plane) {
    measure(plane, matrices_[plane - 1].generators(), proposed_.data());
    set_links(plane, links(plane));
  }
  load_ = load_with(1, distances(1), links(1));
}

// Of the plane whose images were written last.
void FreeLoads::set_links(std::size_t plane, std::uint16_t* links) const {
  const std::size_t stride = task_->stride();
  const std::uint16_t* of_image = task().links(plane);
  for (std::size_t first = 0; first < task().words() * stride; first += stride)
    for (std::size_t x = 0; x < task_->vertices(); ++x) links[first + x] = of_image[first + images_[x]];
}

// The load of the busiest link if one plane had these hops and links.
std::int64_t FreeLoads::load_with(std::size_t plane, const std::uint8_t* hops, const std::uint16_t* own_links) {
  for (std::size_t p = 0; p < hops_.size(); ++p) hops_[p] = p == plane ? hops : distances(p);
  meter_.set(hops_);
  std::int64_t busiest = 0;
  for (std::size_t p = 0; p < hops_.size(); ++p)
    busiest = std::max(busiest, task().time(p) * meter_.busiest(hops_[p], p == plane ? own_links : links(p)));
  return busiest;
}

double FreeLoads::propose(Random& random) {
  LinearPlanes::propose(random);
  set_links(plane_, proposed_links_.data());
  proposed_load_ = load_with(plane_, proposed_.data(), proposed_links_.data());
  return task().energy(changed_sum_, proposed_load_) - task().energy(sum_, load_);
}

void FreeLoads::accept() {
  LinearPlanes::accept();
  std::copy(proposed_links_.begin(), proposed_links_.end(), links(plane_));
  load_ = proposed_load_;
}

}  // namespace isoplane
