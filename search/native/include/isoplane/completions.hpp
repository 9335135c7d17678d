// The best completions of a basis from which a few generators have been removed.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "isoplane/basis.hpp"
#include "isoplane/partial_sums.hpp"
#include "isoplane/random.hpp"
#include "isoplane/score.hpp"

namespace isoplane {

// Weights of the cost of a design: per unit of its sum of distances, and per unit of length and price of the cables of
// its generators.
struct Prices {
  double sum = 1;
  double length = 0;
  double price = 0;
};

// Let H be the span of the generators kept and f_w as in PartialSums. A completion by one generator a costs f_1(a), one
// by two generators costs f_1(a) + f_1(b) + f_2(a + b), and cables add a term per generator (if folded, also one for
// the sum of all). So all completions by one generator are compared at once, and those by two are found by branch and
// bound over a with one pass over all b: a is pruned if f_1(a) plus the minima of the other two terms exceeds the
// limit.
class Completions {
 public:
  explicit Completions(std::shared_ptr<const Evaluator> evaluator);

  static constexpr int kMaxMissing = 3;

  // At most `count` completions of minimum cost, none above the cost of the current generators plus `slack`. Ties are
  // broken at random; with one or two missing, the current generators are excluded. `missing` has a bit for each of the
  // one to kMaxMissing generators to replace. With three, the first is chosen by a few tournaments and the other two
  // are optimal given the first.
  std::vector<Columns> best(const Columns& generators, std::uint32_t missing, const Prices& prices, double slack,
                            std::size_t count, Random& random);
  // Generators to replace next, mostly drawn from those whose removal keeps most tables valid.
  std::uint32_t choose(const Columns& generators, std::int64_t count, Random& random) const;
  // The work since the last call of this function, in equivalent evaluations of the kernel.
  std::int64_t drain_evaluations();

  // The generators of the current tables, padded with 0: part of the state, as choices and charges depend on them.
  Columns kept() const;
  void restore(const Columns& kept);

 private:
  struct Found {
    std::int64_t cost;
    std::uint32_t tie;  // random
    std::array<std::uint32_t, kMaxMissing> generators;
    bool operator<(const Found& other) const { return cost != other.cost ? cost < other.cost : tie < other.tie; }
  };
  // Costs of the vectors of a coset, by the coordinates of their part in H.
  struct Table {
    std::vector<std::uint16_t> excess;  // saturated difference to `least`
    std::int64_t least;
  };

  void keep(const Columns& generators, std::uint32_t missing, Random& random);
  void keep(std::uint32_t generator);
  std::int64_t cost(int w, std::uint32_t vector, bool last) const;
  std::int64_t present_cost() const;
  void fill(Table& table, std::uint32_t coset, int w, bool last);
  void complete_one();
  void complete_two();
  void complete_pairs(const Table& first, const Table& second, const Table& both, std::uint32_t a0, std::uint32_t b0);
  void complete_three();
  std::uint32_t tournament(std::uint32_t& combination);
  std::uint32_t spanned(std::size_t coordinates) const;
  void record(std::int64_t cost, std::uint32_t a, std::uint32_t b);
  void charge(std::size_t entries) { work_ += static_cast<std::int64_t>(entries); }

  std::shared_ptr<const Evaluator> evaluator_;
  PartialSums sums_;
  SpanKernel kernel_;
  Prices prices_;
  std::vector<std::uint32_t> kept_;
  std::vector<std::uint32_t> removed_;
  std::uint32_t kept_sum_ = 0;
  // [generators kept][w]: lower bound on any relevant f_w.
  std::array<std::array<std::int64_t, kMaxMissing + 1>, kMaxN + 1> lowest_{};
  std::array<Table, 6> tables_;
  std::vector<std::int64_t> costs_;  // of the table being filled
  std::uint32_t first_ = 0;          // the first of three generators, and its cost
  std::int64_t first_cost_ = 0;
  bool skip_present_ = true;
  std::int64_t limit_ = 0;
  std::size_t count_ = 1;
  std::vector<Found> found_;  // a heap with the worst on top
  Random* random_ = nullptr;
  std::int64_t work_ = 0;
};

}  // namespace isoplane
