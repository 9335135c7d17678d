// Scores of candidates from their exact metrics: the only scalarisation interface.
#pragma once

#include <algorithm>
#include <array>
#include <compare>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "isoplane/kernel.hpp"
#include "isoplane/rack_losses.hpp"

namespace isoplane {

__extension__ using Int128 = __int128;

// The exact metrics, all integers, all to be minimised, and their names; Python uses the same order.
enum class Metric {
  kSumOfDistances,
  kMaxLoad,
  kCableLength,
  kDelay,
  kDelayPaper,
  kCost,
  kLongestCable,
  kDiameter,
  kCableFaultDiameter,
  kSwitchFaultDiameter,
  kCableFaultHops,
  kRackFaultDiameter,
  kRackFaultAspl
};
inline constexpr std::array kMetricNames{"sum_of_distances",     "max_load",
                                         "cable_length",         "delay",
                                         "delay_paper",          "cost",
                                         "longest_cable",        "diameter",
                                         "cable_fault_diameter", "switch_fault_diameter",
                                         "cable_fault_hops",     "rack_fault_diameter",
                                         "rack_fault_aspl"};
inline constexpr int kMetricCount = static_cast<int>(kMetricNames.size());

using ExactMetrics = std::array<std::int64_t, kMetricCount>;

// Cable tables, prices and delays of the cubes of one dimension, from a layout, a price list and a switch model.
struct Site {
  std::vector<std::int64_t> length_mm;    // by generator: total over all switches; empty without a layout
  std::vector<std::int64_t> price_cents;  // by generator: total over all cables
  std::vector<std::int64_t> longest_mm;   // by generator: the longest of its cables
  std::int64_t hop = 0;                   // delays of a switch, of 1 mm of cable and of both ends, in delay units
  std::int64_t cable_mm = 0;
  std::int64_t endpoint = 0;
  std::int64_t fixed_cents = 0;    // everything except the cables between switches
  std::int64_t rack_switches = 0;  // of each plane in a rack
};

// A score is compared part by part: the excess over limits, if there are any, then the components.
inline constexpr int kMaxComponents = 3;
using Component = std::vector<Metric>;

// A product of metrics times a whole number; without metrics, a constant.
struct Term {
  Int128 weight = 1;
  Component factors;
  double rounded_weight = 1;  // set by Scalarisation: to convert 128 bits for each energy takes 5 % of an annealing
};
using Sum = std::vector<Term>;

struct Score {
  std::array<Int128, kMaxComponents + 1> part{};
  auto operator<=>(const Score&) const = default;
};

class Scalarisation {
 public:
  // At most kMaxComponents components; throws std::invalid_argument otherwise.
  explicit Scalarisation(const std::vector<Component>& components);
  // `limits`: sums that should not be positive; those that are, added up, are the excess. `most`: upper bounds of the
  // metrics, from which lower bounds of negative terms follow.
  Scalarisation(std::vector<Sum> components, std::vector<Sum> limits, const ExactMetrics& most);
  // The score, excess included, that other code computes from all metrics of the components, and its number of parts
  // without the excess, which is at least that over `limits`.
  using Function = std::function<Score(const ExactMetrics&)>;
  Scalarisation with(std::shared_ptr<const Function> function, std::size_t parts) &&;

  Score operator()(const ExactMetrics& exact_metrics) const {
    return function_ != nullptr ? (*function_)(exact_metrics) : score_of(exact_metrics, exact_metrics);
  }
  // A lower bound of the score, given lower bounds of the metrics; nothing is known of a function.
  Score lowest(const ExactMetrics& lower) const {
    Score score = score_of(lower, most_);
    if (function_ != nullptr)
      std::fill(score.part.begin() + (limits_.empty() ? 0 : 1), score.part.end(), std::numeric_limits<Int128>::min());
    return score;
  }
  // By how much limits are exceeded; 0 if all are met.
  Int128 excess(const ExactMetrics& exact_metrics) const { return excess_of(exact_metrics, exact_metrics); }
  // The same numbers in floating point, for the energy of a search: cheap, never compared with exact values.
  double approximate(std::size_t component, const ExactMetrics& exact_metrics) const {
    if (function_ != nullptr)
      return static_cast<double>((*function_)(exact_metrics).part[component + (limits_.empty() ? 0 : 1)]);
    return approximate(components_[component], exact_metrics);
  }
  static double approximate(const Sum& terms, const ExactMetrics& exact_metrics) {
    double sum = 0;
    for (const Term& term : terms) {
      double product = term.rounded_weight;
      for (const Metric metric : term.factors)
        product *= static_cast<double>(exact_metrics[static_cast<std::size_t>(metric)]);
      sum += product;
    }
    return sum;
  }
  bool uses(Metric metric) const { return used_[static_cast<std::size_t>(metric)]; }
  bool uses_cables() const {
    return uses(Metric::kCableLength) || uses(Metric::kDelay) || uses(Metric::kDelayPaper) || uses(Metric::kCost) ||
           uses(Metric::kLongestCable);
  }
  bool uses_racks() const { return uses(Metric::kRackFaultDiameter) || uses(Metric::kRackFaultAspl); }
  // Whether no metric may be larger in a better design.
  bool is_monotone() const { return monotone_; }
  std::size_t size() const { return function_ != nullptr ? parts_ : components_.size(); }
  const std::vector<Sum>& limits() const { return limits_; }
  bool has_function() const { return function_ != nullptr; }

 private:
  // Positive terms have the metrics of `low`, negative ones those of `high`.
  static Int128 value_of(const Sum& terms, const ExactMetrics& low, const ExactMetrics& high) {
    Int128 sum = 0;
    for (const Term& term : terms) {
      Int128 product = term.weight;
      const ExactMetrics& metrics = term.weight < 0 ? high : low;
      for (const Metric metric : term.factors) product *= metrics[static_cast<std::size_t>(metric)];
      sum += product;
    }
    return sum;
  }
  Int128 excess_of(const ExactMetrics& low, const ExactMetrics& high) const {
    Int128 excess = 0;
    for (const Sum& limit : limits_) {
      const Int128 value = value_of(limit, low, high);
      if (value > 0) excess += value;
    }
    return excess;
  }
  Score score_of(const ExactMetrics& low, const ExactMetrics& high) const {
    Score score;
    std::size_t part = 0;
    if (!limits_.empty()) score.part[part++] = excess_of(low, high);
    for (const Sum& component : components_) score.part[part++] = value_of(component, low, high);
    return score;
  }

  std::vector<Sum> components_;
  std::vector<Sum> limits_;
  ExactMetrics most_{};
  std::array<bool, kMetricCount> used_{};
  bool monotone_ = true;
  std::shared_ptr<const Function> function_;
  std::size_t parts_ = 0;
};

// Sums and maxima over the generators of both planes, or bounds on them, from which all metrics follow.
struct Totals {
  std::int64_t sum_of_distances = 0;
  std::int64_t max_load = 0;
  std::int64_t length_mm = 0;
  std::int64_t price_cents = 0;
  std::int64_t load_mm = 0;  // load x length
  std::int64_t longest_mm = 0;
  std::int64_t diameter = 0;
  std::int64_t detour = 0;  // as in `Loads`
  RackLoss rack{};
};

// Evaluates bases of one dimension and family: kernel, cable tables and scalarisation. Immutable, so threads can share
// it.
class Evaluator {
 public:
  // Throws std::invalid_argument if n is out of range, or a metric needs a layout and there is none.
  Evaluator(int n, bool folded, Site site, Scalarisation scalarisation);

  int n() const { return n_; }
  bool folded() const { return folded_; }
  const Scalarisation& scalarisation() const { return scalarisation_; }

  // Only the metrics that the scalarisation uses are computed; the others are 0. The candidate is given by rows and by
  // columns. False if it is not a basis, which is only detected if `walks_offsets`.
  bool exact_metrics(const std::uint32_t* rows, const std::uint32_t* columns, ExactMetrics& out) const {
    Loads loads{};
    return exact_metrics(rows, columns, out, loads);
  }
  // Also returns the loads, or only the sum of distances, and the diameter, if the score needs them; the rest of
  // `loads` is unchanged.
  bool exact_metrics(const std::uint32_t* rows, const std::uint32_t* columns, ExactMetrics& out, Loads& loads) const;
  // The score of a basis.
  Score operator()(const std::uint32_t* rows, const std::uint32_t* columns) const {
    ExactMetrics found;
    exact_metrics(rows, columns, found);
    return scalarisation_(found);
  }
  // Whether a metric needs the kernel in addition to the cable tables.
  bool walks_offsets() const { return needs_loads_ || needs_sum_ || needs_diameter_ || needs_detour_; }
  // All metrics.
  ExactMetrics from_totals(const Totals& totals) const;
  // The same from known loads, for candidates whose loads a symmetry preserves.
  ExactMetrics from_loads(const Loads& loads, const std::uint32_t* columns) const {
    return from_totals(totals(loads, columns));
  }
  Totals totals(const Loads& loads, const std::uint32_t* columns) const;
  Loads loads(const std::uint32_t* rows) const {
    Loads found;
    kernel_.loads(rows, found);
    found.diameter = needs_diameter_ ? kernel_.diameter(rows) : 0;
    found.detour = 0;
    if (needs_detour_) {
      std::uint32_t columns[kMaxN];
      transpose(rows, n_, columns);
      found.detour = detour(columns);
    }
    return found;
  }
  // After the loss of a rack, if the score depends on it.
  RackLoss rack_loss(const std::uint32_t* columns) const { return racks_ ? (*racks_)(columns) : RackLoss{}; }
  // Whether exchanging the coordinates at `place` and at the next exchanges racks, or these do not matter.
  bool are_rack_twins(int place) const { return !racks_ || racks_->are_twins(place); }
  // The longest cable of plane 0, and that of both planes.
  std::int64_t longest0_mm() const { return longest0_mm_; }
  std::int64_t longest_mm(const std::uint32_t* columns) const;
  const Site& site() const { return site_; }
  bool has_layout() const { return !site_.length_mm.empty(); }

 private:
  // See `Loads::detour`.
  std::int32_t detour(const std::uint32_t* columns) const;
  void add_cables(Totals& totals, const Loads* loads, const std::uint32_t* columns) const;

  int n_;
  bool folded_;
  int links_;
  Site site_;
  Scalarisation scalarisation_;
  Kernel kernel_;
  bool needs_loads_;
  bool needs_sum_;
  bool needs_diameter_;
  bool needs_detour_;
  bool needs_cables_;
  std::optional<CubeRacks> racks_;                 // where they matter
  std::array<std::int64_t, kMaxLinks> length0_{};  // plane 0: the unit basis and its folded link
  std::int64_t total_length0_ = 0;
  std::int64_t total_price0_ = 0;
  std::int64_t longest0_mm_ = 0;
};

}  // namespace isoplane
