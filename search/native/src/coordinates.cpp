#include "isoplane/coordinates.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>
#include <utility>

namespace isoplane {
namespace {

constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::max();

std::size_t index(int i) { return static_cast<std::size_t>(i); }

}  // namespace

// Coordinates take places one after another, from the highest, whose cables are longest.
struct CoordinateOrders::Assignment {
  const Loads* loads;
  std::array<std::uint8_t, kMaxN> by_load{};      // coordinates, the heaviest load of plane 0 first
  Columns generators{};                           // of the class, by its own coordinates; the folded link last
  std::array<std::uint32_t, kMaxLinks> placed{};  // what each has on the places taken
  std::array<std::uint8_t, kMaxLinks> left{};     // and how many of its coordinates are still without a place
  std::uint32_t used = 0;                         // coordinates that have a place
  std::int64_t load_mm = 0;                       // of plane 0, over these and the folded link
  int taken = 0;
};

CoordinateOrders::CoordinateOrders(const Evaluator& evaluator)
    : evaluator_(evaluator), n_(evaluator.n()), links_(evaluator.n() + (evaluator.folded() ? 1 : 0)) {
  if (evaluator.has_layout()) make_tables();
}

void CoordinateOrders::make_tables() {
  const Surroundings& s = evaluator_.surroundings();
  const auto tables_of = [this](const std::vector<std::int64_t>& values) {
    std::vector<std::vector<std::int64_t>> tables(index(n_) + 1);
    for (int taken = 0; taken <= n_; ++taken) {
      const int below = n_ - taken;
      auto& table = tables[index(taken)];
      table.assign((std::size_t{1} << taken) * (index(below) + 1), kNone);
      for (std::size_t v = 1; v < values.size(); ++v) {
        const auto left = static_cast<std::size_t>(std::popcount(v & ((std::size_t{1} << below) - 1)));
        auto& least = table[(v >> below) * (index(below) + 1) + left];
        least = std::min(least, values[v]);
      }
    }
    return tables;
  };
  length_ = tables_of(s.length_mm);
  price_ = tables_of(s.price_cents);
  rank(s.length_mm, length_of_weight_, length_from_weight_);
  rank(s.price_cents, price_of_weight_, price_from_weight_);
  for (int k = 0; k < links_; ++k) {
    const std::size_t generator = k < n_ ? std::size_t{1} << k : s.length_mm.size() - 1;
    lengths0_.push_back(s.length_mm[generator]);
    total_length0_ += s.length_mm[generator];
    total_price0_ += s.price_cents[generator];
  }
  std::sort(lengths0_.begin(), lengths0_.end());
  for (int below = 0; below <= n_; ++below) {
    std::vector<std::int64_t> lengths;
    for (int i = 0; i < below; ++i) lengths.push_back(s.length_mm[std::size_t{1} << i]);
    std::sort(lengths.begin(), lengths.end());
    lengths_below_.push_back(std::move(lengths));
  }
}

void CoordinateOrders::rank(const std::vector<std::int64_t>& values, std::vector<std::vector<std::int64_t>>& of_weight,
                            std::vector<std::vector<std::int64_t>>& from_weight) const {
  of_weight.assign(index(n_) + 1, {});
  from_weight.assign(index(n_) + 1, {});
  for (std::size_t v = 1; v < values.size(); ++v) of_weight[index(std::popcount(v))].push_back(values[v]);
  std::vector<std::int64_t> heavier;
  for (int w = n_; w >= 0; --w) {
    std::sort(of_weight[index(w)].begin(), of_weight[index(w)].end());
    heavier.insert(heavier.end(), of_weight[index(w)].begin(), of_weight[index(w)].end());
    std::sort(heavier.begin(), heavier.end());
    heavier.resize(std::min(heavier.size(), index(n_)));
    from_weight[index(w)] = heavier;
    from_weight[index(w)].resize(index(n_), kNone);
  }
}

// Loads add up to twice the sum of distances, and none exceeds 2^n: of two offsets that differ in one coordinate at
// most one has a route over that generator, and an offset sends two packets. So delays are least with the shortest
// cables carrying 2^n each.
//
// Generators are different vectors, so the k-th of a weight has at least the k-th length of that weight; the folded
// link of plane 1 is at least as long as the shortest cable.
Ingredients CoordinateOrders::lowest(std::int64_t sum, const Vectors& set, int size, int least_weight) const {
  Totals totals{sum, (sum + links_ - 1) / links_, total_length0_, total_price0_, 0};
  if (!evaluator_.has_layout()) return evaluator_.from_totals(totals);
  std::array<std::int64_t, 2 * kMaxLinks> lengths{};
  std::array<std::uint8_t, kMaxN + 1> met{};  // of each weight
  auto end = std::copy(lengths0_.begin(), lengths0_.end(), lengths.begin());
  for (int k = 0; k < links_; ++k) {
    std::int64_t length = length_from_weight_[0][0], price = price_from_weight_[0][0];
    if (k < size) {
      const std::size_t weight = index(std::popcount(set[index(k)]));
      length = length_of_weight_[weight][met[weight]];
      price = price_of_weight_[weight][met[weight]++];
    } else if (k < n_) {
      length = length_from_weight_[index(least_weight)][index(k - size)];
      price = price_from_weight_[index(least_weight)][index(k - size)];
    }
    if (length == kNone) continue;  // fewer vectors than generators: no basis, whatever the bound
    totals.length_mm += length;
    totals.price_cents += price;
    *end++ = length;
  }
  std::sort(lengths.begin(), end);
  const std::int64_t switches = std::int64_t{1} << n_;
  std::int64_t packets = 2 * sum;
  for (auto length = lengths.begin(); length != end; ++length) {
    const std::int64_t carried = std::min(packets, switches);
    totals.load_mm += carried * *length;
    packets -= carried;
  }
  return evaluator_.from_totals(totals);
}

std::int64_t CoordinateOrders::settle(const Loads& loads, const Columns& generators, Goal& goal) const {
  Assignment assignment{};
  assignment.loads = &loads;
  std::uint32_t folded_link = 0;
  for (int k = 0; k < links_; ++k) {
    const std::uint32_t generator = k < n_ ? generators[index(k)] : folded_link;
    folded_link ^= generator;
    assignment.generators[index(k)] = generator;
    assignment.left[index(k)] = static_cast<std::uint8_t>(std::popcount(generator));
  }
  const auto begin = assignment.by_load.begin();
  std::iota(begin, begin + n_, std::uint8_t{0});
  std::stable_sort(begin, begin + n_, [&](auto a, auto b) { return loads.load[0][a] > loads.load[0][b]; });
  if (links_ > n_) assignment.load_mm = loads.load[0][n_] * evaluator_.surroundings().length_mm.back();
  std::int64_t looked_at = 0;
  if (goal.beatable(bound(assignment))) descend(assignment, goal, looked_at);
  return looked_at;
}

// Loads stay with their generators; a generator has the shortest cable that agrees with the places taken; in plane 0
// the heaviest loads get the shortest of the places left.
Ingredients CoordinateOrders::bound(const Assignment& assignment) const {
  const Loads& loads = *assignment.loads;
  const int below = n_ - assignment.taken;
  Totals totals{loads.sum_of_distances, loads.max_load, total_length0_, total_price0_, assignment.load_mm};
  const std::int64_t* waiting = lengths_below_[index(below)].data();
  for (int i = 0; i < n_; ++i) {
    const std::uint8_t coordinate = assignment.by_load[index(i)];
    if ((assignment.used >> coordinate & 1u) == 0) totals.load_mm += loads.load[0][coordinate] * *waiting++;
  }
  const auto& lengths = length_[index(assignment.taken)];
  const auto& prices = price_[index(assignment.taken)];
  for (int k = 0; k < links_; ++k) {
    const std::size_t entry = assignment.placed[index(k)] * (index(below) + 1) + assignment.left[index(k)];
    totals.length_mm += lengths[entry];
    totals.price_cents += prices[entry];
    totals.load_mm += loads.load[1][k] * lengths[entry];
  }
  return evaluator_.from_totals(totals);
}

void CoordinateOrders::descend(Assignment& assignment, Goal& goal, std::int64_t& looked_at) const {
  if (assignment.taken == n_) {
    // Every place is taken: the bound is exact, and the generators are those of the design.
    Columns design{};
    std::copy_n(assignment.placed.begin(), n_, design.begin());
    goal.note(bound(assignment), design);
    return;
  }
  const Assignment before = assignment;
  const std::size_t place = std::size_t{1} << (n_ - 1 - before.taken);
  ++assignment.taken;
  for (int c = 0; c < n_; ++c) {
    if (before.used >> c & 1u) continue;
    ++looked_at;
    assignment.used = before.used | 1u << c;
    assignment.load_mm = before.load_mm + before.loads->load[0][c] * evaluator_.surroundings().length_mm[place];
    for (int k = 0; k < links_; ++k) {
      const std::uint32_t has = before.generators[index(k)] >> c & 1u;
      assignment.placed[index(k)] = before.placed[index(k)] << 1 | has;
      assignment.left[index(k)] = static_cast<std::uint8_t>(before.left[index(k)] - has);
    }
    if (goal.beatable(bound(assignment))) descend(assignment, goal, looked_at);
  }
  assignment = before;
}

}  // namespace isoplane
