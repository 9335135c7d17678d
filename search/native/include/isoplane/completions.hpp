// The best completions of a basis from which a few generators were taken.
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

// What a design costs, by tables: `sum` for each unit of its sum of distances, `length` and `price` for each unit of
// what the cables of its generators take.
struct Prices {
  double sum = 1;
  double length = 0;
  double price = 0;
};

// Let H be the span of the generators kept and f_w as in PartialSums. One generator a completes them for
// f_1(a), two generators a, b for f_1(a) + f_1(b) + f_2(a + b), and cables add a term for each generator (folded: for
// the sum of all, too). So all completions by one generator are compared at once, and those by two by a bounded search
// over a with one pass over all b.
class Completions {
 public:
  explicit Completions(std::shared_ptr<const Evaluator> evaluator);

  static constexpr int kMost = 3;

  // The completions that cost least, at most `count` of them, none that costs more than the present generators and
  // `slack`. Of equal ones random ones; with one or two missing the present generators are not among them. `missing`
  // has a bit for each generator that is replaced, one to kMost of them. With three, the first is chosen by a few
  // tournaments and the other two are the best beside it.
  std::vector<Columns> best(const Columns& generators, std::uint32_t missing, const Prices& prices, double slack,
                            std::size_t count, Random& random);
  // Generators to replace next, drawn mostly among those whose absence leaves most tables as they are.
  std::uint32_t choose(const Columns& generators, std::int64_t count, Random& random) const;
  // What the calls cost, in evaluations of the kernel, since it was asked last.
  std::int64_t take_charge();

  // Which tables there are decides what is chosen and charged: the generators kept last, and 0 after them.
  Columns kept() const;
  void restore(const Columns& kept);

 private:
  struct Found {
    std::int64_t cost;
    std::uint32_t tie;  // random
    std::array<std::uint32_t, kMost> generators;
    bool operator<(const Found& other) const { return cost != other.cost ? cost < other.cost : tie < other.tie; }
  };
  // Costs of the vectors of a coset, by the coordinates of their part in H.
  struct Table {
    std::vector<std::uint16_t> above;  // the least one, cut
    std::int64_t least;
  };

  void keep(const Columns& generators, std::uint32_t missing, Random& random);
  void keep(std::uint32_t generator);
  std::int64_t cost(int w, std::uint32_t vector, bool last) const;
  std::int64_t present() const;
  void fill(Table& table, std::uint32_t coset, int w, bool last);
  void one();
  void two();
  void pairs(const Table& first, const Table& second, const Table& both, std::uint32_t a0, std::uint32_t b0);
  void three();
  std::uint32_t outside(std::uint32_t& combination);
  std::uint32_t spanned(std::size_t coordinates) const;
  void take(std::int64_t cost, std::uint32_t a, std::uint32_t b);
  void work(std::size_t entries) { work_ += static_cast<std::int64_t>(entries); }

  std::shared_ptr<const Evaluator> evaluator_;
  PartialSums sums_;
  SpanKernel kernel_;
  Prices prices_;
  std::vector<std::uint32_t> kept_;
  std::vector<std::uint32_t> removed_;
  std::uint32_t kept_sum_ = 0;
  // [generators kept][w]: a true f_w is at least this, or it is of no interest.
  std::array<std::array<std::int64_t, kMost + 1>, kMaxN + 1> lowest_{};
  std::array<Table, 6> tables_;
  std::vector<std::int64_t> costs_;  // of a table that is filled
  std::uint32_t first_ = 0;          // of three, the one that is chosen, and its cost
  std::int64_t first_cost_ = 0;
  bool skip_present_ = true;
  std::int64_t limit_ = 0;
  std::size_t count_ = 1;
  std::vector<Found> found_;  // a heap, the worst at its top
  Random* random_ = nullptr;
  std::int64_t work_ = 0;
};

}  // namespace isoplane
