#include "isoplane/anneal.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace isoplane {
namespace {

// The temperature falls geometrically, once per this number of evaluations.
constexpr std::int64_t kTemperatureStep = 64;
// A cycle from a given design starts cooler; one that moves whole orbits starts hotter, in proportion to their size.
constexpr double kReheat = 0.4;
constexpr double kOrbitHeat = 1.5;
// Evaluations per orbit of a symmetry before the next one: small spaces are quickly exhausted.
constexpr std::int64_t kEvaluationsPerOrbit = 1024;
// Exchanges may change only tie-breaking components, which have a small weight.
constexpr double kExchangeHeat = 0.1;

}  // namespace

Chain::Chain(std::shared_ptr<const Evaluator> evaluator, std::unique_ptr<Goal> goal, Schedule schedule,
             std::uint64_t seed, std::uint64_t stream, std::optional<Columns> start)
    : Searcher(std::move(evaluator), std::move(goal), seed, stream),
      schedule_(schedule),
      current_(n()),
      symmetry_drawn_(random_) {
  goal_->turn(random_);
  enter(start ? *start : Basis::random(n(), random_).generators());
  cycle_length_ = schedule_.first_leg;
  // Chains begin with different cycles; a chain with a start begins from it.
  cycle_ = start ? static_cast<std::int64_t>(Cycle::kFromBest) : static_cast<std::int64_t>(stream % 2 * 2);
  begin_cycle();
}

void Chain::enter(const Columns& generators) {
  current_ = Basis(n(), generators.data());
  const ExactMetrics found = evaluate(generators);
  goal_->note(found, generators);
  current_energy_ = goal_->energy(found);
}

void Chain::heat(double factor, std::int64_t evaluations) {
  const double u = static_cast<double>(random_() >> 11) * 0x1p-53;
  temperature_ = factor * schedule_.coolest * std::pow(schedule_.hottest / schedule_.coolest, u);
  cooling_ = std::pow(schedule_.fall, -static_cast<double>(kTemperatureStep) / static_cast<double>(evaluations));
}

// Skips useless cycles: symmetries do not help if the score depends only on cables, and exchanges change nothing
// without cables.
bool Chain::skip() const {
  if (cycle() == Cycle::kRandom || cycle() == Cycle::kFromBest)
    return schedule_.structured && evaluator_->walks_offsets();
  if (cycle() == Cycle::kSymmetric || cycle() == Cycle::kFromSymmetric) return !evaluator_->walks_offsets();
  return cycle() == Cycle::kExchange && !evaluator_->has_layout();
}

void Chain::next_cycle() {
  if (++cycle_ % kCycles == 0)
    cycle_length_ = static_cast<std::int64_t>(static_cast<double>(cycle_length_) * schedule_.growth);
}

void Chain::begin_cycle() {
  while (skip()) next_cycle();
  cycle_done_ = 0;
  if (cycle() != Cycle::kFromSymmetric) goal_->turn(random_);
  switch (cycle()) {
    case Cycle::kRandom:
      enter(Basis::random(n(), random_).generators());
      heat(1, cycle_length_);
      break;
    case Cycle::kFromBest:
      enter(Columns(goal_->favourite(random_)));
      heat(kReheat, cycle_length_);
      break;
    case Cycle::kSymmetric:
      begin_symmetry();
      symmetric_best_ = columns_;
      symmetric_energy_ = current_energy_;
      break;
    case Cycle::kFromSymmetric:
      enter(Columns(symmetric_best_));
      heat(kReheat, cycle_length_);
      break;
    case Cycle::kExchange:
      columns_ = goal_->favourite(random_);
      enter(columns_);
      loads_ = evaluator_->loads(current_.rows());
      heat(kExchangeHeat, cycle_length_);
      break;
  }
}

void Chain::begin_symmetry() {
  symmetry_drawn_ = random_;
  symmetry_ = Symmetry::random(n(), random_);
  symmetry_left_ = kEvaluationsPerOrbit * static_cast<std::int64_t>(symmetry_.orbits.size());
  columns_ = symmetry_.unit;
  transpose(columns_.data(), n(), rows_.data());
  enter(columns_);
  // An orbit changes the score about as much as the sum of its entries.
  heat(kOrbitHeat * n() * n() / static_cast<double>(symmetry_.orbits.size()), symmetry_left_);
}

bool Chain::accept(double proposed) {
  if (proposed - current_energy_ > temperature_ * exponential()) return false;
  current_energy_ = proposed;
  return true;
}

void Chain::run(std::int64_t evaluations) {
  for (const std::int64_t end = evaluations_ + evaluations; evaluations_ < end;) {
    if (cycle_done_ == cycle_length_) {
      next_cycle();
      begin_cycle();
    }
    const std::int64_t count =
        std::min({end - evaluations_, cycle_length_ - cycle_done_, kTemperatureStep - cycle_done_ % kTemperatureStep});
    if (cycle() == Cycle::kSymmetric)
      symmetric_steps(count);
    else if (cycle() == Cycle::kExchange)
      exchange_steps(count);
    else
      free_steps(count);
    evaluations_ += count;
    cycle_done_ += count;
    if (cycle_done_ % kTemperatureStep == 0) temperature_ *= cooling_;
  }
}

void Chain::free_steps(std::int64_t count) {
  const bool exchanges = evaluator_->has_layout();
  for (std::int64_t step = 0; step < count; ++step) {
    const Move move = current_.propose(random_, exchanges);
    current_.apply(move);
    ExactMetrics found;
    evaluator_->exact_metrics(current_.rows(), current_.columns(), found);
    if (accept(goal_->energy(found))) {
      current_.commit(move);
      goal_->note(found, current_.generators());
    } else {
      current_.apply(move);
    }
  }
}

void Chain::symmetric_steps(std::int64_t count) {
  if (symmetry_left_ <= 0) begin_symmetry();
  symmetry_left_ -= count;
  const auto orbits = static_cast<std::uint32_t>(symmetry_.orbits.size());
  for (std::int64_t step = 0; step < count; ++step) {
    // Two orbits half the time: an invertible circulant has an odd number of them, so flips of single orbits would
    // lead nowhere.
    const Orbit& one = symmetry_.orbits[random_.below(orbits)];
    const Orbit* other = random_() >> 63 != 0 ? &symmetry_.orbits[random_.below(orbits)] : nullptr;
    const auto flip = [&] {
      for (std::size_t i = 0; i < static_cast<std::size_t>(n()); ++i) {
        rows_[i] ^= one.rows[i] ^ (other != nullptr ? other->rows[i] : 0u);
        columns_[i] ^= one.columns[i] ^ (other != nullptr ? other->columns[i] : 0u);
      }
    };
    flip();
    ExactMetrics found;
    if (!evaluator_->exact_metrics(rows_.data(), columns_.data(), found) || !accept(goal_->energy(found))) {
      flip();
      continue;
    }
    goal_->note(found, columns_);
    if (current_energy_ < symmetric_energy_) {
      symmetric_energy_ = current_energy_;
      symmetric_best_ = columns_;
    }
  }
}

void Chain::exchange_steps(std::int64_t count) {
  const auto coordinates = static_cast<std::uint32_t>(n());
  for (std::int64_t step = 0; step < count; ++step) {
    const std::uint32_t i = random_.below(coordinates);
    const std::uint32_t j = random_.below(coordinates);
    const auto exchange = [&] {
      std::swap(loads_.load[0][i], loads_.load[0][j]);
      for (std::size_t k = 0; k < coordinates; ++k) {
        const std::uint32_t differ = (columns_[k] >> i ^ columns_[k] >> j) & 1u;
        columns_[k] ^= differ * (1u << i ^ 1u << j);
      }
    };
    exchange();
    const ExactMetrics found = evaluator_->from_loads(loads_, columns_.data());
    if (accept(goal_->energy(found)))
      goal_->note(found, columns_);
    else
      exchange();
  }
}

}  // namespace isoplane
