#include "isoplane/coordinates.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>

namespace isoplane {
namespace {

constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::max();

std::size_t index(int i) { return static_cast<std::size_t>(i); }

// The tighter of two lower bounds, componentwise.
Totals tighter(const Totals& one, const Totals& other) {
  RackLoss rack = one.rack;
  rack.add(other.rack);
  return {std::max(one.sum_of_distances, other.sum_of_distances),
          std::max(one.max_load, other.max_load),
          std::max(one.length_mm, other.length_mm),
          std::max(one.price_cents, other.price_cents),
          std::max(one.load_mm, other.load_mm),
          std::max(one.longest_mm, other.longest_mm),
          std::max(one.diameter, other.diameter),
          std::max(one.detour, other.detour),
          rack};
}

}  // namespace

// A node of the search tree: first the set of coordinates on top, in the highest places with the longest cables, is
// chosen; then these places are assigned one by one from the highest, then the others.
struct CoordinateOrders::Assignment {
  const Loads* loads;
  const Totals* before;                           // lower bounds that hold for any order
  std::array<std::uint8_t, kMaxN> by_load{};      // coordinates by descending load of plane 0
  Columns generators{};                           // in the coordinates of the class; the folded link last
  std::array<std::uint32_t, kMaxLinks> placed{};  // bits of each generator on the places taken
  std::array<std::uint8_t, kMaxLinks> above{};    // number of its other coordinates that go on top
  std::array<std::uint8_t, kMaxLinks> below{};    // and below it
  std::uint32_t top = 0;                          // coordinates on top
  std::uint32_t used = 0;                         // coordinates with a place
  std::int64_t load_mm = 0;                       // of plane 0, over these and the folded link
  RackLoss rack;                                  // if all places are taken
  int taken = 0;
  int latest = 0;  // the coordinate placed last
};

CoordinateOrders::CoordinateOrders(const Evaluator& evaluator, ValidInequalities inequalities)
    : evaluator_(evaluator),
      inequalities_(std::move(inequalities)),
      n_(evaluator.n()),
      links_(evaluator.n() + (evaluator.folded() ? 1 : 0)),
      top_(n_ / 2) {
  if (evaluator.has_layout()) make_tables();
}

void CoordinateOrders::make_tables() {
  const Site& s = evaluator_.site();
  const auto tables_of = [this](const std::vector<std::int64_t>& values) {
    std::vector<std::vector<std::int64_t>> tables(index(n_) + 1);
    for (int taken = 0; taken <= n_; ++taken) {
      auto& table = tables[index(taken)];
      table.assign((std::size_t{1} << taken) * (index(above(taken)) + 1) * (index(below(taken)) + 1), kNone);
      const std::size_t low = (std::size_t{1} << below(taken)) - 1;
      const std::size_t remaining = (std::size_t{1} << (n_ - taken)) - 1;
      for (std::size_t v = 1; v < values.size(); ++v) {
        auto& least = table[entry(taken, static_cast<std::uint32_t>(v >> (n_ - taken)),
                                  std::popcount(v & remaining & ~low), std::popcount(v & low))];
        least = std::min(least, values[v]);
      }
    }
    return tables;
  };
  length_ = tables_of(s.length_mm);
  price_ = tables_of(s.price_cents);
  longest_ = tables_of(s.longest_mm);
  lengths_ = rank(s.length_mm);
  prices_ = rank(s.price_cents);
  longests_ = rank(s.longest_mm);
  for (int k = 0; k < links_; ++k) {
    const std::size_t generator = k < n_ ? std::size_t{1} << k : s.length_mm.size() - 1;
    lengths0_.push_back(s.length_mm[generator]);
    total_length0_ += s.length_mm[generator];
    total_price0_ += s.price_cents[generator];
  }
  std::sort(lengths0_.begin(), lengths0_.end());
  const auto ascending = [&](int from, int to) {
    std::vector<std::int64_t> lengths;
    for (int i = from; i < to; ++i) lengths.push_back(s.length_mm[std::size_t{1} << i]);
    std::sort(lengths.begin(), lengths.end());
    return lengths;
  };
  all_places_ = ascending(0, n_);
  for (int taken = 0; taken <= n_; ++taken) {
    places_above_.push_back(ascending(below(taken), n_ - taken));
    places_below_.push_back(ascending(0, below(taken)));
  }
  for (std::uint32_t top = 0; top < 1u << n_; ++top)
    if (std::popcount(top) == top_) tops_.push_back(top);
  for (int place = 0; place + 1 < n_; ++place) twins_[index(place)] = are_twins(place);
}

// Whether exchanging a place and the next higher one changes no cable, or no rack, of those that matter.
bool CoordinateOrders::are_twins(int place) const {
  const Site& s = evaluator_.site();
  if (!evaluator_.are_rack_twins(place)) return false;
  if (!evaluator_.scalarisation().uses_cables()) return true;
  for (std::size_t v = 0; v < s.length_mm.size(); ++v) {
    const std::size_t differ = (v >> place ^ v >> (place + 1)) & 1;
    const std::size_t image = v ^ (differ * 3) << place;
    if (s.length_mm[v] != s.length_mm[image] || s.price_cents[v] != s.price_cents[image] ||
        s.longest_mm[v] != s.longest_mm[image])
      return false;
  }
  return true;
}

// Bases form a matroid: among all of them, the greedy basis has the minimum k-th value for every k (Edmonds, Matroids
// and the greedy algorithm, 1971). The only dependency of the links of a folded plane is that they add up to zero: any
// n of them are a basis, so the k-th of all n + 1 is at least the k-th of the greedy basis, and the last at least its
// last.
CoordinateOrders::Ranked CoordinateOrders::rank(const std::vector<std::int64_t>& values) const {
  Ranked ranked;
  ranked.of_weight.assign(index(n_) + 1, {});
  ranked.from_weight.assign(index(n_) + 1, {});
  for (std::size_t v = 1; v < values.size(); ++v) ranked.of_weight[index(std::popcount(v))].push_back(values[v]);
  std::vector<std::int64_t> heavier;
  for (int w = n_; w >= 0; --w) {
    auto& of_weight = ranked.of_weight[index(w)];
    std::sort(of_weight.begin(), of_weight.end());
    heavier.insert(heavier.end(), of_weight.begin(), of_weight.end());
    std::sort(heavier.begin(), heavier.end());
    heavier.resize(std::min(heavier.size(), index(n_)));
    ranked.from_weight[index(w)] = heavier;
    ranked.from_weight[index(w)].resize(index(n_), kNone);
  }
  std::vector<std::uint32_t> vectors(values.size() - 1);
  std::iota(vectors.begin(), vectors.end(), 1u);
  std::stable_sort(vectors.begin(), vectors.end(), [&](auto a, auto b) { return values[a] < values[b]; });
  std::vector<std::uint32_t> reduced;  // by their highest bits, descending
  for (const std::uint32_t vector : vectors) {
    std::uint32_t rest = vector;
    for (const std::uint32_t member : reduced) rest = std::min(rest, rest ^ member);
    if (rest == 0) continue;
    ranked.greedy[reduced.size()] = values[vector];
    reduced.insert(std::upper_bound(reduced.begin(), reduced.end(), rest, std::greater<>()), rest);
  }
  for (int k = n_; k < links_; ++k) ranked.greedy[index(k)] = ranked.greedy[index(n_) - 1];
  return ranked;
}

// Generators are distinct vectors, so the k-th generator of a weight has at least the k-th value of that weight. If
// numbers dominate others one by one, they also do so after sorting both.
CoordinateOrders::Links CoordinateOrders::least(const Ranked& ranked, const Vectors& set, int size,
                                                int least_weight) const {
  Links values{};
  std::array<std::uint8_t, kMaxN + 1> count{};  // number of generators so far, by weight
  for (int k = 0; k < size; ++k) {
    const std::size_t coordinates = index(weight(set[index(k)]));
    values[index(k)] = ranked.of_weight[coordinates][count[coordinates]++];
  }
  for (int k = size; k < n_; ++k) {
    const std::int64_t value = ranked.from_weight[index(least_weight)][index(k - size)];
    values[index(k)] = value == kNone ? 0 : value;  // fewer vectors than generators: no basis, so any bound is valid
  }
  std::sort(values.begin(), values.begin() + links_);
  for (int k = 0; k < links_; ++k) values[index(k)] = std::max(values[index(k)], ranked.greedy[index(k)]);
  return values;
}

std::optional<ExactMetrics> CoordinateOrders::lowest(std::int64_t sum, const Vectors& set, int size,
                                                     int least_weight) const {
  Totals totals{sum, (sum + links_ - 1) / links_, total_length0_, total_price0_, 0, evaluator_.longest0_mm(), 0};
  if (!evaluator_.has_layout()) return evaluator_.from_totals(totals);
  const Links lengths = least(lengths_, set, size, least_weight), prices = least(prices_, set, size, least_weight);
  totals.length_mm += std::accumulate(lengths.begin(), lengths.end(), std::int64_t{0});
  totals.price_cents += std::accumulate(prices.begin(), prices.end(), std::int64_t{0});
  totals.longest_mm = std::max(totals.longest_mm, longest_of(set, size, least_weight));
  const auto load_mm = inequalities_.least_load_mm(sum, lengths0_, {lengths.data(), index(links_)});
  if (!load_mm) return std::nullopt;
  totals.load_mm = *load_mm;
  return raised(totals);
}

// The largest of the least values, which are ascending; 0 where it does not matter.
std::int64_t CoordinateOrders::longest_of(const Vectors& set, int size, int least_weight) const {
  if (!evaluator_.scalarisation().uses(Metric::kLongestCable)) return 0;
  return least(longests_, set, size, least_weight)[index(links_) - 1];
}

// A bound from totals, raised to the known lower bounds of the metrics.
ExactMetrics CoordinateOrders::raised(const Totals& totals) const {
  ExactMetrics found = evaluator_.from_totals(totals);
  for (std::size_t m = 0; m < found.size(); ++m) found[m] = std::max(found[m], inequalities_.floor()[m]);
  return found;
}

std::int64_t CoordinateOrders::search(const Loads& loads, const Columns& generators, Goal& goal) const {
  Assignment assignment{};
  std::uint32_t folded_link = 0;
  for (int k = 0; k < links_; ++k) {
    assignment.generators[index(k)] = k < n_ ? generators[index(k)] : folded_link;
    folded_link ^= assignment.generators[index(k)];
  }
  const auto begin = assignment.by_load.begin();
  std::iota(begin, begin + n_, std::uint8_t{0});
  std::sort(begin, begin + n_, [&](auto a, auto b) {
    return loads.load[0][a] != loads.load[0][b] ? loads.load[0][a] > loads.load[0][b] : a < b;
  });
  assignment.loads = &loads;
  if (links_ > n_) assignment.load_mm = loads.load[0][n_] * evaluator_.site().length_mm.back();
  const Totals before = totals_of_any_order(assignment);
  assignment.before = &before;
  std::int64_t visited = 0;
  if (goal.beatable(evaluator_.from_totals(before))) divide(assignment, goal, visited);
  return visited;
}

// Loads are known: in either plane the heaviest gets the shortest cable (rearrangement inequality).
Totals CoordinateOrders::totals_of_any_order(const Assignment& assignment) const {
  const Loads& loads = *assignment.loads;
  Totals totals = of_plane0(assignment);
  Vectors links{};
  static_assert(kExactMaxN < kMaxLinks);
  for (int k = 0; k < n_; ++k) links[index(k)] = static_cast<std::uint16_t>(assignment.generators[index(k)]);
  const Links lengths = least(lengths_, links, n_, 0), prices = least(prices_, links, n_, 0);
  Links descending{};
  for (int k = 0; k < links_; ++k) descending[index(k)] = -loads.load[1][k];
  std::sort(descending.begin(), descending.begin() + links_);
  for (int k = 0; k < links_; ++k) {
    totals.length_mm += lengths[index(k)];
    totals.price_cents += prices[index(k)];
    totals.load_mm -= descending[index(k)] * lengths[index(k)];
  }
  for (int i = 0; i < n_; ++i) totals.load_mm += loads.load[0][assignment.by_load[index(i)]] * all_places_[index(i)];
  totals.longest_mm = std::max(totals.longest_mm, longest_of(links, n_, 0));
  return totals;
}

// What is known of a design whose places are open: its loads, and the cables of plane 0 that have a place.
Totals CoordinateOrders::of_plane0(const Assignment& assignment) const {
  const Loads& loads = *assignment.loads;
  return {loads.sum_of_distances, loads.max_load,           total_length0_, total_price0_,
          assignment.load_mm,     evaluator_.longest0_mm(), loads.diameter, loads.detour};
}

// Tries all sets of coordinates on top. There are many of them, so the value of each link is looked up by its bits on
// top.
void CoordinateOrders::divide(Assignment& assignment, Goal& goal, std::int64_t& visited) const {
  std::array<std::array<Totals, kExactMaxN + 1>, kMaxLinks> added{};
  for (int k = 0; k < links_; ++k) {
    const int coordinates = weight(assignment.generators[index(k)]);
    for (int on_top = 0; on_top <= std::min(coordinates, top_); ++on_top) {
      if (coordinates - on_top > n_ - top_) continue;
      const std::size_t at = entry(0, 0, on_top, coordinates - on_top);
      added[index(k)][index(on_top)] = {
          0, 0, length_[0][at], price_[0][at], assignment.loads->load[1][k] * length_[0][at], longest_[0][at], 0};
    }
  }
  for (const std::uint32_t top : tops_) {
    ++visited;
    Totals totals = plane0(assignment, top);
    for (int k = 0; k < links_; ++k) {
      const Totals& link = added[index(k)][index(weight(assignment.generators[index(k)] & top))];
      totals.length_mm += link.length_mm;
      totals.price_cents += link.price_cents;
      totals.load_mm += link.load_mm;
      totals.longest_mm = std::max(totals.longest_mm, link.longest_mm);
    }
    if (!goal.beatable(evaluator_.from_totals(tighter(totals, *assignment.before)))) continue;
    assignment.top = top;
    for (int k = 0; k < links_; ++k) {
      const std::uint32_t generator = assignment.generators[index(k)];
      assignment.above[index(k)] = static_cast<std::uint8_t>(weight(generator & top));
      assignment.below[index(k)] = static_cast<std::uint8_t>(weight(generator & ~top));
    }
    descend(assignment, goal, visited);
  }
}

// The heaviest loads of plane 0 get the shortest of the remaining places, on top and below.
Totals CoordinateOrders::plane0(const Assignment& assignment, std::uint32_t top) const {
  const Loads& loads = *assignment.loads;
  Totals totals = of_plane0(assignment);
  const std::array<const std::int64_t*, 2> places{places_below_[index(assignment.taken)].data(),
                                                  places_above_[index(assignment.taken)].data()};
  std::array<std::size_t, 2> next{};
  for (int i = 0; i < n_; ++i) {
    const std::uint8_t coordinate = assignment.by_load[index(i)];
    if (assignment.used >> coordinate & 1u) continue;
    const std::size_t on_top = top >> coordinate & 1u;
    totals.load_mm += loads.load[0][coordinate] * places[on_top][next[on_top]++];
  }
  return totals;
}

// Loads are fixed per generator; a generator has the shortest cable consistent with the places taken.
ExactMetrics CoordinateOrders::bound(const Assignment& assignment) const {
  Totals totals = plane0(assignment, assignment.top);
  totals.rack = assignment.rack;
  const auto& lengths = length_[index(assignment.taken)];
  const auto& prices = price_[index(assignment.taken)];
  const auto& longest = longest_[index(assignment.taken)];
  for (int k = 0; k < links_; ++k) {
    const std::size_t at =
        entry(assignment.taken, assignment.placed[index(k)], assignment.above[index(k)], assignment.below[index(k)]);
    totals.length_mm += lengths[at];
    totals.price_cents += prices[at];
    totals.load_mm += assignment.loads->load[1][k] * lengths[at];
    totals.longest_mm = std::max(totals.longest_mm, longest[at]);
  }
  return evaluator_.from_totals(tighter(totals, *assignment.before));
}

void CoordinateOrders::descend(Assignment& assignment, Goal& goal, std::int64_t& visited) const {
  if (assignment.taken == n_) {
    // All places are taken: the bound is exact, and the generators are those of the design.
    Columns design{};
    std::copy_n(assignment.placed.begin(), n_, design.begin());
    assignment.rack = evaluator_.rack_loss(design.data());
    goal.note(bound(assignment), design);
    assignment.rack = {};
    return;
  }
  const Assignment before = assignment;
  const int place = n_ - 1 - before.taken;
  const bool on_top = before.taken < top_;
  // Symmetry breaking: coordinates in twin places are tried in one order only, unless just one of the places is on top.
  const bool twin = before.taken > 0 && before.taken != top_ && twins_[index(place)];
  ++assignment.taken;
  for (int c = twin ? before.latest + 1 : 0; c < n_; ++c) {
    if (before.used >> c & 1u || (before.top >> c & 1u) != on_top) continue;
    ++visited;
    assignment.latest = c;
    assignment.used = before.used | 1u << c;
    assignment.load_mm =
        before.load_mm + before.loads->load[0][c] * evaluator_.site().length_mm[std::size_t{1} << place];
    for (int k = 0; k < links_; ++k) {
      const std::uint32_t has = before.generators[index(k)] >> c & 1u;
      assignment.placed[index(k)] = before.placed[index(k)] << 1 | has;
      assignment.above[index(k)] = static_cast<std::uint8_t>(before.above[index(k)] - (on_top ? has : 0));
      assignment.below[index(k)] = static_cast<std::uint8_t>(before.below[index(k)] - (on_top ? 0 : has));
    }
    if (goal.beatable(bound(assignment))) descend(assignment, goal, visited);
  }
  assignment = before;
}

}  // namespace isoplane
