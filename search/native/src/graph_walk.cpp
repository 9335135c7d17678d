#include "isoplane/graph_walk.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <stdexcept>
#include <utility>

namespace isoplane {
namespace {

constexpr std::uint64_t kVersion = 0x501;    // unique among the kinds of searchers
constexpr std::int64_t kPenalty = 3;         // hops for each hop beyond the least diameter so far
constexpr std::size_t kGroups = 16;          // of an epoch
constexpr std::uint32_t kTries = 64;         // moves that are refused before an evaluation is skipped
constexpr std::int64_t kStartTries = 20000;  // moves of a random start, beside one for each stub
constexpr std::int64_t kNoLimit = std::numeric_limits<std::int64_t>::max() / 4;

// Mate and voltage of each stub.
std::vector<std::uint64_t> joints_of(const VoltageGraph& graph) {
  std::vector<std::uint64_t> all;
  for (std::uint32_t stub = 0; stub < graph.stubs(); ++stub)
    all.push_back(std::uint64_t{graph.joint(stub).mate} << 32 | graph.joint(stub).voltage);
  return all;
}

}  // namespace

void GraphTask::check() const {
  if (vertices < 2 || vertices > kMaxVertices || degree < 2 || degree >= vertices || vertices * degree % 2 != 0)
    throw std::invalid_argument("no regular graph has these numbers of vertices and edges");
  if (groups.empty() || groups.front().order() != 1) throw std::invalid_argument("the first group has one element");
  for (const Group& group : groups) {
    if (vertices % group.order() != 0) throw std::invalid_argument("the order of a group divides the vertices");
    if (vertices / group.order() * degree % 2 != 0 && group.involutions().empty())
      throw std::invalid_argument("an odd number of stubs needs a group with an involution");
  }
}

GraphWalk::GraphWalk(std::shared_ptr<const GraphTask> task, Settings settings, std::uint64_t seed, std::uint64_t stream,
                     const Ends& start)
    : task_(std::move(task)), settings_(settings), random_(seed, stream) {
  offer(start);
  begin_epoch();
}

GraphWalk::GraphWalk(std::shared_ptr<const GraphTask> task, Settings settings, const State& saved)
    : task_(std::move(task)), settings_(settings), random_(0, 0) {
  StateReader reader(saved);
  std::uint64_t version = kVersion;
  reader.put(version);
  if (version != kVersion) StateReader::fail();
  serialise(reader, *this);
  std::uint64_t count = 0;
  reader.put(count);
  if (count > task_->groups.size()) StateReader::fail();
  arms_.resize(count);
  Joints current;
  const auto put_words = [&](Joints& words) {
    std::uint64_t size = 0;
    reader.put(size);
    if (size > std::uint64_t{task_->vertices} * task_->degree) StateReader::fail();
    words.resize(size);
    for (std::uint64_t& word : words) reader.put(word);
  };
  const auto put_arm = [&](Arm& arm) {
    reader.put(arm.group);
    reader.put(arm.cost);
    if (arm.group >= task_->groups.size()) StateReader::fail();
    put_words(arm.best);
  };
  put_arm(best_);
  for (Arm& arm : arms_) put_arm(arm);
  put_words(current);
  reader.end();
  if (passes_.turn < 0 || passes_.turn >= static_cast<std::int64_t>(arms_.size())) StateReader::fail();
  const std::int64_t cost = cost_;
  enter(arms_[passes_.arm()].group, current);
  cost_ = cost;  // that of the moment when the graph was evaluated
}

template <class Archive, class Self>
void GraphWalk::serialise(Archive& archive, Self& walk) {
  archive.put(walk.random_);
  archive.put(walk.evaluations_);
  HalvingPasses::serialise(archive, walk.passes_);
  archive.put(walk.cost_);
  archive.put(walk.best_diameter_);
}

State GraphWalk::state() const {
  StateWriter writer;
  writer.put(kVersion);
  serialise(writer, *this);
  const auto put_words = [&](const Joints& words) {
    writer.put(std::uint64_t{words.size()});
    for (const std::uint64_t word : words) writer.put(word);
  };
  const auto put_arm = [&](const Arm& arm) {
    writer.put(arm.group);
    writer.put(arm.cost);
    put_words(arm.best);
  };
  writer.put(std::uint64_t{arms_.size()});
  put_arm(best_);
  for (const Arm& arm : arms_) put_arm(arm);
  put_words(joints_of(*graph_));
  return std::move(writer).finish();
}

void GraphWalk::offer(const Ends& graph) {
  const VoltageGraph plain = plain_graph(graph);
  GraphDistances distances(task_->vertices, task_->degree, plain.representatives());
  const DistanceSums sums = distances(plain.next(), kNoLimit, 0, kNoLimit);
  if (!best_.best.empty() && !is_better(sums.hops, sums.diameter)) return;
  best_ = {0, sums.hops, joints_of(plain)};
  best_diameter_ = sums.diameter;
}

bool GraphWalk::is_better(std::int64_t hops, std::int64_t diameter) const {
  return task_->diameter_first ? std::pair(diameter, hops) < std::pair(best_diameter_, best_.cost)
                               : std::pair(hops, diameter) < std::pair(best_.cost, best_diameter_);
}

VoltageGraph GraphWalk::graph_of(std::uint64_t group, const Joints& joints) const {
  const Group& acting = task_->groups[group];
  VoltageGraph graph(acting, task_->vertices / acting.order(), task_->degree);
  if (joints.size() != graph.stubs()) StateReader::fail();
  for (std::uint32_t stub = 0; stub < graph.stubs(); ++stub) {
    const auto mate = static_cast<std::uint32_t>(joints[stub] >> 32),
               voltage = static_cast<std::uint32_t>(joints[stub]);
    if (mate >= graph.stubs() || voltage >= acting.order()) StateReader::fail();
    if (mate >= stub) graph.join(stub, mate, voltage);
  }
  return graph;
}

// The graph of these edges, without symmetries.
VoltageGraph GraphWalk::plain_graph(const Ends& ends) const {
  VoltageGraph graph(task_->groups.front(), task_->vertices, task_->degree);
  if (ends.size() != graph.stubs()) throw std::invalid_argument("a start has another number of edges");
  std::vector<std::uint32_t> used(task_->vertices);
  const auto stub_of = [&](std::uint32_t vertex) {
    if (vertex >= task_->vertices || used[vertex] == task_->degree)
      throw std::invalid_argument("a start has another degree");
    return vertex * task_->degree + used[vertex]++;
  };
  for (std::size_t end = 0; end < ends.size(); end += 2) {
    const std::uint32_t one = stub_of(ends[end]);
    graph.join(one, stub_of(ends[end + 1]), 0);
  }
  if (graph.clashes() > 0) throw std::invalid_argument("a start has a loop or parallel edges");
  return graph;
}

// Stubs that are paired at random, then joined anew until no edges are parallel; empty if that fails. Without
// symmetries the best graph after many moves, since few random graphs of a high degree have no parallel edges.
GraphWalk::Joints GraphWalk::random_joints(const Group& group) {
  const bool plain = group.order() == 1;
  VoltageGraph graph = plain ? plain_graph(designs().front()) : paired_at_random(group);
  std::uint32_t clashes = graph.clashes();
  GraphMove move;
  for (std::int64_t tries = kStartTries + graph.stubs(); tries > 0 && (plain || clashes > 0); --tries) {
    const std::uint32_t stub = random_.below(graph.stubs());
    if (!plain && graph.clashes_at(stub / task_->degree) == 0) continue;
    if (!move.make(graph, random_, stub)) continue;
    const std::uint32_t after = move.clashes(graph);
    move.undo(graph);
    const std::uint32_t before = move.clashes(graph);
    if (after > before) continue;
    move.redo(graph);
    clashes += after - before;
  }
  return clashes > 0 ? Joints() : joints_of(graph);
}

VoltageGraph GraphWalk::paired_at_random(const Group& group) {
  VoltageGraph graph(group, task_->vertices / group.order(), task_->degree);
  std::vector<std::uint32_t> stubs(graph.stubs());
  for (std::uint32_t stub = 0; stub < stubs.size(); ++stub) {
    stubs[stub] = stub;
    std::swap(stubs[stub], stubs[random_.below(stub + 1)]);
  }
  const auto& involutions = group.involutions();
  if (stubs.size() % 2 != 0)
    graph.join(stubs.back(), stubs.back(), involutions[random_.below(static_cast<std::uint32_t>(involutions.size()))]);
  for (std::size_t i = 0; i + 1 < stubs.size(); i += 2)
    graph.join(stubs[i], stubs[i + 1], random_.below(group.order()));
  return graph;
}

void GraphWalk::begin_epoch() {
  std::vector<std::uint64_t> drawn(task_->groups.size());
  for (std::uint32_t i = 0; i < drawn.size(); ++i) {
    drawn[i] = i;
    std::swap(drawn[i], drawn[random_.below(i + 1)]);
  }
  // Orders have equally many of the arms, as there are more groups of some than of all others.
  std::map<std::uint32_t, std::uint32_t> count;
  std::vector<std::uint32_t> turn(drawn.size());
  for (const std::uint64_t group : drawn) turn[group] = count[task_->groups[group].order()]++;
  std::stable_sort(drawn.begin(), drawn.end(), [&](auto one, auto other) { return turn[one] < turn[other]; });
  // The first epoch has the group of one element, number 0, so that a start is improved.
  if (passes_.epoch == 0) std::iter_swap(drawn.begin(), std::find(drawn.begin(), drawn.end(), 0));
  drawn.resize(std::min<std::size_t>(drawn.size(), kGroups));
  arms_.clear();
  for (const std::uint64_t group : drawn) {
    // The start counts from the first cycle on, even if its moves, which are hot, lead to worse graphs alone.
    const bool begins = passes_.epoch == 0 && group == 0;
    Joints start = begins ? joints_of(plain_graph(designs().front())) : random_joints(task_->groups[group]);
    if (!start.empty()) arms_.push_back({group, begins ? best_.cost : kNoLimit, std::move(start)});
  }
  if (arms_.empty()) arms_.push_back({0, kNoLimit, joints_of(plain_graph(designs().front()))});
  passes_.begin_epoch();
  begin_cycle();
}

void GraphWalk::begin_cycle() {
  const Arm& arm = arms_[passes_.arm()];
  // Groups differ in how rugged their graphs are: some need a good start, others many.
  const Joints anew = passes_.pass % 2 == 0 ? Joints() : random_joints(task_->groups[arm.group]);
  enter(arm.group, anew.empty() ? arm.best : anew);
  // Cycles of all groups take about equally long: there are 64 representatives in a word.
  const double words = std::ceil(static_cast<double>(distances_->sources().size()) / 64);
  passes_.begin_cycle(static_cast<double>(settings_.first_leg), settings_.growth, words);
}

void GraphWalk::end_cycle() {
  if (passes_.next(arms_))
    begin_cycle();
  else
    begin_epoch();
}

void GraphWalk::enter(std::uint64_t group, const Joints& joints) {
  graph_.emplace(graph_of(group, joints));
  distances_.emplace(task_->vertices, task_->degree, graph_->representatives());
  tracked_.reset();
  const DistanceSums sums = evaluated(kNoLimit);
  cost_ = cost(sums);
  track(sums);
}

// Of a plain graph, distances are kept while it is connected.
void GraphWalk::track(const DistanceSums& sums) {
  const bool pays = graph_->group().order() == 1 && TrackedDistances::pays(task_->vertices, task_->degree);
  if (!pays || sums.diameter >= TrackedDistances::kFar)
    tracked_.reset();
  else if (tracked_)
    tracked_->keep(graph_->next());
  else
    tracked_.emplace(task_->vertices, task_->degree, graph_->next());
}

std::int64_t GraphWalk::cost(const DistanceSums& sums) const {
  return sums.hops + (task_->diameter_first ? kPenalty * sums.beyond : 0);
}

DistanceSums GraphWalk::evaluated(std::int64_t limit) {
  const std::int64_t penalty = task_->diameter_first ? kPenalty : 0;
  return tracked_ ? tracked_->changed(graph_->next(), move_.orbits(*graph_), best_diameter_, penalty, limit)
                  : (*distances_)(graph_->next(), best_diameter_, penalty, limit);
}

void GraphWalk::run(std::int64_t evaluations) {
  for (const std::int64_t end = evaluations_ + evaluations; evaluations_ < end; ++evaluations_) {
    if (passes_.complete()) end_cycle();
    step();
    ++passes_.done;
  }
}

void GraphWalk::step() {
  bool moved = false;
  for (std::uint32_t i = 0; i < kTries && !moved; ++i) {
    if (!move_.make(*graph_, random_, random_.below(graph_->stubs()))) continue;
    moved = move_.clashes(*graph_) == 0;
    if (!moved) move_.undo(*graph_);
  }
  if (!moved) return;
  std::int64_t limit = kNoLimit;
  if (!passes_.is_measuring()) limit = passes_.limit(random_, cost_, settings_.hottest, settings_.coolest);
  const DistanceSums sums = evaluated(limit);
  const std::int64_t after = cost(sums);
  passes_.measure(cost_, after);
  if (after > (passes_.is_measuring() ? cost_ : limit)) return move_.undo(*graph_);
  cost_ = after;
  track(sums);
  keep(sums);
}

// Keeps the current graph if it is the best one of its group, or of all.
void GraphWalk::keep(const DistanceSums& sums) {
  Arm& arm = arms_[passes_.arm()];
  const std::int64_t order = task_->groups[arm.group].order();
  if (order * cost_ < arm.cost) {
    arm.cost = order * cost_;
    arm.best = joints_of(*graph_);
  }
  if (sums.diameter == task_->vertices) return;  // not connected
  if (!is_better(order * sums.hops, sums.diameter)) return;
  best_ = {arm.group, order * sums.hops, joints_of(*graph_)};
  best_diameter_ = sums.diameter;
  cost_ = sums.hops;  // none is beyond the diameter, which may be smaller now
}

std::vector<GraphWalk::Ends> GraphWalk::designs() const { return {graph_of(best_.group, best_.best).edges()}; }

}  // namespace isoplane
