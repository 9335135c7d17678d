#include "isoplane/tempering.hpp"

#include <algorithm>
#include <cmath>

#include "isoplane/symmetry.hpp"

namespace isoplane {
namespace {

// Increment when the order or meaning of the words changes; unique among the kinds of searchers.
constexpr std::uint64_t kVersion = 0x101;
// Evaluations of a replica per turn.
constexpr std::int64_t kTurn = 32;
// Maximum number of moves drawn per step until one is evaluated by the kernel.
constexpr int kDraws = 16;
// A move is evaluated if its cables alone raise the energy above the limit by at most this multiple of the temperature.
constexpr double kMargin = 2;

}  // namespace

Tempering::Tempering(std::shared_ptr<const Evaluator> evaluator, std::unique_ptr<Goal> goal, Rungs rungs,
                     std::uint64_t seed, std::uint64_t stream, std::optional<Columns> start)
    : Searcher(std::move(evaluator), std::move(goal), seed, stream), rungs_(rungs) {
  set_temperatures();
  for (std::size_t rung = 0; rung < temperatures_.size(); ++rung)
    replicas_.push_back(replica_of(start ? *start : initial(rung)));
}

Tempering::Tempering(std::shared_ptr<const Evaluator> evaluator, std::unique_ptr<Goal> goal, Rungs rungs,
                     StateReader&& reader)
    : Searcher(std::move(evaluator), std::move(goal), kVersion, reader), rungs_(rungs) {
  set_temperatures();
  for (std::size_t rung = 0; rung < temperatures_.size(); ++rung) {
    Columns generators{};
    reader.put(generators);
    replicas_.push_back(replica_of(generators));
  }
  reader.end();
}

State Tempering::state() const {
  StateWriter writer = begin_state(kVersion);
  for (const Replica& replica : replicas_) writer.put(replica.basis.generators());
  return std::move(writer).finish();
}

// Energies and loads follow from the generators.
Tempering::Replica Tempering::replica_of(const Columns& generators) {
  Replica replica{Basis(n(), generators.data()), 0, {}, {}, 0};
  ExactMetrics found;
  evaluator_->exact_metrics(replica.basis.rows(), replica.basis.columns(), found, replica.loads);
  goal_->note(found, generators);
  replica.energy = goal_->energy(found);
  update_totals(replica);
  return replica;
}

// Every second replica begins with a quasi-cyclic basis: such bases are good starts at no cost.
Columns Tempering::initial(std::size_t rung) {
  if (rung % 2 == 0) return Basis::random(n(), random_).generators();
  return Symmetry::random(n(), random_).member(n(), random_);
}

void Tempering::set_temperatures() {
  const double ratio = rungs_.hottest / rungs_.coldest;
  const auto gaps = static_cast<double>(rungs_.replicas - 1);
  for (std::int64_t rung = 0; rung < rungs_.replicas; ++rung)
    temperatures_.push_back(rungs_.coldest * std::pow(ratio, static_cast<double>(rung) / gaps));
}

void Tempering::offer(const Columns& generators) {
  Replica guest = replica_of(generators);
  if (guest.energy < replicas_.front().energy) replicas_.front() = std::move(guest);
}

void Tempering::run(std::int64_t evaluations) {
  const auto round = kTurn * static_cast<std::int64_t>(replicas_.size());
  for (const std::int64_t end = evaluations_ + evaluations; evaluations_ < end;) {
    const auto rung = static_cast<std::size_t>(evaluations_ % round / kTurn);
    const std::int64_t count = std::min(end - evaluations_, kTurn - evaluations_ % kTurn);
    for (std::int64_t k = 0; k < count; ++k) step(replicas_[rung], temperatures_[rung]);
    evaluations_ += count;
    if (evaluations_ % round == 0) swap_neighbours();
  }
}

// Pairs (0, 1), (2, 3), ... and (1, 2), (3, 4), ... take turns.
void Tempering::swap_neighbours() {
  const auto round = kTurn * static_cast<std::int64_t>(replicas_.size());
  for (auto cold = static_cast<std::size_t>(evaluations_ / round % 2); cold + 1 < replicas_.size(); cold += 2) {
    Replica& a = replicas_[cold];
    Replica& b = replicas_[cold + 1];
    const double gain = (1 / temperatures_[cold] - 1 / temperatures_[cold + 1]) * (a.energy - b.energy);
    if (gain > -exponential()) std::swap(a, b);
  }
}

void Tempering::step(Replica& replica, double temperature) {
  const double max_rise = temperature * exponential();
  Basis& basis = replica.basis;
  for (int draw = 0; draw < kDraws; ++draw) {
    const Move move = basis.propose(random_, evaluator_->has_layout());
    basis.apply(move);
    if (!may_accept(replica, move, max_rise + kMargin * temperature)) {
      basis.apply(move);
      continue;
    }
    ExactMetrics found;
    Loads loads{};
    evaluator_->exact_metrics(basis.rows(), basis.columns(), found, loads);
    const double energy = goal_->energy(found);
    if (energy - replica.energy > max_rise) {
      basis.apply(move);
      return;
    }
    basis.commit(move);
    replica.energy = energy;
    replica.loads = loads;
    update_totals(replica);
    goal_->note(found, basis.generators());
    return;
  }
}

// Whether a move could be accepted, judged by its cables at the current loads.
bool Tempering::may_accept(const Replica& replica, const Move& move, double limit) const {
  if (!evaluator_->has_layout()) return true;
  if (move.kind == Move::Kind::kExchange) {
    Loads loads = replica.loads;
    std::swap(loads.load[0][move.column], loads.load[0][move.other]);
    const ExactMetrics found = evaluator_->from_loads(loads, replica.basis.columns());
    return goal_->energy(found) - replica.energy <= limit;
  }
  // Only the cables of the generator and of the folded link change.
  Totals totals = replica.totals;
  const std::uint32_t generator = replica.basis.columns()[move.column];
  replace(totals, generator ^ move.vector, generator, replica.loads.load[1][move.column]);
  if (evaluator_->folded())
    replace(totals, replica.folded_link, replica.folded_link ^ move.vector, replica.loads.load[1][n()]);
  if (evaluator_->scalarisation().uses(Metric::kLongestCable))
    totals.longest_mm = evaluator_->longest_mm(replica.basis.columns());
  return goal_->energy(evaluator_->from_totals(totals)) - replica.energy <= limit;
}

void Tempering::replace(Totals& totals, std::uint32_t before, std::uint32_t after, std::int64_t load) const {
  const Site& table = evaluator_->site();
  const std::int64_t longer = table.length_mm[after] - table.length_mm[before];
  totals.length_mm += longer;
  totals.load_mm += load * longer;
  totals.price_cents += table.price_cents[after] - table.price_cents[before];
}

// Computes the derived values from the generators and the loads.
void Tempering::update_totals(Replica& replica) const {
  if (!evaluator_->has_layout()) return;
  replica.totals = evaluator_->totals(replica.loads, replica.basis.columns());
  replica.folded_link = 0;
  for (int k = 0; k < n(); ++k) replica.folded_link ^= replica.basis.columns()[k];
}

}  // namespace isoplane
