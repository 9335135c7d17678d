#include "isoplane/score.hpp"

#include <bit>
#include <functional>
#include <stdexcept>
#include <utility>

namespace isoplane {
namespace {

std::vector<Sum> products_of(const std::vector<Component>& components) {
  std::vector<Sum> sums;
  for (const Component& component : components) sums.push_back({{1, component}});
  return sums;
}

}  // namespace

Scalarisation::Scalarisation(const std::vector<Component>& components)
    : Scalarisation(products_of(components), {}, {}) {}

Scalarisation::Scalarisation(std::vector<Sum> components, std::vector<Sum> limits, const ExactMetrics& most)
    : components_(std::move(components)), limits_(std::move(limits)), most_(most) {
  if (components_.empty() || components_.size() > kMaxComponents)
    throw std::invalid_argument("a score has one to three components");
  for (const auto& sums : {std::ref(components_), std::ref(limits_)})
    for (Sum& terms : sums.get())
      for (Term& term : terms) {
        term.rounded_weight = static_cast<double>(term.weight);
        for (const Metric metric : term.factors) used_[static_cast<std::size_t>(metric)] = true;
        if (term.weight < 0 && !term.factors.empty()) monotone_ = false;
      }
}

Scalarisation Scalarisation::with(std::shared_ptr<const Function> function, std::size_t parts) && {
  if (parts == 0 || parts > kMaxComponents) throw std::invalid_argument("a score has one to three components");
  function_ = std::move(function);
  parts_ = parts;
  monotone_ = false;
  return std::move(*this);
}

Evaluator::Evaluator(int n, bool folded, Site site, Scalarisation scalarisation)
    : n_(n),
      folded_(folded),
      links_(n + (folded ? 1 : 0)),
      site_(std::move(site)),
      scalarisation_(std::move(scalarisation)) {
  if (n < kMinN || n > kMaxN) throw std::invalid_argument("n is out of range");
  const std::size_t offsets = std::size_t{1} << n;
  if (has_layout() &&
      (site_.length_mm.size() != offsets || site_.price_cents.size() != offsets || site_.longest_mm.size() != offsets))
    throw std::invalid_argument("cable tables need 2^n entries");
  kernel_ = kernel_for(n, folded, chosen_isa());
  const auto uses = [this](Metric metric) { return scalarisation_.uses(metric); };
  needs_cables_ = scalarisation_.uses_cables();
  if (needs_cables_ && !has_layout()) throw std::invalid_argument("a metric needs a layout");
  needs_loads_ = uses(Metric::kMaxLoad) || uses(Metric::kDelay);
  if (scalarisation_.uses_racks()) {
    if (site_.rack_switches <= 0 || site_.rack_switches >= std::int64_t{1} << n)
      throw std::invalid_argument("a metric needs racks");
    racks_.emplace(n, folded, site_.rack_switches);
  }
  needs_sum_ = uses(Metric::kSumOfDistances) || uses(Metric::kDelayPaper) || uses(Metric::kCableFaultHops) || racks_;
  needs_diameter_ = uses(Metric::kDiameter) || uses(Metric::kCableFaultDiameter);
  needs_detour_ = uses(Metric::kCableFaultDiameter) || uses(Metric::kCableFaultHops);
  if (!has_layout()) return;
  for (int k = 0; k < links_; ++k) {
    const std::size_t generator = k < n ? std::size_t{1} << k : offsets - 1;
    length0_[static_cast<std::size_t>(k)] = site_.length_mm[generator];
    total_length0_ += site_.length_mm[generator];
    total_price0_ += site_.price_cents[generator];
    longest0_mm_ = std::max(longest0_mm_, site_.longest_mm[generator]);
  }
}

bool Evaluator::exact_metrics(const std::uint32_t* rows, const std::uint32_t* columns, ExactMetrics& out,
                              Loads& loads) const {
  Totals totals;
  if (needs_loads_) {
    kernel_.loads(rows, loads);
    if (!loads.is_basis) return false;
    totals.sum_of_distances = loads.sum_of_distances;
    totals.max_load = loads.max_load;
  } else if (needs_sum_) {
    loads.sum_of_distances = kernel_.sum(rows);
    if (loads.sum_of_distances < 0) return false;
    totals.sum_of_distances = loads.sum_of_distances;
  }
  if (needs_diameter_) {
    const std::int32_t diameter = kernel_.diameter(rows);
    if (diameter < 0) return false;
    totals.diameter = loads.diameter = diameter;
  }
  if (needs_detour_) totals.detour = loads.detour = detour(columns);
  totals.rack = rack_loss(columns);
  if (needs_cables_) add_cables(totals, needs_loads_ ? &loads : nullptr, columns);
  out = from_totals(totals);
  return true;
}

Totals Evaluator::totals(const Loads& loads, const std::uint32_t* columns) const {
  Totals totals{loads.sum_of_distances, loads.max_load, 0, 0, 0, 0, loads.diameter, loads.detour, rack_loss(columns)};
  if (has_layout()) add_cables(totals, &loads, columns);
  return totals;
}

ExactMetrics Evaluator::from_totals(const Totals& totals) const {
  ExactMetrics out{};
  out[static_cast<std::size_t>(Metric::kSumOfDistances)] = totals.sum_of_distances;
  out[static_cast<std::size_t>(Metric::kMaxLoad)] = totals.max_load;
  out[static_cast<std::size_t>(Metric::kDiameter)] = totals.diameter;
  const std::int64_t switches = std::int64_t{1} << n_;
  // Two other switches keep shortest paths, whichever cable is lost; and the nodes of a lost switch the other plane.
  out[static_cast<std::size_t>(Metric::kCableFaultDiameter)] = std::max(totals.diameter, 1 + totals.detour);
  out[static_cast<std::size_t>(Metric::kCableFaultHops)] = switches * totals.sum_of_distances + 2 * totals.detour;
  out[static_cast<std::size_t>(Metric::kSwitchFaultDiameter)] = folded_ ? (n_ + 1) / 2 : n_;
  if (racks_) {
    RackLoss lost = racks_->least(totals.sum_of_distances, totals.diameter);
    lost.add(totals.rack);
    out[static_cast<std::size_t>(Metric::kRackFaultDiameter)] = lost.diameter;
    out[static_cast<std::size_t>(Metric::kRackFaultAspl)] = lost.mean;
  }
  if (!has_layout()) return out;
  const std::int64_t links = 2 * links_;
  const Site& s = site_;
  out[static_cast<std::size_t>(Metric::kCableLength)] = totals.length_mm;
  out[static_cast<std::size_t>(Metric::kCost)] = s.fixed_cents + totals.price_cents;
  out[static_cast<std::size_t>(Metric::kLongestCable)] = totals.longest_mm;
  out[static_cast<std::size_t>(Metric::kDelayPaper)] =
      (totals.length_mm * s.cable_mm + s.hop * links * switches) * totals.sum_of_distances +
      s.endpoint * links * switches * switches;
  out[static_cast<std::size_t>(Metric::kDelay)] = totals.load_mm * s.cable_mm +
                                                  2 * totals.sum_of_distances * s.hop * switches +
                                                  2 * s.endpoint * switches * switches;
  return out;
}

// The ends of a lost cable reach each other by three hops in its plane, in a folded square by two, or in the other one.
std::int32_t Evaluator::detour(const std::uint32_t* columns) const {
  std::array<std::uint32_t, kMaxLinks> links{};  // of plane 1
  std::uint32_t near = 0, folded_link = 0;       // links of plane 0 that are within two hops in plane 1
  const std::uint32_t all = (std::uint32_t{1} << n_) - 1;
  const auto link0 = [&](std::uint32_t offset) {  // the bit of a link of plane 0 with this offset, if there is one
    if (std::has_single_bit(offset)) return offset;
    return folded_ && offset == all ? all + 1 : 0;
  };
  const int longest = folded_ && n_ == 2 ? 2 : 3;
  int hops = 1;
  std::uint32_t next = 0;  // those that are also links of plane 1
  for (int k = 0; k < links_; ++k) {
    const std::uint32_t link = links[static_cast<std::size_t>(k)] = k < n_ ? columns[k] : folded_link;
    folded_link ^= link;
    const int weight = std::popcount(link);
    hops = std::max(hops, std::min(folded_ ? std::min(weight, n_ + 1 - weight) : weight, longest));
    next |= link0(link);
    for (int other = 0; other < k; ++other) near |= link0(link ^ links[static_cast<std::size_t>(other)]);
  }
  const std::uint32_t every = folded_ ? 2 * all + 1 : all;
  if (next != every) hops = std::max(hops, 2);
  if ((next | near) != every) hops = std::max(hops, longest);
  return hops - 1;
}

std::int64_t Evaluator::longest_mm(const std::uint32_t* columns) const {
  std::int64_t longest = longest0_mm_;
  std::uint32_t folded_link = 0;
  for (int k = 0; k < links_; ++k) {
    const std::uint32_t generator = k < n_ ? columns[k] : folded_link;
    folded_link ^= generator;
    longest = std::max(longest, site_.longest_mm[generator]);
  }
  return longest;
}

void Evaluator::add_cables(Totals& totals, const Loads* loads, const std::uint32_t* columns) const {
  totals.length_mm = total_length0_;
  totals.price_cents = total_price0_;
  totals.longest_mm = longest0_mm_;
  std::uint32_t folded_link = 0;
  for (int k = 0; k < links_; ++k) {
    const std::uint32_t generator = k < n_ ? columns[k] : folded_link;
    folded_link ^= generator;
    const std::int64_t length = site_.length_mm[generator];
    totals.length_mm += length;
    totals.price_cents += site_.price_cents[generator];
    totals.longest_mm = std::max(totals.longest_mm, site_.longest_mm[generator]);
    if (loads != nullptr)
      totals.load_mm += loads->load[0][k] * length0_[static_cast<std::size_t>(k)] + loads->load[1][k] * length;
  }
}

}  // namespace isoplane
