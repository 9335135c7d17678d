#include "isoplane/circuit_walk.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace isoplane {
namespace {

constexpr std::uint64_t kVersion = 0x302;  // unique among the kinds of searchers
constexpr double kLaterComponents = 0.02;  // weight of later components in the energy
constexpr double kCrowding = 0.2;          // weight of the crowding, which guides the walk across plateaus
constexpr std::uint32_t kTries = 64;       // impossible moves before an evaluation is skipped

void put_design(StateWriter& writer, const HybridDesign& design) {
  writer.put(std::uint64_t{design.circuits.size()});
  for (const std::uint32_t node : design.node_of) writer.put(std::uint64_t{node});
  for (const auto& [a, b] : design.circuits) writer.put(std::uint64_t{a} << 32 | b);
}

}  // namespace

CircuitWalk::CircuitWalk(std::shared_ptr<const HybridTask> task, Settings settings, std::uint64_t seed,
                         std::uint64_t stream, const HybridCandidate& start)
    : evaluator_(std::move(task)), settings_(settings), random_(seed, stream) {
  const HybridDesign design = evaluator_.task().design_of(start);
  evaluator_.lower_bound(design);
  best_first_run_ = evaluator_.first_run(design);
  best_score_ = evaluator_.score({std::numeric_limits<std::int64_t>::max()});
  for (const std::int64_t value : best_score_)
    scale_.push_back(1.0 / static_cast<double>(std::max<std::int64_t>(value, 1)));
  scale_.push_back(1.0 / std::max(evaluator_.crowding_ns(), 1.0));
  energy_ = energy(best_first_run_);
  best_ = current_ = design;
  begin_cycle();
}

CircuitWalk::CircuitWalk(std::shared_ptr<const HybridTask> task, Settings settings, const State& saved)
    : CircuitWalk(std::move(task), settings, StateReader(saved)) {}

CircuitWalk::CircuitWalk(std::shared_ptr<const HybridTask> task, Settings settings, StateReader&& reader)
    : evaluator_(std::move(task)), settings_(settings), random_(0, 0) {
  std::uint64_t version = 0;
  reader.put(version);
  if (version != kVersion) StateReader::fail();
  serialise(reader, *this);
  scale_.resize(evaluator_.task().metrics.size() + 1);
  for (double& scale : scale_) reader.put(scale);
  for (Score* score : {&best_score_, &best_first_run_}) {
    score->resize(evaluator_.task().metrics.size());
    for (std::int64_t& value : *score) reader.put(value);
  }
  const auto design = [&] {
    std::uint64_t count = 0, word = 0;
    reader.put(count);
    HybridCandidate candidate;
    for (std::uint32_t i = 0; i < evaluator_.task().plan.nodes(); ++i) {
      reader.put(word);
      candidate.push_back(static_cast<std::uint32_t>(word));
    }
    for (std::uint64_t i = 0; i < count; ++i) {
      reader.put(word);
      candidate.insert(candidate.end(), {static_cast<std::uint32_t>(word >> 32), static_cast<std::uint32_t>(word)});
    }
    return evaluator_.task().design_of(candidate);
  };
  const HybridDesign current = design();
  best_ = design();
  reader.end();
  enter(current);
}

template <class Archive, class Self>
void CircuitWalk::serialise(Archive& archive, Self& walk) {
  archive.put(walk.random_);
  archive.put(walk.evaluations_);
  CoolingCycles::serialise(archive, walk.cycles_);
  archive.put(walk.cycle_temperature_);
}

State CircuitWalk::state() const {
  StateWriter writer;
  writer.put(kVersion);
  serialise(writer, *this);
  for (const double scale : scale_) writer.put(scale);
  for (const Score* score : {&best_score_, &best_first_run_})
    for (const std::int64_t value : *score) writer.put(value);
  put_design(writer, current_);
  put_design(writer, best_);
  return std::move(writer).finish();
}

void CircuitWalk::enter(HybridDesign design) {
  evaluator_.lower_bound(design);
  energy_ = energy(evaluator_.first_run(design));
  current_ = std::move(design);
}

void CircuitWalk::offer(const HybridCandidate& candidate) {
  HybridDesign design = evaluator_.task().design_of(candidate);
  evaluator_.lower_bound(design);
  Score first_run = evaluator_.first_run(design), score = evaluator_.score(best_score_);
  if (score >= best_score_) return;
  best_score_ = std::move(score);
  best_first_run_ = std::move(first_run);
  energy_ = energy(best_first_run_);
  best_ = current_ = std::move(design);
}

void CircuitWalk::run(std::int64_t evaluations) {
  for (const std::int64_t end = evaluations_ + evaluations; evaluations_ < end; ++evaluations_) {
    if (cycles_.complete()) begin_cycle();
    const double current_temperature = temperature();
    ++cycles_.done;
    if (!propose()) continue;
    const double max_energy = energy_ - current_temperature * std::log(random_.uniform());
    if (evaluator_.lower_bound(next_) * scale_[0] + kCrowding * scale_.back() * evaluator_.crowding_ns() > max_energy)
      continue;
    Score first_run = evaluator_.first_run(next_);
    const double next_energy = energy(first_run);
    if (next_energy > max_energy) continue;
    std::swap(current_, next_);
    energy_ = next_energy;
    // No better than the best score, or equal to the first run of the best design.
    if (first_run >= best_score_ || first_run == best_first_run_) continue;
    Score score = evaluator_.score(best_score_);
    if (score >= best_score_) continue;
    best_score_ = std::move(score);
    best_first_run_ = std::move(first_run);
    best_ = current_;
  }
}

void CircuitWalk::begin_cycle() {
  cycles_.begin(settings_.first_leg, settings_.growth);
  if (cycles_.from_best()) enter(best_);
  cycle_temperature_ = settings_.coolest * std::pow(settings_.hottest / settings_.coolest, random_.uniform());
}

double CircuitWalk::energy(const Score& score) const {
  double sum = kCrowding * scale_.back() * evaluator_.crowding_ns();
  for (std::size_t i = 0; i < score.size(); ++i)
    sum += (i == 0 ? 1.0 : kLaterComponents) * scale_[i] * static_cast<double>(score[i]);
  return sum;
}

double CircuitWalk::temperature() const { return cycle_temperature_ * std::pow(settings_.fall, -cycles_.progress()); }

bool CircuitWalk::propose() {
  for (std::uint32_t i = 0; i < kTries; ++i) {
    next_ = current_;
    if (evaluator_.task().placement_is_free && random_.below(3) == 0) {
      if (exchange_processes()) return true;
      continue;
    }
    const std::uint32_t kind = random_.below(17);
    const bool moved = kind == 16  ? reassign_group_pair()
                       : kind < 4  ? move_end()
                       : kind < 7  ? cross_two()
                       : kind < 9  ? rewire()
                       : kind < 11 ? add()
                       : kind < 12 ? remove()
                                   : join_message();
    if (moved) return true;
  }
  return false;
}

// Moves one end to another node of its group; a node without a free port gives up one of its circuits in exchange.
bool CircuitWalk::move_end() {
  auto& circuits = next_.circuits;
  if (circuits.empty()) return false;
  const std::uint32_t size = evaluator_.task().plan.nodes_per_group;
  auto& chosen = circuits[random_.below(static_cast<std::uint32_t>(circuits.size()))];
  if (random_.below(2) == 1) std::swap(chosen.first, chosen.second);
  const std::uint32_t old_end = chosen.first;
  const std::uint32_t new_end = group(old_end) * size + random_.below(size);
  if (new_end == old_end) return false;
  if (free_ports(new_end) == 0) {
    std::vector<std::size_t> own;
    for (std::size_t i = 0; i < circuits.size(); ++i)
      if (circuits[i].first == new_end || circuits[i].second == new_end) own.push_back(i);
    auto& given_up = circuits[own[random_.below(static_cast<std::uint32_t>(own.size()))]];
    if (given_up.second == new_end) std::swap(given_up.first, given_up.second);
    given_up.first = old_end;
  }
  chosen.first = new_end;
  return true;
}

// Exchanges the far ends of two circuits.
bool CircuitWalk::cross_two() {
  auto& circuits = next_.circuits;
  const auto count = static_cast<std::uint32_t>(circuits.size());
  if (count < 2) return false;
  auto& one = circuits[random_.below(count)];
  auto& other = circuits[random_.below(count)];
  if (random_.below(2) == 1) std::swap(other.first, other.second);
  if (&one == &other || group(one.first) == group(other.second) || group(other.first) == group(one.second))
    return false;
  std::swap(one.second, other.second);
  return true;
}

// Moves one end to any free port of another group.
bool CircuitWalk::rewire() {
  auto& circuits = next_.circuits;
  if (circuits.empty()) return false;
  auto& chosen = circuits[random_.below(static_cast<std::uint32_t>(circuits.size()))];
  if (random_.below(2) == 1) std::swap(chosen.first, chosen.second);
  const std::uint32_t new_end = random_.below(evaluator_.task().plan.nodes());
  if (new_end == chosen.first || group(new_end) == group(chosen.second) || free_ports(new_end) == 0) return false;
  chosen.first = new_end;
  return true;
}

bool CircuitWalk::add() {
  if (next_.circuits.size() >= evaluator_.task().max_circuits) return false;
  const std::uint32_t a = random_.below(evaluator_.task().plan.nodes()),
                      b = random_.below(evaluator_.task().plan.nodes());
  if (group(a) == group(b) || free_ports(a) == 0 || free_ports(b) == 0) return false;
  next_.circuits.emplace_back(a, b);
  return true;
}

bool CircuitWalk::remove() {
  auto& circuits = next_.circuits;
  if (circuits.empty()) return false;
  std::swap(circuits[random_.below(static_cast<std::uint32_t>(circuits.size()))], circuits.back());
  circuits.pop_back();
  return true;
}

// Joins both ends of a message between groups; if possible, the far ends of the circuits given up are also joined.
bool CircuitWalk::join_message() {
  const HybridPlan& plan = evaluator_.task().plan;
  const std::uint32_t message = random_.below(static_cast<std::uint32_t>(plan.source.size()));
  const std::uint32_t a = next_.node_of[plan.source[message]], b = next_.node_of[plan.destination[message]];
  if (group(a) == group(b)) return false;
  if (evaluator_.task().ports == 1 && connected(a, b)) return false;  // it would replace itself
  auto& circuits = next_.circuits;
  std::vector<std::uint32_t> far_ends;
  for (const std::uint32_t node : {a, b}) {
    if (free_ports(node) > 0) continue;
    std::vector<std::size_t> own;
    for (std::size_t i = 0; i < circuits.size(); ++i)
      if (circuits[i].first == node || circuits[i].second == node) own.push_back(i);
    const std::size_t given_up = own[random_.below(static_cast<std::uint32_t>(own.size()))];
    far_ends.push_back(circuits[given_up].first == node ? circuits[given_up].second : circuits[given_up].first);
    circuits.erase(circuits.begin() + static_cast<std::ptrdiff_t>(given_up));
  }
  if (circuits.size() >= evaluator_.task().max_circuits) return false;
  circuits.emplace_back(a, b);
  if (far_ends.size() == 2 && group(far_ends[0]) != group(far_ends[1])) circuits.emplace_back(far_ends[0], far_ends[1]);
  return true;
}

// Reassigns the circuits between two random groups, after removing those between a second random pair: first to ends of
// messages, then to any free nodes.
bool CircuitWalk::reassign_group_pair() {
  const HybridPlan& plan = evaluator_.task().plan;
  const std::uint32_t one = random_.below(plan.groups), other = random_.below(plan.groups);
  const std::uint32_t third = random_.below(plan.groups), fourth = random_.below(plan.groups);
  if (one == other) return false;
  drop_between(one, other);
  drop_between(third, fourth);
  auto& circuits = next_.circuits;
  const auto room = static_cast<std::uint32_t>(evaluator_.task().max_circuits - circuits.size());
  const std::uint32_t size = plan.nodes_per_group * evaluator_.task().ports;
  const std::uint32_t wanted = std::min(room, 1 + random_.below(size));
  const auto messages = static_cast<std::uint32_t>(plan.source.size());
  std::uint32_t assigned = 0;
  for (std::uint32_t i = 0, message = random_.below(messages); i < messages && assigned < wanted; ++i) {
    message = message + 1 == messages ? 0 : message + 1;
    const std::uint32_t a = next_.node_of[plan.source[message]], b = next_.node_of[plan.destination[message]];
    if (!((group(a) == one && group(b) == other) || (group(a) == other && group(b) == one))) continue;
    if (free_ports(a) == 0 || free_ports(b) == 0) continue;
    circuits.emplace_back(a, b);
    ++assigned;
  }
  for (; assigned < wanted; ++assigned) {
    const std::uint32_t a = free_node(one), b = free_node(other);
    if (a == plan.nodes() || b == plan.nodes()) break;
    circuits.emplace_back(a, b);
  }
  return true;
}

void CircuitWalk::drop_between(std::uint32_t one, std::uint32_t other) {
  std::erase_if(next_.circuits, [&](const auto& circuit) {
    const std::uint32_t a = group(circuit.first), b = group(circuit.second);
    return (a == one && b == other) || (a == other && b == one);
  });
}

// A node of the group with a free port, scanning from a random node; the number of nodes if no port is free.
std::uint32_t CircuitWalk::free_node(std::uint32_t group) {
  const std::uint32_t size = evaluator_.task().plan.nodes_per_group, start = random_.below(size);
  for (std::uint32_t i = 0; i < size; ++i) {
    const std::uint32_t node = group * size + (start + i) % size;
    if (free_ports(node) > 0) return node;
  }
  return evaluator_.task().plan.nodes();
}

bool CircuitWalk::exchange_processes() {
  auto& node_of = next_.node_of;
  const auto count = static_cast<std::uint32_t>(node_of.size());
  const std::uint32_t one = random_.below(count), other = random_.below(count);
  if (one == other) return false;
  std::swap(node_of[one], node_of[other]);
  return true;
}

std::uint32_t CircuitWalk::free_ports(std::uint32_t node) const {
  std::uint32_t used = 0;
  for (const auto& [a, b] : next_.circuits) used += a == node || b == node ? 1 : 0;
  return evaluator_.task().ports - used;
}

bool CircuitWalk::connected(std::uint32_t a, std::uint32_t b) const {
  return std::any_of(next_.circuits.begin(), next_.circuits.end(), [&](const auto& circuit) {
    return (circuit.first == a && circuit.second == b) || (circuit.first == b && circuit.second == a);
  });
}

}  // namespace isoplane
