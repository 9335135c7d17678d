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

// The relative amounts above limits, added up, for the energy.
class Overruns {
 public:
  explicit Overruns(const Scalarisation& scalarisation)
      : scalarisation_(scalarisation), limits_(scalarisation.limits()) {
    for (const Sum& limit : limits_) weight_.push_back(1 / scale_of(limit));
  }

  double operator()(const ExactMetrics& found) const {
    double sum = 0;
    for (std::size_t l = 0; l < weight_.size(); ++l) {
      const double excess = Scalarisation::approximate(limits_[l], found);
      if (excess > 0) sum += excess * weight_[l];
    }
    // What a function makes of limits that are unknown here; all limits are in nearly the same units.
    if (has_limits() && scalarisation_.has_function())
      sum += static_cast<double>(scalarisation_(found).part[0] - scalarisation_.excess(found)) * weight_[0];
    return sum;
  }
  bool has_limits() const { return !weight_.empty(); }

 private:
  Scalarisation scalarisation_;
  std::vector<Sum> limits_;
  std::vector<double> weight_;
};

class BestScore final : public Goal {
 public:
  explicit BestScore(const Evaluator& evaluator)
      : scalarisation_(evaluator.scalarisation()), overruns_(evaluator.scalarisation()) {
    const auto reference = reference_of(evaluator);
    for (std::size_t c = 0; c < scalarisation_.size(); ++c) weight_[c] = (c == 0 ? 1.0 : kTieWeight) / reference[c];
  }

  double energy(const ExactMetrics& found) const override {
    double sum = 0;
    for (std::size_t c = 0; c < scalarisation_.size(); ++c) sum += scalarisation_.approximate(c, found) * weight_[c];
    return overruns_.has_limits() ? sum + penalty_ * overruns_(found) : sum;
  }

  void note(const ExactMetrics& found, const Columns& generators) override {
    const double first = scalarisation_.approximate(0, found);
    const bool later = has_best_ && first > first_ + std::fabs(first_) * kSlack;
    if (later && (meets_limits_ || scalarisation_.excess(found) >= score_.part[0])) return;
    const Score score = scalarisation_(found);
    if (has_best_ && !(score < score_)) return;
    has_best_ = true;
    score_ = score;
    meets_limits_ = !overruns_.has_limits() || score.part[0] == 0;
    first_ = first;
    best_ = generators;
  }

  bool beatable(const ExactMetrics& lower) const override {
    return !has_best_ || scalarisation_.lowest(lower) < score_;
  }
  void turn(Random& random) override {
    if (!overruns_.has_limits()) return;
    const double u = static_cast<double>(random() >> 11) * 0x1p-53;
    penalty_ = kLeastPenalty * std::pow(kPenaltyRange, u);
  }
  double direction() const override { return overruns_.has_limits() ? penalty_ : 1; }
  void set_direction(double direction) override { penalty_ = direction; }
  const Columns& favourite(Random&) const override { return best_; }
  std::vector<Columns> designs() const override {
    return has_best_ ? std::vector<Columns>{best_} : std::vector<Columns>{};
  }

 private:
  const Scalarisation scalarisation_;
  const Overruns overruns_;
  std::array<double, kMaxComponents> weight_{};
  double penalty_ = kPenalty;
  bool has_best_ = false;
  Score score_{};
  bool meets_limits_ = false;
  double first_ = 0;
  Columns best_{};
};

// With limits only designs of the least excess so far are on the front.
class ParetoFront final : public Goal {
 public:
  explicit ParetoFront(const Evaluator& evaluator)
      : scalarisation_(evaluator.scalarisation()),
        reference_(reference_of(evaluator)),
        overruns_(evaluator.scalarisation()),
        first_(overruns_.has_limits() ? 1 : 0) {}

  double energy(const ExactMetrics& found) const override {
    const double a = scalarisation_.approximate(0, found) / reference_[0] * turn_;
    const double b = scalarisation_.approximate(1, found) / reference_[1] / turn_;
    return std::max(a, b) + kSumWeight * (a + b) + kPenalty * overruns_(found);
  }

  void note(const ExactMetrics& found, const Columns& generators) override {
    const Score score = scalarisation_(found);
    const Int128 first = score.part[first_], second = score.part[first_ + 1];
    if (first_ > 0 && !points_.empty() && score.part[0] != excess_) {
      if (score.part[0] > excess_) return;
      points_.clear();
    }
    excess_ = score.part[0];
    const auto after = place(first);
    if (covered(after, second)) return;
    // The points from here on that are not better in the second component are dominated; they are contiguous.
    auto end = after;
    while (end != points_.end() && end->second >= second) ++end;
    auto begin = after;
    if (begin != points_.begin() && std::prev(begin)->first == first) --begin;
    const auto at = points_.erase(begin, end);
    points_.insert(at, Point{first, second, generators});
  }

  bool beatable(const ExactMetrics& lower) const override {
    const Score score = scalarisation_.lowest(lower);
    if (first_ > 0 && score.part[0] != excess_) return points_.empty() || score.part[0] < excess_;
    return !covered(place(score.part[first_]), score.part[first_ + 1]);
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
  const Overruns overruns_;
  const std::size_t first_;  // place of the first component in a score
  double turn_ = 1;
  Int128 excess_ = 0;  // of all points
  Points points_;
};

}  // namespace

std::unique_ptr<Goal> best_score(const Evaluator& evaluator) { return std::make_unique<BestScore>(evaluator); }
std::unique_ptr<Goal> pareto_front(const Evaluator& evaluator) { return std::make_unique<ParetoFront>(evaluator); }

}  // namespace isoplane
