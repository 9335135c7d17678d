#include "isoplane/anneal.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace isoplane {
namespace {

// Later components break ties of earlier ones; in the energy they weigh this much.
constexpr double kTieWeight = 0.02;
// The temperature follows its geometric course in steps of so many evaluations.
constexpr std::int64_t kTemperatureStep = 64;
// Floating-point rounding cannot hide an improvement within this relative distance of the best.
constexpr double kSlack = 1e-9;

// -ln u at the midpoints of 4096 equal slices of (0, 1): the Metropolis rule without a logarithm in the loop.
std::array<double, 4096> make_exponential() {
  std::array<double, 4096> table{};
  for (std::size_t i = 0; i < table.size(); ++i) table[i] = -std::log((static_cast<double>(i) + 0.5) / 4096.0);
  return table;
}
const std::array<double, 4096> kExponential = make_exponential();

}  // namespace

Chain::Chain(std::shared_ptr<const Evaluator> evaluator, Schedule schedule, std::uint64_t seed, std::uint64_t stream,
             std::optional<Columns> start)
    : evaluator_(std::move(evaluator)),
      schedule_(schedule),
      random_(seed, stream),
      current_(start ? Basis(evaluator_->n(), start->data()) : Basis::random(evaluator_->n(), random_)) {
  // The identical planes are the reference of the energy: they exist for every n, family and layout.
  const Basis unit(evaluator_->n());
  Ingredients found;
  evaluator_->ingredients(unit.rows(), unit.columns(), found);
  for (std::size_t c = 0; c < evaluator_->scalarisation().size(); ++c)
    weight_[c] = (c == 0 ? 1.0 : kTieWeight) / evaluator_->scalarisation().approximate(c, found);
  evaluator_->ingredients(current_.rows(), current_.columns(), found);
  best_ = current_.generators();
  best_score_ = evaluator_->scalarisation()(found);
  best_first_ = evaluator_->scalarisation().approximate(0, found);
  leg_length_ = schedule_.first_leg;
  // Chains begin with different legs; one that is given a design begins with it.
  leg_ = start ? static_cast<std::int64_t>(Leg::kFromBest) : static_cast<std::int64_t>(stream % 2 * 2);
  begin_leg();
}

double Chain::energy(const Ingredients& found) const {
  double sum = 0;
  for (std::size_t c = 0; c < evaluator_->scalarisation().size(); ++c)
    sum += evaluator_->scalarisation().approximate(c, found) * weight_[c];
  return sum;
}

void Chain::note(const Ingredients& found, const Columns& generators) {
  const double first = evaluator_->scalarisation().approximate(0, found);
  if (first > best_first_ * (1 + kSlack)) return;
  const Score score = evaluator_->scalarisation()(found);
  if (score < best_score_) {
    best_score_ = score;
    best_first_ = first;
    best_ = generators;
  }
}

void Chain::enter(const Columns& generators) {
  current_ = Basis(evaluator_->n(), generators.data());
  Ingredients found;
  evaluator_->ingredients(current_.rows(), current_.columns(), found);
  note(found, current_.generators());
  current_energy_ = energy(found);
}

void Chain::cool_from(double hot) {
  temperature_ = hot;
  cooling_ = std::pow(schedule_.cold / hot, static_cast<double>(kTemperatureStep) / static_cast<double>(leg_length_));
}

void Chain::begin_leg() {
  leg_done_ = 0;
  // Where only cables count there is no kernel that would tell a basis, and no symmetry that would help.
  if (leg() == Leg::kSymmetric && !evaluator_->walks_offsets()) leg_ += 2;
  switch (leg()) {
    case Leg::kRandom:
      if (leg_ > 0) leg_length_ = static_cast<std::int64_t>(static_cast<double>(leg_length_) * schedule_.growth);
      enter(Basis::random(evaluator_->n(), random_).generators());
      cool_from(schedule_.hot);
      break;
    case Leg::kFromBest:
      enter(best_);
      cool_from(schedule_.hot * schedule_.reheat);
      break;
    case Leg::kSymmetric:
      symmetry_ = Symmetry::random(evaluator_->n(), random_);
      enter(symmetry_.unit);
      columns_ = symmetry_.unit;
      transpose(columns_.data(), evaluator_->n(), rows_.data());
      cool_from(schedule_.hot * 4);  // an orbit changes more than a single entry
      break;
    case Leg::kFromSymmetric:
      enter(columns_);
      cool_from(schedule_.hot * schedule_.reheat);
      break;
  }
}

bool Chain::accept(double proposed) {
  if (proposed - current_energy_ > temperature_ * kExponential[random_() >> 52]) return false;
  current_energy_ = proposed;
  return true;
}

void Chain::run(std::int64_t evaluations) {
  for (const std::int64_t end = evaluations_ + evaluations; evaluations_ < end;) {
    if (leg_done_ == leg_length_) {
      ++leg_;
      begin_leg();
    }
    const std::int64_t count = std::min({end - evaluations_, leg_length_ - leg_done_,
                                         kTemperatureStep - leg_done_ % kTemperatureStep});
    if (leg() == Leg::kSymmetric)
      symmetric_steps(count);
    else
      free_steps(count);
    evaluations_ += count;
    leg_done_ += count;
    if (leg_done_ % kTemperatureStep == 0) temperature_ *= cooling_;
  }
}

void Chain::free_steps(std::int64_t count) {
  const bool exchanges = evaluator_->has_layout();
  for (std::int64_t step = 0; step < count; ++step) {
    const Move move = current_.propose(random_, exchanges);
    current_.apply(move);
    Ingredients found;
    evaluator_->ingredients(current_.rows(), current_.columns(), found);
    if (accept(energy(found))) {
      current_.settle(move);
      note(found, current_.generators());
    } else {
      current_.apply(move);
    }
  }
}

void Chain::symmetric_steps(std::int64_t count) {
  const auto orbits = static_cast<std::uint32_t>(symmetry_.orbits.size());
  for (std::int64_t step = 0; step < count; ++step) {
    const Orbit& orbit = symmetry_.orbits[random_.below(orbits)];
    const auto flip = [&] {
      for (std::size_t i = 0; i < static_cast<std::size_t>(evaluator_->n()); ++i) {
        rows_[i] ^= orbit.rows[i];
        columns_[i] ^= orbit.columns[i];
      }
    };
    flip();
    Ingredients found;
    if (evaluator_->ingredients(rows_.data(), columns_.data(), found) && accept(energy(found)))
      note(found, columns_);
    else
      flip();
  }
}

}  // namespace isoplane
