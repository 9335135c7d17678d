#include "isoplane/level_walk.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace isoplane {
namespace {

constexpr std::uint64_t kVersion = 0x502;  // unique among the kinds of searchers
constexpr double kTotal = 0.02;            // weight of the sum of all loads in the energy
constexpr double kSpread = 0.2;            // weight of the spread, which guides the walk across plateaus

}  // namespace

LevelWalk::LevelWalk(std::shared_ptr<const LevelTask> task, Settings settings, std::uint64_t seed, std::uint64_t stream,
                     const Candidate& start)
    : loads_(std::move(task)), settings_(settings), random_(seed, stream), current_(basis_of(start)) {
  if (settings_.kept < 1) throw std::invalid_argument("a walk that keeps no design");
  const Rated rated = rate(current_);
  const auto scale = [](double value) { return 1 / std::max(value, 1.0); };
  rank_scale_ = scale(static_cast<double>(rated.rank.first));
  total_scale_ = scale(static_cast<double>(rated.rank.total));
  spread_scale_ = scale(rated.spread);
  energy_ = energy(rated);
  keep(rated.rank, current_.generators());
  begin_cycle();
}

LevelWalk::LevelWalk(std::shared_ptr<const LevelTask> task, Settings settings, const State& saved)
    : LevelWalk(std::move(task), settings, StateReader(saved)) {}

LevelWalk::LevelWalk(std::shared_ptr<const LevelTask> task, Settings settings, StateReader&& reader)
    : loads_(std::move(task)), settings_(settings), random_(0, 0), current_(loads_.task().n) {
  std::uint64_t version = 0, count = 0, has_best = 0;
  reader.put(version);
  if (version != kVersion) StateReader::fail();
  serialise(reader, *this);
  const auto generators = [&] {
    Columns columns{};
    reader.put(columns);
    Basis(loads_.task().n, columns.data());  // throws an error if they are not a basis
    return columns;
  };
  const auto kept = [&] {
    Kept each;
    each.generators = generators();
    reader.put(each.rank.first);
    reader.put(each.rank.total);
    reader.put(each.time);
    return each;
  };
  const Columns current = generators();
  reader.put(count);
  for (std::uint64_t i = 0; i < count; ++i) kept_.push_back(kept());
  reader.put(has_best);
  if (has_best != 0) best_ = kept();
  reader.end();
  if (kept_.empty()) StateReader::fail();
  enter(current);
}

template <class Archive, class Self>
void LevelWalk::serialise(Archive& archive, Self& walk) {
  archive.put(walk.random_);
  archive.put(walk.evaluations_);
  archive.put(walk.rank_scale_);
  archive.put(walk.total_scale_);
  archive.put(walk.spread_scale_);
  CoolingCycles::serialise(archive, walk.cycles_);
  archive.put(walk.cycle_temperature_);
}

State LevelWalk::state() const {
  StateWriter writer;
  writer.put(kVersion);
  serialise(writer, *this);
  writer.put(current_.generators());
  const auto put = [&writer](const Kept& each) {
    writer.put(each.generators);
    writer.put(each.rank.first);
    writer.put(each.rank.total);
    writer.put(each.time);
  };
  writer.put(std::uint64_t{kept_.size()});
  for (const Kept& each : kept_) put(each);
  writer.put(std::uint64_t{best_.has_value()});
  if (best_) put(*best_);
  return std::move(writer).finish();
}

std::vector<LevelWalk::Candidate> LevelWalk::designs() const {
  std::vector<Candidate> all;
  if (best_) all.push_back(candidate_of(best_->generators));
  for (const Kept& each : kept_)
    if (!best_ || each.generators != best_->generators) all.push_back(candidate_of(each.generators));
  return all;
}

std::vector<LevelWalk::Candidate> LevelWalk::unmeasured() const {
  std::vector<Candidate> all;
  for (const Kept& each : kept_)
    if (settings_.needs_times && each.time < 0) all.push_back(candidate_of(each.generators));
  return all;
}

void LevelWalk::set_time(const Candidate& candidate, std::int64_t time) {
  if (time < 0) throw std::invalid_argument("a negative time");
  const Columns generators = sorted(basis_of(candidate).generators());
  const auto found =
      std::find_if(kept_.begin(), kept_.end(), [&](const Kept& each) { return each.generators == generators; });
  if (found == kept_.end()) throw std::invalid_argument("the time of a design that is not kept");
  found->time = time;
  if (!best_ || std::pair(time, found->rank) < std::pair(best_->time, best_->rank)) best_ = *found;
}

void LevelWalk::offer(const Candidate& candidate) {
  const Basis basis = basis_of(candidate);
  const Rated rated = rate(basis);
  if (!keep(rated.rank, basis.generators()) || rated.rank != kept_.front().rank) return;
  current_ = basis;
  energy_ = energy(rated);
}

void LevelWalk::run(std::int64_t evaluations) {
  for (const std::int64_t end = evaluations_ + evaluations; evaluations_ < end; ++evaluations_) {
    if (cycles_.complete()) begin_cycle();
    const double temperature = cycle_temperature_ * std::pow(settings_.fall, -cycles_.progress());
    ++cycles_.done;
    const Move move = current_.propose(random_, true);
    Basis next = current_;
    next.apply(move);
    next.commit(move);
    const Rated rated = rate(next);
    const double next_energy = energy(rated);
    if (next_energy > energy_ - temperature * std::log(random_.uniform())) continue;
    current_ = next;
    energy_ = next_energy;
    keep(rated.rank, next.generators());
  }
}

Basis LevelWalk::basis_of(const Candidate& candidate) const {
  const int n = loads_.task().n;
  if (candidate.size() != static_cast<std::size_t>(n)) throw std::invalid_argument("a basis needs n generators");
  return {n, candidate.data()};
}

LevelWalk::Candidate LevelWalk::candidate_of(const Columns& generators) const {
  return {generators.begin(), generators.begin() + loads_.task().n};
}

Columns LevelWalk::sorted(const Columns& generators) const {
  Columns ascending{};
  std::copy_n(generators.begin(), loads_.task().n, ascending.begin());
  std::sort(ascending.begin(), ascending.begin() + loads_.task().n);
  return ascending;
}

LevelWalk::Rated LevelWalk::rate(const Basis& basis) {
  const LevelTotals totals = loads_(basis);
  const auto& weights = settings_;
  return {
      {weights.levels * totals.levels + weights.busiest * totals.busiest + weights.total * totals.total, totals.total},
      static_cast<double>(weights.levels) * totals.level_spread +
          static_cast<double>(weights.busiest) * totals.busiest_spread};
}

double LevelWalk::energy(const Rated& rated) const {
  return rank_scale_ * static_cast<double>(rated.rank.first) +
         kTotal * total_scale_ * static_cast<double>(rated.rank.total) + kSpread * spread_scale_ * rated.spread;
}

// Returns whether the design is kept: it needs a better rank than the worst, or room, and no other of equal rank.
bool LevelWalk::keep(const Rank& rank, const Columns& generators) {
  const auto limit = static_cast<std::size_t>(settings_.kept);
  if (kept_.size() == limit && rank >= kept_.back().rank) return false;
  const auto place = std::lower_bound(kept_.begin(), kept_.end(), rank,
                                      [](const Kept& each, const Rank& other) { return each.rank < other; });
  if (place != kept_.end() && place->rank == rank) return false;
  kept_.insert(place, Kept{rank, sorted(generators)});
  if (kept_.size() > limit) kept_.pop_back();
  return true;
}

void LevelWalk::enter(const Columns& generators) {
  current_ = Basis(loads_.task().n, generators.data());
  energy_ = energy(rate(current_));
}

// Odd cycles begin from the best rank so far, even ones from the end of the last cycle.
void LevelWalk::begin_cycle() {
  cycles_.begin(settings_.first_leg, settings_.growth);
  if (cycles_.from_best()) enter(kept_.front().generators);
  cycle_temperature_ = settings_.coolest * std::pow(settings_.hottest / settings_.coolest, random_.uniform());
}

}  // namespace isoplane
