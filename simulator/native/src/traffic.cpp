#include "isoplane/sim/traffic.hpp"

#include <algorithm>
#include <stdexcept>

namespace isoplane::sim {

namespace {
constexpr std::uint32_t kCreates = 1u << 31;
}

void TrafficPlan::check(std::uint32_t nodes) const {
  const auto require = [](bool holds, const char* what) {
    if (!holds) throw std::invalid_argument(what);
  };
  require(nodes < kCreates, "too many nodes");
  for (const std::uint32_t node : table) require(node < nodes || node == kUnlisted, "an unknown destination");
  require(pattern != Pattern::kTable || table.size() == nodes, "a table for another number of nodes");
  require(pattern != Pattern::kHotSpot || !table.empty(), "no hot node");
  require(pattern != Pattern::kGroupShift ||
              (group_nodes > 0 && nodes % group_nodes == 0 && group_shift > 0 && group_shift < nodes / group_nodes),
          "groups");
  require(pattern == Pattern::kList || nodes > 1, "a single node");
  require(shortest_bits > 0 && shortest_bits <= longest_bits, "lengths out of range");
  require(pattern == Pattern::kList || longest_bits < std::uint64_t{1} << 40, "messages too long");
  require(period >= 0 && period_parts > 0 && (period == 0 || period >= period_parts), "a period of less than a tick");
  require(pattern == Pattern::kList || period > 0 || certain || chance > 0, "no messages");
  const std::size_t count = source.size();
  require(destination.size() == count && bits.size() == count && delay.size() == count && predecessors.size() == count,
          "lists of different lengths");
  if (pattern != Pattern::kList) return;
  require(successor_starts.size() == count + 1 && successor_starts.back() == successors.size(), "successors");
  for (std::size_t i = 0; i < count; ++i)
    require(
        source[i] < nodes && destination[i] < nodes && delay[i] >= 0 && (bits[i] > 0 || source[i] == destination[i]),
        "a message out of range");
  for (const std::uint32_t message : successors) require(message < count, "an unknown successor");
}

Traffic::Traffic(const TrafficPlan& plan, std::uint32_t nodes, std::uint64_t seed)
    : plan_(&plan), nodes_(nodes), gaps_(plan.chance, plan.certain) {
  for (std::uint32_t node = 0; node < nodes; ++node) random_.emplace_back(seed, node);
  if (plan.pattern == Pattern::kList) {
    missing_predecessors_ = plan.predecessors;
    for (std::uint32_t i = 0; i < plan.source.size(); ++i)
      if (missing_predecessors_[i] == 0) schedule_listed(i, 0);
    return;
  }
  turn_.assign(nodes, 0);
  clocks_.resize(plan.period > 0 ? nodes : 0);
  calendar_.resize(std::size_t{Gaps::kLongest} + 1);
  for (std::uint32_t node = 0; node < nodes; ++node)
    if (plan.pattern != Pattern::kTable || (plan.table[node] != kUnlisted && plan.table[node] != node)) start(node);
}

// Schedules a listed message whose predecessors have all arrived.
void Traffic::schedule_listed(std::uint32_t listed, Tick now) {
  auto& queue = plan_->source[listed] == plan_->destination[listed] ? local_due_ : due_;
  queue.emplace(now + plan_->delay[listed], listed);
}

void Traffic::start(std::uint32_t node) {
  if (plan_->period > 0) {
    const auto phase = static_cast<Tick>(random_[node].below_large(static_cast<std::uint64_t>(plan_->period)));
    clocks_[node] = {phase / plan_->period_parts, phase % plan_->period_parts};
  }
  schedule_next(node, -1);
}

void Traffic::add(std::uint32_t node, Tick when, bool creates) {
  calendar_[static_cast<std::size_t>(when) % calendar_.size()].push_back(node | (creates ? kCreates : 0));
}

// Enters the next message of a node into the calendar, or an intermediate entry if it is beyond the last day.
void Traffic::schedule_next(std::uint32_t node, Tick now) {
  if (plan_->period == 0) {
    bool creates = false;
    const std::uint32_t gap = gaps_.draw(random_[node], creates);
    return add(node, now + gap, creates);
  }
  Clock& clock = clocks_[node];
  if (clock.when <= now) {  // it has just created a message; waiting time is not made up for
    const Tick parts = clock.parts + plan_->period;
    clock = {now + parts / plan_->period_parts, parts % plan_->period_parts};
  }
  const Tick day = std::min(clock.when, now + Tick{Gaps::kLongest});
  add(node, day, day == clock.when);
}

std::uint32_t Traffic::destination(std::uint32_t node) {
  if (plan_->pattern == Pattern::kTable) return plan_->table[node];
  if (plan_->pattern == Pattern::kAllToAll)
    return static_cast<std::uint32_t>((node + 1 + turn_[node]++ % (nodes_ - 1)) % nodes_);
  if (plan_->pattern == Pattern::kGroupShift) {
    const std::uint32_t group = (node / plan_->group_nodes + plan_->group_shift) % (nodes_ / plan_->group_nodes);
    return group * plan_->group_nodes + random_[node].below(plan_->group_nodes);
  }
  if (plan_->pattern == Pattern::kHotSpot && random_[node]() < plan_->hot_chance) {
    const std::uint32_t hot = plan_->table[random_[node].below(static_cast<std::uint32_t>(plan_->table.size()))];
    if (hot != node) return hot;
  }
  const std::uint32_t other = random_[node].below(nodes_ - 1);
  return other + (other >= node ? 1 : 0);
}

// In all-to-all traffic every node creates the same number of messages, so that rounds end together; if the total is
// not a multiple of the number of nodes, the first nodes create one more each.
bool Traffic::is_done(std::uint32_t node) const {
  if (plan_->max_created == 0) return false;
  if (plan_->pattern != Pattern::kAllToAll) return created_ == plan_->max_created;
  return turn_[node] == plan_->max_created / nodes_ + (node < plan_->max_created % nodes_ ? 1 : 0);
}

// Creates the next message of a node, unless it is done.
bool Traffic::send(std::uint32_t node, std::vector<NewMessage>& out) {
  if (is_done(node)) return false;
  ++created_;
  const std::uint32_t to = destination(node);
  std::uint64_t bits = plan_->shortest_bits;
  if (plan_->longest_bits > plan_->shortest_bits) {
    const std::uint64_t steps = (plan_->longest_bits - plan_->shortest_bits) / 8 + 1;
    bits += 8 * std::uint64_t{random_[node].below(static_cast<std::uint32_t>(steps))};
  }
  out.push_back({node, to, bits, kUnlisted});
  return true;
}

void Traffic::create(Tick now, std::uint64_t alive, std::vector<NewMessage>& out) {
  const auto full = [&] { return plan_->max_in_flight != 0 && alive + out.size() >= plan_->max_in_flight; };
  if (plan_->pattern == Pattern::kList) {
    const auto create_first = [&](DueQueue& queue) {
      const std::uint32_t i = queue.top().second;
      queue.pop();
      ++created_;
      out.push_back({plan_->source[i], plan_->destination[i], plan_->bits[i], i});
    };
    while (!due_.empty() && due_.top().first <= now && !full()) create_first(due_);
    while (!local_due_.empty() && local_due_.top().first <= now) create_first(local_due_);
    return;
  }
  while (!waiting_.empty() && !full()) {
    const std::uint32_t node = waiting_.front();
    waiting_.pop_front();
    if (send(node, out)) schedule_next(node, now);
  }
  auto& today = calendar_[static_cast<std::size_t>(now) % calendar_.size()];
  for (const std::uint32_t entry : today) {
    const std::uint32_t node = entry & ~kCreates;
    const bool creates = (entry & kCreates) != 0;
    if (creates && full() && !is_done(node)) {
      waiting_.push_back(node);
    } else if (!creates || send(node, out)) {
      schedule_next(node, now);
    }
  }
  today.clear();
}

void Traffic::arrived(std::uint32_t listed, Tick now) {
  if (listed == kUnlisted) return;
  for (std::uint32_t k = plan_->successor_starts[listed]; k < plan_->successor_starts[listed + 1]; ++k) {
    const std::uint32_t next = plan_->successors[k];
    if (--missing_predecessors_[next] == 0) schedule_listed(next, now);
  }
}

bool Traffic::ended() const {
  if (plan_->pattern == Pattern::kList) return due_.empty() && local_due_.empty();
  return plan_->max_created != 0 && created_ == plan_->max_created;
}

Tick Traffic::next(Tick now) const {
  if (plan_->pattern == Pattern::kList) {
    if (ended()) return now + 1;
    if (due_.empty() || local_due_.empty()) return (due_.empty() ? local_due_ : due_).top().first;
    return std::min(due_.top().first, local_due_.top().first);
  }
  if (!waiting_.empty()) return now;
  Tick day = now;
  while (day <= now + Tick{Gaps::kLongest} && calendar_[static_cast<std::size_t>(day) % calendar_.size()].empty())
    ++day;
  return day;
}

}  // namespace isoplane::sim
