#include "isoplane/host_walk.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

namespace isoplane {
namespace {

constexpr std::uint64_t kVersion = 0x601;  // unique among the kinds of searchers
constexpr std::size_t kSizes = 16;         // of an epoch
constexpr std::uint32_t kTries = 64;       // moves that are impossible before an evaluation is skipped
constexpr std::uint32_t kFills = 8;        // of so many moves, one uses free ports, if there are any
constexpr std::uint32_t kFillTries = 4;    // for each switch, that free ports stay free before a graph has no more
constexpr std::uint32_t kMaxSwitches = 4096;
constexpr std::int64_t kNoLimit = std::numeric_limits<std::int64_t>::max() / 4;

// Uses free ports until none of many draws can.
template <class Use>
void until_idle(const HostGraph& graph, Use use) {
  for (std::uint32_t idle = 0; idle < kFillTries * graph.switches();) idle = use() ? 0 : idle + 1;
}

}  // namespace

void HostTask::check() const {
  if (hosts < 1 || ports < 1 || planes < 1 || planes > 8 || sizes.empty())
    throw std::invalid_argument("there are hosts, ports, 1 to 8 planes, and numbers of switches");
  for (const std::uint32_t size : sizes)
    if (size < 1 || size > kMaxSwitches || std::uint64_t{size} * ports < std::uint64_t{hosts} + 2 * (size - 1))
      throw std::invalid_argument("switches have ports for hosts and for cables to each other");
}

HostWalk::HostWalk(std::shared_ptr<const HostTask> task, Settings settings, std::uint64_t seed, std::uint64_t stream,
                   const Words& start)
    : task_(std::move(task)), settings_(settings), random_(seed, stream), move_(task_->cables) {
  best_.cost = kNoLimit;
  if (!start.empty()) {
    if (!read(start).is_connected()) throw std::invalid_argument("a start is not connected");
    offer(start);
  }
  begin_epoch();
}

HostWalk::HostWalk(std::shared_ptr<const HostTask> task, Settings settings, const State& saved)
    : task_(std::move(task)), settings_(settings), random_(0, 0), move_(task_->cables) {
  StateReader reader(saved);
  std::uint64_t version = kVersion;
  reader.put(version);
  if (version != kVersion) StateReader::fail();
  serialise(reader, *this);
  std::uint64_t count = 0;
  reader.put(count);
  if (count > kSizes) StateReader::fail();
  arms_.resize(count);
  const auto put_words = [&](Words& words) {
    std::uint64_t size = 0;
    reader.put(size);
    if (size > saved.size()) StateReader::fail();
    words.resize(size);
    for (std::uint32_t& word : words) {
      std::uint64_t wide = 0;
      reader.put(wide);
      word = static_cast<std::uint32_t>(wide);
    }
    if (!words.empty()) static_cast<void>(read(words));
  };
  const auto put_arm = [&](Arm& arm) {
    reader.put(arm.cost);
    reader.put(arm.size);
    put_words(arm.best);
  };
  put_arm(best_);
  for (Arm& arm : arms_) put_arm(arm);
  Words current;
  put_words(current);
  reader.end();
  if (passes_.turn < 0 || passes_.turn >= static_cast<std::int64_t>(arms_.size()) || current.empty())
    StateReader::fail();
  graph_.emplace(read(current));
}

template <class Archive, class Self>
void HostWalk::serialise(Archive& archive, Self& walk) {
  archive.put(walk.random_);
  archive.put(walk.evaluations_);
  HalvingPasses::serialise(archive, walk.passes_);
  archive.put(walk.cost_);
}

State HostWalk::state() const {
  StateWriter writer;
  writer.put(kVersion);
  serialise(writer, *this);
  const auto put_words = [&](const Words& words) {
    writer.put(std::uint64_t{words.size()});
    for (const std::uint32_t word : words) writer.put(std::uint64_t{word});
  };
  const auto put_arm = [&](const Arm& arm) {
    writer.put(arm.cost);
    writer.put(arm.size);
    put_words(arm.best);
  };
  writer.put(std::uint64_t{arms_.size()});
  put_arm(best_);
  for (const Arm& arm : arms_) put_arm(arm);
  put_words(graph_->words());
  return std::move(writer).finish();
}

HostGraph HostWalk::read(const Words& words) const { return {words, task_->ports, task_->planes, task_->hosts}; }

void HostWalk::offer(const Words& words) {
  const HostGraph graph = grown(read(words), task_->sizes.front());
  const std::int64_t cost = distances_(graph, kNoLimit).hops;
  if (cost < best_.cost && graph.is_connected()) best_ = {cost, graph.words(), graph.switches()};
}

// Hosts spread evenly and random cables, as many as fit.
HostGraph HostWalk::random_graph(std::uint32_t switches) {
  HostGraph graph(switches, task_->ports, task_->planes, task_->hosts);
  // A tree first, in which switches with the most free ports come first, so that every plane is connected.
  for (std::uint32_t plane = 0; plane < task_->planes; ++plane) {
    for (std::uint32_t at = 1; at < switches; ++at) {
      std::uint32_t other = random_.below(at);
      while (graph.free_ports(plane, other) == 0) other = other == 0 ? at - 1 : other - 1;
      graph.add(plane, {at, other});
    }
  }
  until_idle(graph, [&] { return fill(graph); });
  const HostGraph connected = graph;
  for (std::size_t moves = 4 * graph.edges(0).size(); moves > 0; --moves) move_.exchange(graph, random_);
  return graph.is_connected() ? graph : connected;
}

// A graph with so many switches, or as many as it has, and with cables at its free ports: those that join two of them,
// which shorten paths, and others, which divide cables, if they do, too.
HostGraph HostWalk::grown(HostGraph graph, std::uint64_t switches) {
  while (graph.switches() < switches) add_twin(graph);
  until_idle(graph, [&] { return move_.join(graph, random_); });
  HostGraph filled = graph;
  until_idle(filled, [&] { return fill(filled); });
  return distances_(filled, kNoLimit).hops < distances_(graph, kNoLimit).hops ? filled : graph;
}

// Adds a switch with its share of the hosts and, in each plane, cables to the neighbours of another one: as far from
// all others as this twin, it leaves a small diameter as it is. Neighbours without free ports give hosts to it.
void HostWalk::add_twin(HostGraph& graph) {
  const std::uint32_t added = graph.switches(), planes = task_->planes;
  const std::uint32_t most = *std::max_element(graph.hosts().begin(), graph.hosts().end());
  const auto is_beside = [&](std::uint32_t twin, std::uint32_t at) {
    for (std::uint32_t plane = 0; plane < planes; ++plane)
      if (graph.joined(plane, twin, at)) return true;
    return false;
  };
  std::uint32_t twin = 0, largest = 0;
  for (std::uint32_t step = 0, first = random_.below(added); step < added; ++step) {
    const std::uint32_t candidate = (first + step) % added;
    std::uint32_t count = 1;
    for (std::uint32_t at = 0; at < added; ++at)
      count += is_beside(candidate, at) && (graph.hosts()[at] == most || graph.free_ports(0, at) > 0) ? 1 : 0;
    if (count <= largest) continue;
    twin = candidate;
    largest = count;
  }
  graph.add_switch();
  for (std::uint32_t left = task_->hosts / graph.switches(); left > 0; --left) {
    const auto load = [&](std::uint32_t at) { return std::pair(graph.hosts()[at], is_beside(twin, at)); };
    std::uint32_t fullest = 0;
    for (std::uint32_t at = 1; at < added; ++at)
      if (load(at) > load(fullest)) fullest = at;
    graph.move_host(fullest, added);
  }
  for (std::uint32_t plane = 0; plane < planes; ++plane)
    for (std::uint32_t at = 0; at < added; ++at)
      if (graph.joined(plane, twin, at) && graph.free_ports(plane, at) > 0 && graph.free_ports(plane, added) > 0 &&
          graph.edges(plane).size() < task_->cables)
        graph.add(plane, {at, added});
}

// Adds a cable; false if the one drawn is impossible.
bool HostWalk::fill(HostGraph& graph) {
  std::size_t before = 0, after = 0;
  for (std::uint32_t plane = 0; plane < task_->planes; ++plane) before += graph.edges(plane).size();
  if (!move_.fill(graph, random_)) return false;
  for (std::uint32_t plane = 0; plane < task_->planes; ++plane) after += graph.edges(plane).size();
  if (after == before) move_.undo(graph);
  return after > before;
}

void HostWalk::begin_epoch() {
  const auto& sizes = task_->sizes;
  const std::size_t count = std::min(sizes.size(), kSizes);
  std::size_t first = 0;
  if (passes_.epoch > 0) {  // around the best size
    const auto best =
        static_cast<std::size_t>(std::lower_bound(sizes.begin(), sizes.end(), best_.size) - sizes.begin());
    first = std::min(best - std::min(best, count / 2), sizes.size() - count);
  }
  arms_.clear();
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t place = passes_.epoch > 0 || count == 1 ? first + i : i * (sizes.size() - 1) / (count - 1);
    arms_.push_back({kNoLimit, sizes[place] == best_.size ? best_.best : Words(), sizes[place]});
  }
  if (passes_.epoch == 0 && !best_.best.empty()) {  // the size of the start, in place of the nearest one
    const auto distance = [&](const Arm& arm) {
      return std::max(arm.size, best_.size) - std::min(arm.size, best_.size);
    };
    *std::min_element(arms_.begin(), arms_.end(), [&](const Arm& one, const Arm& other) {
      return distance(one) < distance(other);
    }) = {kNoLimit, best_.best, best_.size};
  }
  passes_.begin_epoch();
  begin_cycle();
}

void HostWalk::begin_cycle() {
  const Arm& arm = arms_[passes_.arm()];
  enter(arm.best.empty() || passes_.pass % 2 == 1 ? random_graph(static_cast<std::uint32_t>(arm.size))
                                                  : read(arm.best));
  passes_.begin_cycle(static_cast<double>(settings_.first_leg), settings_.growth);
}

void HostWalk::end_cycle() {
  if (passes_.next(arms_))
    begin_cycle();
  else
    begin_epoch();
}

void HostWalk::enter(HostGraph graph) {
  graph_.emplace(std::move(graph));
  cost_ = distances_(*graph_, kNoLimit).hops;
  keep();
}

void HostWalk::run(std::int64_t evaluations) {
  for (const std::int64_t end = evaluations_ + evaluations; evaluations_ < end; ++evaluations_) {
    if (passes_.complete()) end_cycle();
    step();
    ++passes_.done;
  }
}

void HostWalk::step() {
  bool moved = random_.below(kFills) == 0 && move_.fill(*graph_, random_);
  for (std::uint32_t i = 0; i < kTries && !moved; ++i)
    moved = task_->moves_hosts ? move_.make(*graph_, random_) : move_.exchange(*graph_, random_);
  if (!moved) return;
  std::int64_t limit = kNoLimit;
  if (!passes_.is_measuring()) {
    const double unit = static_cast<double>(task_->hosts) / graph_->switches();
    limit = passes_.limit(random_, cost_, settings_.hottest, settings_.coolest * unit * unit);
  }
  const std::int64_t after = distances_(*graph_, limit).hops;
  passes_.measure(cost_, after);
  if (after > (passes_.is_measuring() ? cost_ : limit)) return move_.undo(*graph_);
  cost_ = after;
  keep();
}

// Keeps the current graph if it is the best one of its size, or of all.
void HostWalk::keep() {
  Arm& arm = arms_[passes_.arm()];
  if (cost_ >= arm.cost || !graph_->is_connected()) return;
  arm.cost = cost_;
  arm.best = graph_->words();
  if (cost_ < best_.cost) best_ = arm;
}

}  // namespace isoplane
