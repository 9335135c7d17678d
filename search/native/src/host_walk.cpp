#include "isoplane/host_walk.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

namespace isoplane {
namespace {

constexpr std::uint64_t kVersion = 0x601;  // unique among the kinds of searchers
constexpr std::int64_t kMeasured = 32;     // moves at the beginning of a cycle that tell how much a move changes
constexpr double kLongerEpochs = 1.15;     // factor by which cycles grow from an epoch to the next
constexpr std::int64_t kLastPasses = 4;    // of the last size of an epoch
constexpr std::size_t kSizes = 16;         // of an epoch
constexpr std::uint32_t kTries = 64;       // moves that are impossible before an evaluation is skipped
constexpr std::uint32_t kFills = 8;        // of so many moves, one uses free ports, if there are any
constexpr std::uint32_t kFillTries = 4;    // for each switch, that free ports stay free before a start has no more
constexpr double kLongest = 1e15;          // evaluations of a cycle, and hops that a move may add
constexpr std::uint32_t kMaxSwitches = 4096;
constexpr std::int64_t kNoLimit = std::numeric_limits<std::int64_t>::max() / 4;

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
    offer(start);
    if (best_.best.empty()) throw std::invalid_argument("a start is not connected");
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
  if (turn_ < 0 || turn_ >= static_cast<std::int64_t>(arms_.size()) || current.empty()) StateReader::fail();
  graph_.emplace(read(current));
}

template <class Archive, class Self>
void HostWalk::serialise(Archive& archive, Self& walk) {
  archive.put(walk.random_);
  for (auto* number : {&walk.evaluations_, &walk.epoch_, &walk.pass_, &walk.turn_, &walk.last_pass_, &walk.length_,
                       &walk.done_, &walk.changes_, &walk.cost_})
    archive.put(*number);
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
  const HostGraph graph = read(words);
  const std::int64_t cost = distances_(graph, kNoLimit).hops;
  if (cost < best_.cost && graph.is_connected()) best_ = {cost, words, graph.switches()};
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
  for (std::uint32_t idle = 0; idle < kFillTries * switches;) idle = fill(graph) ? 0 : idle + 1;
  const HostGraph connected = graph;
  for (std::size_t moves = 4 * graph.edges(0).size(); moves > 0; --moves) move_.exchange(graph, random_);
  return graph.is_connected() ? graph : connected;
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
  if (epoch_ > 0) {  // around the best size
    const auto best =
        static_cast<std::size_t>(std::lower_bound(sizes.begin(), sizes.end(), best_.size) - sizes.begin());
    first = std::min(best - std::min(best, count / 2), sizes.size() - count);
  }
  arms_.clear();
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t place = epoch_ > 0 || count == 1 ? first + i : i * (sizes.size() - 1) / (count - 1);
    arms_.push_back({kNoLimit, sizes[place] == best_.size ? best_.best : Words(), sizes[place]});
  }
  pass_ = turn_ = 0;
  last_pass_ = count == 1 ? kLastPasses : 0;
  begin_cycle();
}

void HostWalk::begin_cycle() {
  Arm& arm = arms_[static_cast<std::size_t>(turn_)];
  enter(arm.best.empty() || pass_ % 2 == 1 ? random_graph(static_cast<std::uint32_t>(arm.size)) : read(arm.best));
  const double longer =
      std::pow(settings_.growth, static_cast<double>(pass_)) * std::pow(kLongerEpochs, static_cast<double>(epoch_));
  const double length = static_cast<double>(settings_.first_leg) * longer;
  length_ = static_cast<std::int64_t>(std::clamp(length, 2.0 * kMeasured, kLongest));
  done_ = changes_ = 0;
}

void HostWalk::end_cycle() {
  if (++turn_ < static_cast<std::int64_t>(arms_.size())) return begin_cycle();
  turn_ = 0;
  ++pass_;
  std::stable_sort(arms_.begin(), arms_.end(), [](const Arm& one, const Arm& other) { return one.cost < other.cost; });
  if (arms_.size() > 1) {
    arms_.resize((arms_.size() + 1) / 2);
    if (arms_.size() == 1) last_pass_ = pass_ + kLastPasses;
  } else if (pass_ >= last_pass_) {
    ++epoch_;
    return begin_epoch();
  }
  begin_cycle();
}

void HostWalk::enter(HostGraph graph) {
  graph_.emplace(std::move(graph));
  cost_ = distances_(*graph_, kNoLimit).hops;
  keep();
}

void HostWalk::run(std::int64_t evaluations) {
  for (const std::int64_t end = evaluations_ + evaluations; evaluations_ < end; ++evaluations_) {
    if (done_ == length_) end_cycle();
    step();
    ++done_;
  }
}

void HostWalk::step() {
  bool moved = random_.below(kFills) == 0 && move_.fill(*graph_, random_);
  for (std::uint32_t i = 0; i < kTries && !moved; ++i)
    moved = task_->moves_hosts ? move_.make(*graph_, random_) : move_.exchange(*graph_, random_);
  if (!moved) return;
  std::int64_t limit = kNoLimit;
  if (done_ >= kMeasured) {
    const double unit = static_cast<double>(task_->hosts) / graph_->switches();
    const double coolest = settings_.coolest * unit * unit;
    const double initial = std::max(coolest, settings_.hottest * static_cast<double>(changes_) / kMeasured);
    const double progress = static_cast<double>(done_) / static_cast<double>(length_);
    const double more = -std::log(random_.uniform()) * initial * std::pow(coolest / initial, progress);
    limit = cost_ + static_cast<std::int64_t>(std::min(more, kLongest));
  }
  const std::int64_t after = distances_(*graph_, limit).hops;
  if (done_ < kMeasured) changes_ += std::min(std::abs(after - cost_), cost_);
  if (after > limit || (done_ < kMeasured && after > cost_)) return move_.undo(*graph_);
  cost_ = after;
  keep();
}

// Keeps the current graph if it is the best one of its size, or of all.
void HostWalk::keep() {
  Arm& arm = arms_[static_cast<std::size_t>(turn_)];
  if (cost_ >= arm.cost || !graph_->is_connected()) return;
  arm.cost = cost_;
  arm.best = graph_->words();
  if (cost_ < best_.cost) best_ = arm;
}

}  // namespace isoplane
