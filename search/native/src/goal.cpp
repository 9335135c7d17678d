#include "isoplane/goal.hpp"

#include <algorithm>
#include <cmath>

namespace isoplane {
namespace {

// Weight in the energy of later components, which break ties of earlier ones.
constexpr double kTieWeight = 0.02;
// Penalty in the energy for exceeding a limit by all of it, at first; each cooling cycle draws one from this range.
constexpr double kPenalty = 8, kLeastPenalty = 2, kPenaltyRange = 32;
// Relative margin for floating-point rounding: candidates within it of the best are compared exactly.
constexpr double kSlack = 1e-9;
// A cycle of a front minimises the larger of a e^t and b e^-t, |t| at most this: it searches along a ray.
constexpr double kMaxTurn = 0.4;
// Weight of the sum of the two, so that the smaller one also matters.
constexpr double kSumWeight = 0.05;

double size_of(double value) { return value == 0 ? 1 : std::fabs(value); }

// The identical planes are the reference of energies, because they exist for every n, family and layout.
std::array<double, kMaxComponents> reference_of(const Evaluator& evaluator) {
  const Basis unit(evaluator.n());
  ExactMetrics found;
  evaluator.exact_metrics(unit.rows(), unit.columns(), found);
  std::array<double, kMaxComponents> reference{};
  for (std::size_t c = 0; c < evaluator.scalarisation().size(); ++c)
    reference[c] = size_of(evaluator.scalarisation().approximate(c, found));
  return reference;
}

// The size of a limit: its constant.
double scale_of(const Sum& limit) {
  double constant = 0;
  for (const Term& term : limit)
    if (term.factors.empty()) constant += static_cast<double>(term.weight);
  return size_of(constant);
}

class BestScore final : public Goal {
 public:
  explicit BestScore(const Evaluator& evaluator) : scalarisation_(evaluator.scalarisation()) {
    const auto reference = reference_of(evaluator);
    for (std::size_t c = 0; c < scalarisation_.size(); ++c) weight_[c] = (c == 0 ? 1.0 : kTieWeight) / reference[c];
    for (const Sum& limit : scalarisation_.limits()) limit_weight_.push_back(1 / scale_of(limit));
  }

  double energy(const ExactMetrics& found) const override {
    double sum = 0;
    for (std::size_t c = 0; c < scalarisation_.size(); ++c) sum += scalarisation_.approximate(c, found) * weight_[c];
    for (std::size_t l = 0; l < limit_weight_.size(); ++l) {
      const double excess = Scalarisation::approximate(scalarisation_.limits()[l], found);
      if (excess > 0) sum += penalty_ * excess * limit_weight_[l];
    }
    return sum;
  }

  void note(const ExactMetrics& found, const Columns& generators) override {
    const double first = scalarisation_.approximate(0, found);
    const bool later = has_best_ && first > first_ + std::fabs(first_) * kSlack;
    if (later && (meets_limits_ || scalarisation_.excess(found) >= score_.part[0])) return;
    const Score score = scalarisation_(found);
    if (has_best_ && !(score < score_)) return;
    has_best_ = true;
    score_ = score;
    meets_limits_ = limit_weight_.empty() || score.part[0] == 0;
    first_ = first;
    best_ = generators;
  }

  bool beatable(const ExactMetrics& lower) const override {
    return !has_best_ || scalarisation_.lowest(lower) < score_;
  }
  void turn(Random& random) override {
    if (limit_weight_.empty()) return;
    const double u = static_cast<double>(random() >> 11) * 0x1p-53;
    penalty_ = kLeastPenalty * std::pow(kPenaltyRange, u);
  }
  double direction() const override { return limit_weight_.empty() ? 1 : penalty_; }
  void set_direction(double direction) override { penalty_ = direction; }
  const Columns& favourite(Random&) const override { return best_; }
  std::vector<Columns> designs() const override {
    return has_best_ ? std::vector<Columns>{best_} : std::vector<Columns>{};
  }

 private:
  const Scalarisation scalarisation_;
  std::array<double, kMaxComponents> weight_{};
  std::vector<double> limit_weight_;
  double penalty_ = kPenalty;
  bool has_best_ = false;
  Score score_{};
  bool meets_limits_ = false;
  double first_ = 0;
  Columns best_{};
};

class ParetoFront final : public Goal {
 public:
  explicit ParetoFront(const Evaluator& evaluator)
      : scalarisation_(evaluator.scalarisation()), reference_(reference_of(evaluator)) {}

  double energy(const ExactMetrics& found) const override {
    const double a = scalarisation_.approximate(0, found) / reference_[0] * turn_;
    const double b = scalarisation_.approximate(1, found) / reference_[1] / turn_;
    return std::max(a, b) + kSumWeight * (a + b);
  }

  void note(const ExactMetrics& found, const Columns& generators) override {
    const Score score = scalarisation_(found);
    const auto after = place(score.part[0]);
    if (covered(after, score.part[1])) return;
    // The points from here on that are not better in the second component are dominated; they are contiguous.
    auto end = after;
    while (end != points_.end() && end->second >= score.part[1]) ++end;
    auto begin = after;
    if (begin != points_.begin() && std::prev(begin)->first == score.part[0]) --begin;
    const auto at = points_.erase(begin, end);
    points_.insert(at, Point{score.part[0], score.part[1], generators});
  }

  bool beatable(const ExactMetrics& lower) const override {
    const Score score = scalarisation_(lower);
    return !covered(place(score.part[0]), score.part[1]);
  }

  void turn(Random& random) override {
    turn_ = std::exp(kMaxTurn * (static_cast<double>(random() >> 11) * 0x1p-52 - 1.0));
  }

  double direction() const override { return turn_; }
  void set_direction(double direction) override { turn_ = direction; }

  const Columns& favourite(Random& random) const override {
    return points_[random.below(static_cast<std::uint32_t>(points_.size()))].generators;
  }

  std::vector<Columns> designs() const override {
    std::vector<Columns> all;
    for (const Point& point : points_) all.push_back(point.generators);
    return all;
  }

 private:
  struct Point {
    Int128 first;
    Int128 second;
    Columns generators;
  };
  using Points = std::vector<Point>;  // first ascending, second descending

  // The first point with a larger first component.
  Points::const_iterator place(Int128 first) const {
    return std::upper_bound(points_.begin(), points_.end(), first,
                            [](Int128 value, const Point& point) { return value < point.first; });
  }
  // Whether the point before that place is at least as good in both components.
  bool covered(Points::const_iterator after, Int128 second) const {
    return after != points_.begin() && std::prev(after)->second <= second;
  }

  const Scalarisation scalarisation_;
  const std::array<double, kMaxComponents> reference_;
  double turn_ = 1;
  Points points_;
};

}  // namespace

std::unique_ptr<Goal> best_score(const Evaluator& evaluator) { return std::make_unique<BestScore>(evaluator); }
std::unique_ptr<Goal> pareto_front(const Evaluator& evaluator) { return std::make_unique<ParetoFront>(evaluator); }

}  // namespace isoplane
