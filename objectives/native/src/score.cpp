#include "isoplane/score.hpp"

#include <stdexcept>
#include <utility>

namespace isoplane {

Scalarisation::Scalarisation(std::vector<Component> components) : components_(std::move(components)) {
  if (components_.empty() || components_.size() > kMaxComponents)
    throw std::invalid_argument("a score has one to three components");
  for (const Component& component : components_)
    for (const Metric metric : component) used_[static_cast<std::size_t>(metric)] = true;
}

Evaluator::Evaluator(int n, bool folded, Surroundings surroundings, Scalarisation scalarisation)
    : n_(n),
      folded_(folded),
      links_(n + (folded ? 1 : 0)),
      surroundings_(std::move(surroundings)),
      scalarisation_(std::move(scalarisation)) {
  if (n < kMinN || n > kMaxN) throw std::invalid_argument("n is out of range");
  const std::size_t offsets = std::size_t{1} << n;
  if (has_layout() && (surroundings_.length_mm.size() != offsets || surroundings_.price_cents.size() != offsets))
    throw std::invalid_argument("cable tables need 2^n entries");
  kernel_ = kernel_for(n, folded, chosen_isa());
  const auto uses = [this](Metric metric) { return scalarisation_.uses(metric); };
  needs_cables_ =
      uses(Metric::kCableLength) || uses(Metric::kDelay) || uses(Metric::kDelayPaper) || uses(Metric::kCost);
  if (needs_cables_ && !has_layout()) throw std::invalid_argument("a metric needs a layout");
  needs_loads_ = uses(Metric::kMaxLoad) || uses(Metric::kDelay);
  needs_sum_ = uses(Metric::kSumOfDistances) || uses(Metric::kDelayPaper);
  if (!has_layout()) return;
  for (int k = 0; k < links_; ++k) {
    const std::size_t generator = k < n ? std::size_t{1} << k : offsets - 1;
    length0_[static_cast<std::size_t>(k)] = surroundings_.length_mm[generator];
    total_length0_ += surroundings_.length_mm[generator];
    total_price0_ += surroundings_.price_cents[generator];
  }
}

bool Evaluator::ingredients(const std::uint32_t* rows, const std::uint32_t* columns, Ingredients& out) const {
  out = {};
  Loads loads;
  if (needs_loads_) {
    kernel_.loads(rows, loads);
    if (!loads.is_basis) return false;
    out[static_cast<std::size_t>(Metric::kSumOfDistances)] = loads.sum_of_distances;
    out[static_cast<std::size_t>(Metric::kMaxLoad)] = loads.max_load;
  } else if (needs_sum_) {
    const std::int64_t sum = kernel_.sum(rows);
    if (sum < 0) return false;
    out[static_cast<std::size_t>(Metric::kSumOfDistances)] = sum;
  }
  if (needs_cables_) add_cables(out, needs_loads_ ? &loads : nullptr, columns);
  return true;
}

Ingredients Evaluator::from_loads(const Loads& loads, const std::uint32_t* columns) const {
  Ingredients out{};
  out[static_cast<std::size_t>(Metric::kSumOfDistances)] = loads.sum_of_distances;
  out[static_cast<std::size_t>(Metric::kMaxLoad)] = loads.max_load;
  if (has_layout()) add_cables(out, &loads, columns);
  return out;
}

void Evaluator::add_cables(Ingredients& out, const Loads* loads, const std::uint32_t* columns) const {
  std::int64_t length1[kMaxLinks];
  std::int64_t length = total_length0_;
  std::int64_t price = total_price0_;
  std::uint32_t folded_link = 0;
  for (int k = 0; k < links_; ++k) {
    const std::uint32_t generator = k < n_ ? columns[k] : folded_link;
    folded_link ^= generator;
    length1[k] = surroundings_.length_mm[generator];
    length += length1[k];
    price += surroundings_.price_cents[generator];
  }
  const std::int64_t switches = std::int64_t{1} << n_;
  const std::int64_t links = 2 * links_;
  const Surroundings& s = surroundings_;
  out[static_cast<std::size_t>(Metric::kCableLength)] = length;
  out[static_cast<std::size_t>(Metric::kCost)] = s.fixed_cents + price;
  const std::int64_t sum = out[static_cast<std::size_t>(Metric::kSumOfDistances)];
  out[static_cast<std::size_t>(Metric::kDelayPaper)] =
      (length * s.cable_mm + s.hop * links * switches) * sum + s.endpoint * links * switches * switches;
  if (loads == nullptr) return;
  std::int64_t weighted = 0;  // sum of load x length
  for (int k = 0; k < links_; ++k) {
    const auto i = static_cast<std::size_t>(k);
    weighted += loads->load[0][k] * length0_[i] + loads->load[1][k] * length1[k];
  }
  out[static_cast<std::size_t>(Metric::kDelay)] =
      weighted * s.cable_mm + 2 * loads->sum_of_distances * s.hop * switches + 2 * s.endpoint * switches * switches;
}

}  // namespace isoplane
