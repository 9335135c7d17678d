#include "isoplane/exact.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace isoplane {
namespace {

// Prefixes longer than this cost more to test than the walk below them.
constexpr int kPrefix = 4;

constexpr std::size_t index(Metric metric) { return static_cast<std::size_t>(metric); }

}  // namespace

// The state of a walk: the generators chosen so far and what they span.
struct ExactSearch::Walk {
  std::unique_ptr<Goal> goal;
  std::int64_t evaluations = 0;
  Columns generators{};
  std::vector<std::vector<bool>> spanned;  // for each level, whether a vector is in the span
  std::vector<std::vector<std::uint32_t>> span;

  explicit Walk(int n) : spanned(static_cast<std::size_t>(n) + 1, std::vector<bool>(std::size_t{1} << n)) {
    span.assign(static_cast<std::size_t>(n) + 1, {0});
    spanned[0][0] = true;
  }

  void choose(int level, std::uint32_t generator) {
    const auto k = static_cast<std::size_t>(level);
    generators[k] = generator;
    span[k + 1] = span[k];
    spanned[k + 1] = spanned[k];
    for (const std::uint32_t vector : span[k]) {
      span[k + 1].push_back(vector ^ generator);
      spanned[k + 1][vector ^ generator] = true;
    }
  }
};

ExactSearch::ExactSearch(std::shared_ptr<const Evaluator> evaluator, bool front)
    : evaluator_(std::move(evaluator)), front_(front) {
  if (n() > kExactMaxN) throw std::invalid_argument("exact search is for small n");
  const auto uses = [this](Metric metric) { return evaluator_->scalarisation().uses(metric); };
  cables_ = uses(Metric::kCableLength) || uses(Metric::kDelay) || uses(Metric::kDelayPaper) || uses(Metric::kCost);
  make_permutations();
  std::vector<std::uint32_t> prefix;
  extend(prefix, std::min(n(), kPrefix));
  if (!cables_) return;
  const Surroundings& s = evaluator_->surroundings();
  const auto weights = static_cast<std::size_t>(n()) + 1;
  least_length_.assign(weights, std::numeric_limits<std::int64_t>::max());
  least_price_.assign(weights, std::numeric_limits<std::int64_t>::max());
  for (std::uint32_t g = 1; g < 1u << n(); ++g) {
    const auto w = static_cast<std::size_t>(std::popcount(g));
    least_length_[w] = std::min(least_length_[w], s.length_mm[g]);
    least_price_[w] = std::min(least_price_[w], s.price_cents[g]);
  }
  for (int i = 0; i < n(); ++i) unit_lengths_.push_back(s.length_mm[std::size_t{1} << i]);
  std::sort(unit_lengths_.begin(), unit_lengths_.end());
}

void ExactSearch::make_permutations() {
  std::vector<std::uint8_t> order(static_cast<std::size_t>(n()));
  std::iota(order.begin(), order.end(), std::uint8_t{0});
  do {
    std::vector<std::uint32_t> table(std::size_t{1} << n());
    for (std::uint32_t v = 0; v < table.size(); ++v)
      for (std::size_t i = 0; i < order.size(); ++i) table[v] |= (v >> i & 1u) << order[i];
    permutations_.push_back(std::move(table));
    orders_.push_back(order);
  } while (std::next_permutation(order.begin(), order.end()));
}

void ExactSearch::extend(std::vector<std::uint32_t>& prefix, int depth) {
  if (static_cast<int>(prefix.size()) == depth) {
    prefixes_.push_back(prefix);
    return;
  }
  for (std::uint32_t g = prefix.empty() ? 1 : prefix.back() + 1; g < 1u << n(); ++g) {
    prefix.push_back(g);
    Walk walk(n());
    bool independent = true;
    for (std::size_t k = 0; k < prefix.size() && independent; ++k) {
      independent = !walk.spanned[k][prefix[k]];
      walk.choose(static_cast<int>(k), prefix[k]);
    }
    if (independent && smallest(prefix)) extend(prefix, depth);
    prefix.pop_back();
  }
}

bool ExactSearch::smallest(const std::vector<std::uint32_t>& prefix) const {
  std::vector<std::uint32_t> image(prefix.size());
  for (const auto& permutation : permutations_) {
    std::uint32_t least = std::numeric_limits<std::uint32_t>::max();
    for (std::size_t k = 0; k < prefix.size(); ++k) least = std::min(least, image[k] = permutation[prefix[k]]);
    if (least > prefix[0]) continue;
    std::sort(image.begin(), image.end());
    if (image < prefix) return false;
  }
  return true;
}

ExactSearch::Found ExactSearch::run(std::size_t begin, std::size_t end, const std::vector<Columns>& incumbents) const {
  Walk walk(n());
  walk.goal = front_ ? pareto_front(*evaluator_) : best_score(*evaluator_);
  for (const Columns& generators : incumbents) {
    const Basis basis(n(), generators.data());
    Ingredients found;
    evaluator_->ingredients(basis.rows(), basis.columns(), found);
    walk.goal->note(found, generators);
  }
  for (std::size_t unit = begin; unit < end; ++unit) {
    const auto& prefix = prefixes_.at(unit);
    for (std::size_t k = 0; k < prefix.size(); ++k) walk.choose(static_cast<int>(k), prefix[k]);
    descend(walk, static_cast<int>(prefix.size()), prefix.back());
  }
  return {walk.goal->designs(), walk.evaluations};
}

void ExactSearch::descend(Walk& walk, int level, std::uint32_t above) const {
  if (level == n()) {
    judge(walk);
    return;
  }
  const auto& spanned = walk.spanned[static_cast<std::size_t>(level)];
  for (std::uint32_t g = above + 1; g < 1u << n(); ++g) {
    if (spanned[g]) continue;
    if (level == n() - 1) {
      walk.generators[static_cast<std::size_t>(level)] = g;
      judge(walk);
    } else {
      walk.choose(level, g);
      descend(walk, level + 1, g);
    }
  }
}

void ExactSearch::judge(Walk& walk) const {
  ++walk.evaluations;
  Columns rows;
  transpose(walk.generators.data(), n(), rows.data());
  if (!cables_) {
    Ingredients found;
    evaluator_->ingredients(rows.data(), walk.generators.data(), found);
    walk.goal->note(found, walk.generators);
    return;
  }
  const Loads loads = evaluator_->loads(rows.data());
  if (walk.goal->beatable(lower_bound(loads, walk.generators))) permute(walk, loads);
}

// Ingredients that no permutation of coordinates goes below: loads stay with their generators, a generator keeps its
// weight, and the loads of plane 0 meet the lengths of the unit vectors in the best order.
Ingredients ExactSearch::lower_bound(const Loads& loads, const Columns& generators) const {
  const Surroundings& s = evaluator_->surroundings();
  const int n = this->n();
  const std::int64_t switches = std::int64_t{1} << n;
  const std::size_t everything = (std::size_t{1} << n) - 1;
  const std::int64_t links = 2 * (n + (evaluator_->folded() ? 1 : 0));
  std::int64_t length = std::accumulate(unit_lengths_.begin(), unit_lengths_.end(), std::int64_t{0});
  std::int64_t price = 0;
  for (int i = 0; i < n; ++i) price += s.price_cents[std::size_t{1} << i];
  std::vector<std::int64_t> plane0(loads.load[0], loads.load[0] + n);
  std::sort(plane0.begin(), plane0.end(), std::greater<>());
  std::int64_t weighted = 0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) weighted += plane0[i] * unit_lengths_[i];
  std::uint32_t folded_link = 0;
  for (int k = 0; k < links / 2; ++k) {
    const std::uint32_t generator = k < n ? generators[static_cast<std::size_t>(k)] : folded_link;
    folded_link ^= generator;
    const auto w = static_cast<std::size_t>(std::popcount(generator));
    length += least_length_[w];
    price += least_price_[w];
    weighted += loads.load[1][k] * least_length_[w];
  }
  if (evaluator_->folded()) {
    length += s.length_mm[everything];
    price += s.price_cents[everything];
    weighted += loads.load[0][n] * s.length_mm[everything];
  }
  Ingredients lower{};
  lower[index(Metric::kSumOfDistances)] = loads.sum_of_distances;
  lower[index(Metric::kMaxLoad)] = loads.max_load;
  lower[index(Metric::kCableLength)] = length;
  lower[index(Metric::kDelay)] =
      weighted * s.cable_mm + 2 * loads.sum_of_distances * s.hop * switches + 2 * s.endpoint * switches * switches;
  lower[index(Metric::kDelayPaper)] = (length * s.cable_mm + s.hop * links * switches) * loads.sum_of_distances +
                                      s.endpoint * links * switches * switches;
  lower[index(Metric::kCost)] = s.fixed_cents + price;
  return lower;
}

void ExactSearch::permute(Walk& walk, const Loads& loads) const {
  Loads moved = loads;
  Columns image{};
  for (std::size_t p = 0; p < permutations_.size(); ++p) {
    for (std::size_t i = 0; i < static_cast<std::size_t>(n()); ++i) {
      image[i] = permutations_[p][walk.generators[i]];
      moved.load[0][orders_[p][i]] = loads.load[0][i];
    }
    ++walk.evaluations;
    walk.goal->note(evaluator_->from_loads(moved, image.data()), image);
  }
}

}  // namespace isoplane
