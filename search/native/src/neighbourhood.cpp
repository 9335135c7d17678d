#include "isoplane/neighbourhood.hpp"

#include <algorithm>

#include "isoplane/symmetry.hpp"

namespace isoplane {
namespace {

// Increment when the order or meaning of the words changes; unique among the kinds of searchers.
constexpr std::uint64_t kVersion = 0x201;
// If the score depends on loads, this many completions are evaluated, including some that the tables rate slightly
// worse.
constexpr std::size_t kEvaluated = 6;
constexpr double kSlack = 0.002;
// Exchanges need no kernel: this many are charged as one evaluation.
constexpr std::int64_t kExchanges = 32;
// One kick in this number starts from a random quasi-cyclic basis, and one from the best design.
constexpr std::uint32_t kKicks = 16;
// Resolution of the costs of tables, relative to the total of a cube of this dimension.
constexpr int kFineUpTo = 12;

}  // namespace

Neighbourhood::Neighbourhood(std::shared_ptr<const Evaluator> evaluator, std::unique_ptr<Goal> goal, Descent descent,
                             std::uint64_t seed, std::uint64_t stream, std::optional<Columns> start)
    : Searcher(std::move(evaluator), std::move(goal), seed, stream),
      descent_(descent),
      most_(std::min<std::int64_t>({descent.most, n(), Completions::kMaxMissing})),
      completions_(evaluator_) {
  enter(start ? *start : Symmetry::random(n(), random_).member(n(), random_));
}

Neighbourhood::Neighbourhood(std::shared_ptr<const Evaluator> evaluator, std::unique_ptr<Goal> goal, Descent descent,
                             StateReader&& reader)
    : Searcher(std::move(evaluator), std::move(goal), kVersion, reader),
      descent_(descent),
      most_(std::min<std::int64_t>({descent.most, n(), Completions::kMaxMissing})),
      completions_(evaluator_) {
  serialise(reader, *this);
  Columns kept{};
  reader.put(kept);
  completions_.restore(kept);
  reader.end();
  enter(Columns(current_));
}

// Energy and loads follow from the generators.
template <class Archive, class Self>
void Neighbourhood::serialise(Archive& archive, Self& walk) {
  archive.put(walk.current_);
  archive.put(walk.base_);
  archive.put(walk.base_energy_);
  archive.put(walk.next_);
  archive.put(walk.debt_);
  archive.put(walk.stage_);
  archive.put(walk.failures_);
}

State Neighbourhood::state() const {
  StateWriter writer = begin_state(kVersion);
  serialise(writer, *this);
  writer.put(completions_.kept());
  return std::move(writer).finish();
}

void Neighbourhood::enter(const Columns& generators) {
  const Basis basis(n(), generators.data());
  ExactMetrics found;
  evaluator_->exact_metrics(basis.rows(), basis.columns(), found, loads_);
  goal_->note(found, generators);
  current_ = generators;
  energy_ = goal_->energy(found);
}

void Neighbourhood::offer(const Columns& generators) {
  const ExactMetrics found = evaluate(generators);
  goal_->note(found, generators);
  const double energy = goal_->energy(found);
  if (energy >= base_energy_) return;
  base_energy_ = energy;
  base_ = generators;
}

void Neighbourhood::run(std::int64_t evaluations) {
  for (const std::int64_t end = evaluations_ + evaluations; evaluations_ < end;) {
    if (debt_ == 0) propose();
    const std::int64_t paid = std::min(debt_, end - evaluations_);
    debt_ -= paid;
    evaluations_ += paid;
    if (debt_ == 0) commit();
  }
}

void Neighbourhood::propose() {
  debt_ = 1;
  if (stage_ == 0 && !evaluator_->has_layout()) ++stage_;
  if (stage_ == kick_stage())
    next_ = kick();
  else if (stage_ == 0)
    next_ = exchange();
  else
    next_ = complete();
}

void Neighbourhood::commit() {
  const bool kick = stage_ == kick_stage();
  const ExactMetrics found = evaluate(next_);
  const double energy = goal_->energy(found);
  if (kick || energy < energy_) {
    enter(Columns(next_));
    failures_ = 0;
    stage_ = 0;
    return;
  }
  if (energy == energy_) enter(Columns(next_));
  if (++failures_ < patience()) return;
  failures_ = 0;
  if (++stage_ == kick_stage() && energy_ <= base_energy_ + descent_.temperature * exponential()) {
    base_ = current_;
    base_energy_ = energy_;
  }
}

// Failures before the next stage: one for exchanges, which are all tried at once; otherwise about one per generator.
std::int64_t Neighbourhood::patience() const { return stage_ == 0 ? 1 : stage_ == 2 ? 2 * n() : n(); }

Columns Neighbourhood::kick() {
  const std::uint32_t kind = random_.below(kKicks);
  if (kind == 0) {
    base_energy_ = std::numeric_limits<double>::infinity();
    return Symmetry::random(n(), random_).member(n(), random_);
  }
  Basis basis(n(), (kind == 1 ? goal_->favourite(random_) : base_).data());
  const std::uint32_t count = 2 + random_.below(static_cast<std::uint32_t>(std::max(1, n() / 2 - 1)));
  for (std::uint32_t k = 0; k < count; ++k) {
    const auto column = static_cast<std::uint8_t>(random_.below(static_cast<std::uint32_t>(n())));
    const std::uint32_t vector = random_.below(1u << n());
    if (!basis.can_add(column, vector)) continue;
    const Move move{Move::Kind::kAdd, column, 0, vector};
    basis.apply(move);
    basis.commit(move);
  }
  return basis.generators();
}

// The best exchange of two coordinates, which keeps the loads.
Columns Neighbourhood::exchange() {
  Columns best = current_;
  double least = energy_;
  for (int i = 0; i < n(); ++i)
    for (int j = 0; j < i; ++j) {
      Basis basis(n(), current_.data());
      const Move move{Move::Kind::kExchange, static_cast<std::uint8_t>(i), static_cast<std::uint8_t>(j), 0};
      basis.apply(move);
      Loads loads = loads_;
      std::swap(loads.load[0][i], loads.load[0][j]);
      const double energy = goal_->energy(evaluator_->from_loads(loads, basis.columns()));
      if (energy >= least) continue;
      least = energy;
      best = basis.generators();
    }
  debt_ += n() * n() / kExchanges;
  return best;
}

Columns Neighbourhood::complete() {
  const std::uint32_t missing = completions_.choose(current_, stage_, random_);
  const bool exact = tables_suffice();
  const Prices slopes = prices();
  const double slack = exact ? 0 : kSlack * slopes.sum * static_cast<double>(loads_.sum_of_distances);
  const auto found = completions_.best(current_, missing, slopes, slack, exact ? 1 : kEvaluated, random_);
  debt_ += completions_.drain_evaluations();
  if (found.size() <= 1) return found.empty() ? current_ : found.front();
  Columns best = current_;
  double least = std::numeric_limits<double>::infinity();
  for (const Columns& generators : found) {
    const double energy = goal_->energy(evaluate(generators));
    if (energy >= least) continue;
    least = energy;
    best = generators;
  }
  debt_ += static_cast<std::int64_t>(found.size());
  return best;
}

// Whether the energy is the sum of distances in other units.
bool Neighbourhood::tables_suffice() const {
  const Scalarisation& score = evaluator_->scalarisation();
  if (!score.limits().empty() || !score.is_monotone()) return false;
  for (int metric = 1; metric < kMetricCount; ++metric)
    if (score.uses(static_cast<Metric>(metric))) return false;
  return true;
}

// The slopes of the energy: with respect to the sum of distances, if all loads grow by the same factor, and to the
// cables of a generator of mean load; in units fine enough for integers.
Prices Neighbourhood::prices() const {
  const double resolution = static_cast<double>(1 << std::max(0, kFineUpTo - n()));
  if (tables_suffice()) return {resolution, 0, 0};
  const Totals totals = evaluator_->totals(loads_, current_.data());
  const auto slope = [&](std::int64_t sum, std::int64_t length, std::int64_t price) {
    Totals moved = totals;
    const double links = 2.0 * (n() + (evaluator_->folded() ? 1 : 0));
    const double share =
        static_cast<double>(sum) / static_cast<double>(std::max<std::int64_t>(1, totals.sum_of_distances));
    const double mean = 2.0 * static_cast<double>(totals.sum_of_distances) / links;
    moved.sum_of_distances += sum;
    moved.max_load += static_cast<std::int64_t>(share * static_cast<double>(totals.max_load));
    moved.load_mm +=
        static_cast<std::int64_t>(share * static_cast<double>(totals.load_mm) + mean * static_cast<double>(length));
    moved.rack.mean += static_cast<std::int64_t>(share * static_cast<double>(totals.rack.mean));
    moved.length_mm += length;
    moved.price_cents += price;
    const double rise = goal_->energy(evaluator_->from_totals(moved)) - energy_;
    // The tables find the least cost: where more is better, they are of no use.
    return std::max(0.0, rise / static_cast<double>(sum + length + price));
  };
  const std::int64_t sum = 1 + totals.sum_of_distances / 16;
  Prices slopes{evaluator_->walks_offsets() ? slope(sum, 0, 0) : 0, 0, 0};
  if (evaluator_->has_layout()) {
    slopes.length = slope(0, 1 + totals.length_mm / 16, 0);
    slopes.price = slope(0, 0, 1 + totals.price_cents / 16);
  }
  const double unit = slopes.sum > 0 ? slopes.sum / resolution : 0x1p-16;
  return {slopes.sum / unit, slopes.length / unit, slopes.price / unit};
}

}  // namespace isoplane
