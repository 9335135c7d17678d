#include "isoplane/completions.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace isoplane {
namespace {

// The sum of two table entries stays below 2^16.
constexpr std::int64_t kCut = 0x3FFF;
constexpr std::size_t kBlock = 16;
// Of three missing generators, the first is the best of a number of random vectors; several firsts are tried.
constexpr int kTournament = 8;
constexpr int kFirsts = 4;
// Table entries processed in the time of an evaluation, per offset of the kernel; weight of a single entry that is
// looked up, without and with cables.
constexpr std::int64_t kEntries = 1;
constexpr std::size_t kLookUp = 16;
constexpr std::size_t kCableLookUp = 48;
// Generators to replace are drawn from the last kWindow ones, so that the tables under them stay valid; one choice in
// kAnywhere is unrestricted.
constexpr std::size_t kWindow = 6;
constexpr std::uint32_t kAnywhere = 8;

std::size_t index(int i) { return static_cast<std::size_t>(i); }

// An upper bound of f_w: as if plane 1 were the shorter one for all 2^size offsets, whose coordinates take all values.
std::int64_t highest(int n, bool folded, int size, int w) {
  std::int64_t sum = 0, choose = 1;
  for (int weight = 0; weight <= size; ++weight) {
    const int hops = weight + w;
    sum += choose * (folded ? std::min(hops, n + 1 - hops) : hops);
    choose = choose * (size - weight) / (weight + 1);
  }
  return sum;
}

}  // namespace

Completions::Completions(std::shared_ptr<const Evaluator> evaluator)
    : evaluator_(std::move(evaluator)),
      sums_(evaluator_->n(), evaluator_->folded(), chosen_isa()),
      kernel_(span_kernel(chosen_isa())) {
  // Tables are modulo 2^16, which is too small for n > 14; lower bounds on the relevant values resolve the ambiguity.
  const int n = evaluator_->n();
  for (int size = 0; size < n; ++size)
    for (int w = 1; w <= std::min(kMaxMissing, n - size); ++w)
      lowest_[index(size)][index(w)] = std::max<std::int64_t>(0, highest(n, evaluator_->folded(), size, w) - 0xFFFF);
}

std::vector<Columns> Completions::best(const Columns& generators, std::uint32_t missing, const Prices& prices,
                                       double slack, std::size_t count, Random& random) {
  prices_ = prices;
  count_ = count;
  random_ = &random;
  found_.clear();
  first_ = 0;
  first_cost_ = 0;
  keep(generators, missing, random);
  const std::size_t replaced = removed_.size();
  skip_present_ = replaced < 3;
  limit_ = present_cost() + static_cast<std::int64_t>(slack);
  if (replaced == 1)
    complete_one();
  else if (replaced == 2)
    complete_two();
  else
    complete_three();
  std::sort(found_.begin(), found_.end());
  std::vector<Columns> all;
  for (const Found& found : found_) {
    Columns completed = generators;
    std::size_t next = 0;
    for (std::uint32_t rest = missing; rest != 0; rest &= rest - 1)
      completed[static_cast<std::size_t>(std::countr_zero(rest))] = found.generators[next++];
    all.push_back(completed);
  }
  return all;
}

std::int64_t Completions::drain_evaluations() {
  const std::int64_t entries = kEntries << evaluator_->n();
  const std::int64_t charge = (work_ + entries - 1) / entries;
  work_ = 0;
  return charge;
}

std::uint32_t Completions::choose(const Columns& generators, std::int64_t count, Random& random) const {
  const int n = evaluator_->n();
  const auto window = std::min<std::size_t>(index(n), kWindow);
  const bool anywhere = random.below(kAnywhere) == 0 || kept_.size() + window < index(n);
  const auto excluded_end = kept_.begin() + static_cast<std::ptrdiff_t>(anywhere ? 0 : index(n) - window);
  std::uint32_t chosen = 0;
  while (std::popcount(chosen) < count) {
    const std::uint32_t k = random.below(static_cast<std::uint32_t>(n));
    if (std::find(kept_.begin(), excluded_end, generators[k]) == excluded_end) chosen |= 1u << k;
  }
  return chosen;
}

// Tables remain valid for the common prefix of generators; the others follow in random order.
void Completions::keep(const Columns& generators, std::uint32_t missing, Random& random) {
  removed_.clear();
  std::vector<std::uint32_t> staying;
  for (int k = 0; k < evaluator_->n(); ++k) (missing >> k & 1u ? removed_ : staying).push_back(generators[index(k)]);
  std::size_t prefix = 0;
  for (; prefix < kept_.size(); ++prefix) {
    const auto found = std::find(staying.begin(), staying.end(), kept_[prefix]);
    if (found == staying.end()) break;
    staying.erase(found);
  }
  kept_.resize(prefix);
  kept_sum_ = 0;
  for (const std::uint32_t generator : kept_) kept_sum_ ^= generator;
  for (; !staying.empty(); staying.pop_back()) {
    std::swap(staying[random.below(static_cast<std::uint32_t>(staying.size()))], staying.back());
    keep(staying.back());
  }
}

Columns Completions::kept() const {
  Columns all{};
  std::copy(kept_.begin(), kept_.end(), all.begin());
  return all;
}

void Completions::restore(const Columns& kept) {
  kept_.clear();
  for (std::size_t k = 0; k < index(evaluator_->n()) && kept[k] != 0; ++k) keep(kept[k]);
  work_ = 0;
}

// One pass over all vectors per w that is still needed.
void Completions::keep(std::uint32_t generator) {
  const int n = evaluator_->n(), size = static_cast<int>(kept_.size());
  sums_.extend(size, static_cast<std::uint16_t>(generator));
  charge(index(n - size) << n);
  kept_.push_back(generator);
  kept_sum_ ^= generator;
}

// Cost of a vector as a sum of w missing generators; `last`: of all of them, which includes the folded link.
std::int64_t Completions::cost(int w, std::uint32_t vector, bool last) const {
  const auto added = sums_.added(static_cast<int>(kept_.size()), w)[vector];
  const std::int64_t lowest = lowest_[kept_.size()][index(w)];
  const auto excess = static_cast<std::uint16_t>(added - static_cast<std::uint16_t>(lowest));
  double total = prices_.sum * static_cast<double>(lowest + excess);
  const Site& table = evaluator_->site();
  const auto cable = [&](std::uint32_t generator) {
    return prices_.length * static_cast<double>(table.length_mm[generator]) +
           prices_.price * static_cast<double>(table.price_cents[generator]);
  };
  if (evaluator_->has_layout()) {
    if (w == 1) total += cable(vector);
    if (last && evaluator_->folded()) total += cable(vector ^ kept_sum_);
  }
  return static_cast<std::int64_t>(total);
}

std::int64_t Completions::present_cost() const {
  std::int64_t total = 0;
  const auto all = (1u << removed_.size()) - 1;
  for (std::uint32_t subset = 1; subset <= all; ++subset) {
    std::uint32_t vector = 0;
    for (std::uint32_t rest = subset; rest != 0; rest &= rest - 1)
      vector ^= removed_[static_cast<std::size_t>(std::countr_zero(rest))];
    total += cost(std::popcount(subset), vector, subset == all);
  }
  return total;
}

void Completions::fill(Table& table, std::uint32_t coset, int w, bool last) {
  const std::size_t vectors = std::size_t{1} << kept_.size();
  costs_.resize(vectors);
  std::uint32_t vector = coset;
  const bool cables = prices_.length != 0 || prices_.price != 0;
  const std::uint16_t* added = sums_.added(static_cast<int>(kept_.size()), w);
  const std::int64_t lowest = lowest_[kept_.size()][index(w)];
  const auto unit = static_cast<std::int64_t>(prices_.sum);
  for (std::size_t i = 0;;) {
    costs_[i ^ i >> 1] =
        cables ? cost(w, vector, last) : unit * (lowest + static_cast<std::uint16_t>(added[vector] - lowest));
    if (++i == vectors) break;
    vector ^= kept_[static_cast<std::size_t>(std::countr_zero(i))];
  }
  table.least = *std::min_element(costs_.begin(), costs_.end());
  table.excess.assign(std::max(kBlock, vectors), static_cast<std::uint16_t>(2 * kCut + 1));
  for (std::size_t y = 0; y < vectors; ++y)
    table.excess[y] = static_cast<std::uint16_t>(std::min(kCut, costs_[y] - table.least));
  charge((cables ? kCableLookUp : kLookUp) * vectors);
}

// The vector of H with these coordinates.
std::uint32_t Completions::spanned(std::size_t coordinates) const {
  std::uint32_t sum = 0;
  for (std::size_t rest = coordinates; rest != 0; rest &= rest - 1)
    sum ^= kept_[static_cast<std::size_t>(std::countr_zero(rest))];
  return sum;
}

void Completions::complete_one() {
  Table& table = tables_[0];
  fill(table, removed_[0], 1, true);
  const std::size_t vectors = std::size_t{1} << kept_.size();
  for (std::size_t y = 1; y < vectors; ++y)
    if (table.excess[y] < kCut && table.least + table.excess[y] <= limit_)
      record(table.least + table.excess[y], removed_[0] ^ spanned(y), 0);
}

void Completions::complete_two() {
  const std::uint32_t a = removed_[0], b = removed_[1];
  const std::uint32_t cosets[] = {a, b, a ^ b};
  for (std::size_t c = 0; c < 3; ++c) {
    fill(tables_[c], cosets[c], 1, false);
    fill(tables_[3 + c], cosets[c], 2, true);
  }
  complete_pairs(tables_[0], tables_[1], tables_[5], a, b);
  skip_present_ = false;
  complete_pairs(tables_[0], tables_[2], tables_[4], a, a ^ b);
  complete_pairs(tables_[1], tables_[2], tables_[3], b, a ^ b);
}

void Completions::complete_pairs(const Table& first, const Table& second, const Table& both, std::uint32_t a0,
                                 std::uint32_t b0) {
  const std::int64_t base = first.least + second.least + both.least;
  const std::size_t vectors = std::size_t{1} << kept_.size();
  for (std::size_t a = 0; a < vectors; ++a) {
    const std::int64_t partial = base + first.excess[a];
    if (partial > limit_ || first.excess[a] == kCut) continue;
    const std::int64_t room = std::min(limit_ - partial, kCut - 1);
    charge(vectors);
    if (kernel_.least_sum(second.excess.data(), both.excess.data(), static_cast<std::uint16_t>(a),
                          second.excess.size()) > room)
      continue;
    charge(vectors);
    for (std::size_t b = 0; b < vectors; ++b) {
      const int rest = second.excess[b] + both.excess[a ^ b];
      if (rest > room || partial + rest > limit_ || (skip_present_ && (a | b) == 0)) continue;
      record(partial + rest, a0 ^ spanned(a), b0 ^ spanned(b));
    }
  }
}

void Completions::complete_three() {
  const std::vector<std::uint32_t> removed = removed_;
  const std::int64_t limit = limit_;
  const std::uint32_t sum = kept_sum_;
  for (int attempt = 0; attempt < kFirsts; ++attempt) {
    std::uint32_t combination = 0;
    first_ = tournament(combination);
    // The limit applies to the other two generators; the costs recorded are those of all three.
    first_cost_ = cost(1, first_, false);
    limit_ = (found_.size() < count_ ? limit : found_.front().cost) - first_cost_;
    removed_.erase(removed_.begin() + std::countr_zero(combination));
    keep(first_);
    complete_two();
    kept_.pop_back();
    kept_sum_ = sum;
    removed_ = removed;
  }
}

// The best of a few random vectors outside H as the first generator; `combination` receives its coset.
std::uint32_t Completions::tournament(std::uint32_t& combination) {
  std::uint32_t best = 0;
  std::int64_t least = INT64_MAX;
  for (int draw = 0; draw < kTournament; ++draw) {
    const std::uint32_t drawn = 1 + random_->below(7);
    std::uint32_t vector = spanned(random_->below(1u << kept_.size()));
    for (std::uint32_t rest = drawn; rest != 0; rest &= rest - 1)
      vector ^= removed_[static_cast<std::size_t>(std::countr_zero(rest))];
    const std::int64_t drawn_cost = cost(1, vector, false);
    if (drawn_cost >= least) continue;
    least = drawn_cost;
    best = vector;
    combination = drawn;
  }
  return best;
}

// Keeps the cheapest; a full heap lowers the limit.
void Completions::record(std::int64_t cost, std::uint32_t a, std::uint32_t b) {
  const auto tie = static_cast<std::uint32_t>((*random_)() >> 32);
  Found found{cost + first_cost_, tie, {a, b, first_}};
  if (found_.size() == count_) {
    if (!(found < found_.front())) return;
    std::pop_heap(found_.begin(), found_.end());
    found_.back() = found;
  } else {
    found_.push_back(found);
  }
  std::push_heap(found_.begin(), found_.end());
  if (found_.size() == count_) limit_ = std::min(limit_, found_.front().cost - first_cost_);
}

}  // namespace isoplane
