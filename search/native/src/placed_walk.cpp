#include "isoplane/placed_walk.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace isoplane {
namespace {

constexpr std::uint64_t kVersion = 0x801;  // unique among the kinds of searchers
constexpr std::int64_t kNoLimit = std::numeric_limits<std::int64_t>::max() / 4;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr int kMeasured = 64;         // moves of each kind that tell how much one changes
constexpr std::uint32_t kTries = 64;  // moves that are impossible before an evaluation is skipped
constexpr std::uint32_t kMoves = 2;   // of so many, one exchanges mates, which takes many times as long
constexpr double kLeastPenalty = 2, kPenaltyRange = 32;  // as for connection sets (goal.cpp)

}  // namespace

void PlacedTask::check() const {
  GraphTask::check();
  if (rack.size() != vertices || !std::is_sorted(rack.begin(), rack.end()))
    throw std::invalid_argument("each place is in a rack, in their order");
  if (kind.size() != racks() * racks() || needed_mm.size() != kind.size() || length_mm.empty() ||
      length_mm.size() != price_cents.size() || (score.uses_racks() && racks() < 2) ||
      std::any_of(kind.begin(), kind.end(), [&](auto each) { return each >= length_mm.size(); }))
    throw std::invalid_argument("there is a kind of cable between any two racks");
}

PlacedWalk::PlacedWalk(std::shared_ptr<const PlacedTask> task, Settings settings, std::uint64_t seed,
                       std::uint64_t stream, const Ends& start)
    : task_(std::move(task)), settings_(settings), random_(seed, stream) {
  enter(read(start));
  if (sums_.diameter >= task_->vertices) throw std::invalid_argument("a start is not connected");
  reference_ = best_metrics_ = metrics(sums_, losses_);
  best_ = current();
  best_score_ = task_->score(reference_);
  begin_cycle();
}

PlacedWalk::PlacedWalk(std::shared_ptr<const PlacedTask> task, Settings settings, const State& saved)
    : task_(std::move(task)), settings_(settings), random_(0, 0) {
  StateReader reader(saved);
  std::uint64_t version = kVersion;
  reader.put(version);
  if (version != kVersion) StateReader::fail();
  serialise(reader, *this);
  Placed now;
  for (Placed* placed : {&best_, &now}) {
    placed->mates.resize(std::size_t{task_->vertices} * task_->degree);
    placed->places.resize(task_->vertices);
    for (auto* words : {&placed->mates, &placed->places}) {
      for (std::uint32_t& each : *words) {
        std::uint64_t word = 0;
        reader.put(word);
        if (word >= words->size()) StateReader::fail();
        each = static_cast<std::uint32_t>(word);
      }
    }
  }
  reader.end();
  enter(best_);
  best_metrics_ = metrics(sums_, losses_);
  best_score_ = task_->score(best_metrics_);
  enter(now);
}

template <class Archive, class Self>
void PlacedWalk::serialise(Archive& archive, Self& walk) {
  archive.put(walk.random_);
  archive.put(walk.evaluations_);
  CoolingCycles::serialise(archive, walk.cycle_);
  archive.put(walk.penalty_);
  for (auto& change : walk.change_) archive.put(change);
  for (auto& metric : walk.reference_) archive.put(metric);
}

State PlacedWalk::state() const {
  StateWriter writer;
  writer.put(kVersion);
  serialise(writer, *this);
  for (const Placed& placed : {best_, current()})
    for (const auto& words : {placed.mates, placed.places})
      for (const std::uint32_t word : words) writer.put(std::uint64_t{word});
  return std::move(writer).finish();
}

// The vertices are in the places of their numbers.
PlacedWalk::Placed PlacedWalk::read(const Ends& ends) const {
  const std::uint32_t degree = task_->degree;
  Placed placed{std::vector<std::uint32_t>(std::size_t{task_->vertices} * degree),
                std::vector<std::uint32_t>(task_->vertices)};
  if (ends.size() != placed.mates.size()) throw std::invalid_argument("a start has another number of edges");
  std::vector<std::uint32_t> used(task_->vertices);
  const auto stub_of = [&](std::uint32_t vertex) {
    if (vertex >= used.size() || used[vertex] == degree) throw std::invalid_argument("a start has another degree");
    return vertex * degree + used[vertex]++;
  };
  for (std::size_t end = 0; end < ends.size(); end += 2) {
    const std::uint32_t one = stub_of(ends[end]), other = stub_of(ends[end + 1]);
    placed.mates[one] = other;
    placed.mates[other] = one;
  }
  std::iota(placed.places.begin(), placed.places.end(), 0u);
  if (graph_of(placed).clashes() > 0) throw std::invalid_argument("a start has a loop or parallel edges");
  return placed;
}

VoltageGraph PlacedWalk::graph_of(const Placed& placed) const {
  VoltageGraph graph(task_->groups.front(), task_->vertices, task_->degree);
  for (std::uint32_t stub = 0; stub < graph.stubs(); ++stub)
    if (placed.mates[stub] > stub) graph.join(stub, placed.mates[stub], 0);
  return graph;
}

PlacedWalk::Placed PlacedWalk::current() const {
  Placed placed{{}, places_};
  for (std::uint32_t stub = 0; stub < graph_->stubs(); ++stub) placed.mates.push_back(graph_->joint(stub).mate);
  return placed;
}

std::vector<PlacedWalk::Ends> PlacedWalk::designs() const {
  Ends ends;
  for (std::uint32_t stub = 0; stub < best_.mates.size(); ++stub)
    if (best_.mates[stub] > stub)
      for (const std::uint32_t end : {stub, best_.mates[stub]}) ends.push_back(best_.places[end / task_->degree]);
  return {ends};
}

void PlacedWalk::offer(const Ends& graph) {
  const Placed before = current(), offered = read(graph);
  enter(offered);
  const ExactMetrics found = metrics(sums_, losses_);
  const Score score = task_->score(found);
  if (sums_.diameter < task_->vertices && score < best_score_) {
    best_ = offered;
    best_score_ = score;
    best_metrics_ = found;
  }
  enter(before);
}

void PlacedWalk::enter(const Placed& placed) {
  graph_.emplace(graph_of(placed));
  places_ = placed.places;
  cables_.assign(task_->length_mm.size(), 0);
  needed_mm_.assign(task_->length_mm.size(), 0);
  for (std::uint32_t stub = 0; stub < graph_->stubs(); ++stub)
    if (placed.mates[stub] > stub) count_cable(stub / task_->degree, placed.mates[stub] / task_->degree, 1);
  distances_.emplace(task_->vertices, task_->degree, graph_->representatives());
  sums_ = (*distances_)(graph_->next(), aim(), 0, kNoLimit);
  tracked_.reset();
  track();
  if (task_->score.uses_racks() && !lost_racks_) lost_racks_.emplace(task_->degree, task_->rack);
  losses_ = least_losses(sums_);
  if (GraphLosses::matter(task_->score)) {
    lost_.emplace(task_->vertices, task_->degree, graph_->next(), task_->score);
    if (sums_.diameter < task_->vertices) losses_ = (*lost_)(sums_, aims(), kNoLimit);
  }
  if (lost_racks_) lost_racks_->lose(graph_->next(), places_, aims().rack.diameter, losses_);
  energy_ = energy(sums_, losses_);
}

void PlacedWalk::begin_cycle() {
  cycle_.begin(settings_.first_leg, settings_.growth);
  penalty_ = kLeastPenalty * std::pow(kPenaltyRange, random_.uniform());
  enter(best_);
  if (!cycle_.from_best() && cycle_.count > 1) shuffle();
  measure();
}

// Exchanges mates at random, all of them once or twice.
void PlacedWalk::shuffle() {
  for (std::uint32_t i = 0; i < graph_->stubs(); ++i) {
    if (!move_.make(*graph_, random_, random_.below(graph_->stubs()))) continue;
    if (move_.clashes(*graph_) > 0) move_.undo(*graph_);
  }
  const Placed shuffled = current();
  enter(shuffled);
  if (sums_.diameter >= task_->vertices) enter(best_);
}

void PlacedWalk::measure() {
  change_ = {};
  for (int i = 0; i < kMeasured; ++i) {
    const std::array after{try_mates(-kInfinity), try_places(-kInfinity)};
    for (std::size_t kind = 0; kind < after.size(); ++kind)
      if (after[kind] && *after[kind] < kInfinity) change_[kind] += std::fabs(*after[kind] - energy_) / kMeasured;
  }
}

void PlacedWalk::run(std::int64_t evaluations) {
  for (const std::int64_t end = evaluations_ + evaluations; evaluations_ < end; ++evaluations_) {
    if (cycle_.complete()) begin_cycle();
    step();
    ++cycle_.done;
  }
}

// The two kinds of moves have temperatures of their own: where lengths only break ties, their changes are small.
void PlacedWalk::step() {
  const Kind kind = task_->racks() == 1 || random_.below(kMoves) == 0 ? kMates : kPlaces;
  const double cooled = std::pow(settings_.coolest / settings_.hottest, cycle_.progress());
  const double limit = energy_ - std::log(random_.uniform()) * settings_.hottest * change_[kind] * cooled;
  if (kind == kMates)
    try_mates(limit);
  else
    try_places(limit);
}

void PlacedWalk::count_cable(std::uint32_t one, std::uint32_t other, std::int64_t times) {
  const std::size_t racks = task_->rack[places_[one]] * task_->racks() + task_->rack[places_[other]];
  cables_[task_->kind[racks]] += times;
  needed_mm_[task_->kind[racks]] += times * task_->needed_mm[racks];
}

std::optional<double> PlacedWalk::try_mates(double limit) {
  bool moved = false;
  for (std::uint32_t i = 0; i < kTries && !moved; ++i) {
    if (!move_.make(*graph_, random_, random_.below(graph_->stubs()))) continue;
    moved = move_.clashes(*graph_) == 0;
    if (!moved) move_.undo(*graph_);
  }
  if (!moved) return std::nullopt;
  const auto ends = move_.orbits(*graph_);  // the edges 0-1 and 2-3 became 0-3 and 2-1
  const auto exchange = [&](std::int64_t times) {
    count_cable(ends[0], ends[1], -times);
    count_cable(ends[2], ends[3], -times);
    count_cable(ends[0], ends[3], times);
    count_cable(ends[2], ends[1], times);
  };
  exchange(1);
  const DistanceSums sums = sums_after_move();
  Losses losses = least_losses(sums);
  double after = sums.diameter < task_->vertices ? energy(sums, losses) : kInfinity;
  const bool measures = limit == -kInfinity;
  if (lost_ && after < kInfinity && (measures || after <= limit)) {
    losses = (*lost_)(sums, aims(), measures ? kNoLimit : most_beyond(sums, limit - after));
    if (lost_racks_) losses.rack = lost_racks_->least(sums);
    after = energy(sums, losses);
  }
  if (lost_racks_ && after < kInfinity && (measures || after <= limit)) {
    lost_racks_->lose(graph_->next(), places_, aims().rack.diameter, losses);
    after = energy(sums, losses);
  }
  if (after > limit) {
    exchange(-1);
    move_.undo(*graph_);
  } else {
    sums_ = sums;
    losses_ = losses;
    track();
    accept(after);
  }
  return after;
}

std::optional<double> PlacedWalk::try_places(double limit) {
  std::uint32_t one = 0, other = 0;
  for (std::uint32_t i = 0; i < kTries && task_->rack[places_[one]] == task_->rack[places_[other]]; ++i) {
    one = random_.below(task_->vertices);
    other = random_.below(task_->vertices);
  }
  if (task_->rack[places_[one]] == task_->rack[places_[other]]) return std::nullopt;
  exchange_places(one, other);
  Losses losses = losses_;
  if (lost_racks_) lost_racks_->lose(graph_->next(), places_, aims().rack.diameter, losses);
  const double after = energy(sums_, losses);
  if (after > limit) {
    exchange_places(one, other);
  } else {
    losses_ = losses;
    accept(after);
  }
  return after;
}

// An edge between the two keeps its length.
void PlacedWalk::exchange_places(std::uint32_t one, std::uint32_t other) {
  const std::uint32_t* next = graph_->next();
  const auto count = [&](std::int64_t times) {
    for (const auto& [vertex, exchanged] : {std::pair(one, other), std::pair(other, one)})
      for (std::uint32_t port = 0; port < task_->degree; ++port)
        if (const std::uint32_t peer = next[vertex * task_->degree + port]; peer != exchanged)
          count_cable(vertex, peer, times);
  };
  count(-1);
  std::swap(places_[one], places_[other]);
  count(1);
}

DistanceSums PlacedWalk::sums_after_move() {
  return tracked_ ? tracked_->changed(graph_->next(), move_.orbits(*graph_), aim(), 0, kNoLimit)
                  : (*distances_)(graph_->next(), aim(), 0, kNoLimit);
}

// Of large graphs, distances are kept while these are connected.
void PlacedWalk::track() {
  if (!TrackedDistances::pays(task_->vertices, task_->degree) || sums_.diameter >= TrackedDistances::kFar)
    tracked_.reset();
  else if (tracked_)
    tracked_->keep(graph_->next());
  else
    tracked_.emplace(task_->vertices, task_->degree, graph_->next());
}

}  // namespace isoplane
