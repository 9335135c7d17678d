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

// The state of a walk: the generators chosen so far, what they span, and where to go on after a pause.
struct ExactSearch::Walk {
  std::unique_ptr<Goal> goal;
  std::int64_t evaluations = 0;
  std::int64_t pause_at = 0;
  Columns generators{};
  Columns next{};                          // for each level, the generator to try next; 0 where the level begins anew
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

ExactLane::ExactLane(std::shared_ptr<const ExactSearch> search, std::size_t first, std::size_t step)
    : search_(std::move(search)), unit_(first), step_(step), walk_(std::make_unique<ExactSearch::Walk>(search_->n())) {
  if (step == 0) throw std::invalid_argument("a lane needs a step");
}

ExactLane::~ExactLane() = default;

std::vector<Columns> ExactLane::run(std::int64_t evaluations, const std::vector<Columns>& incumbents) {
  const Evaluator& evaluator = *search_->evaluator_;
  ExactSearch::Walk& walk = *walk_;
  walk.goal = search_->front_ ? pareto_front(evaluator) : best_score(evaluator);
  for (const Columns& generators : incumbents) {
    const Basis basis(n(), generators.data());
    Ingredients found;
    evaluator.ingredients(basis.rows(), basis.columns(), found);
    walk.goal->note(found, generators);
  }
  walk.pause_at = walk.evaluations + evaluations;
  for (; !done(); unit_ += step_) {
    const auto& prefix = search_->prefixes_[unit_];
    for (std::size_t k = 0; k < prefix.size(); ++k) walk.choose(static_cast<int>(k), prefix[k]);
    if (!search_->descend(walk, static_cast<int>(prefix.size()))) break;
  }
  evaluations_ = walk.evaluations;
  return walk.goal->designs();
}

// Completes the generators from a level on; false when it paused, to be called again with the same ones below the
// level.
bool ExactSearch::descend(Walk& walk, int level) const {
  if (level == n()) {
    judge(walk);
    return true;
  }
  const auto k = static_cast<std::size_t>(level);
  std::uint32_t& g = walk.next[k];
  if (g == 0) g = walk.generators[k - 1] + 1;
  for (; g < 1u << n(); ++g) {
    if (walk.spanned[k][g]) continue;
    if (level < n() - 1) {
      walk.choose(level, g);
      if (!descend(walk, level + 1)) return false;
    } else {
      if (walk.evaluations >= walk.pause_at) return false;
      walk.generators[k] = g;
      judge(walk);
    }
  }
  g = 0;
  return true;
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
