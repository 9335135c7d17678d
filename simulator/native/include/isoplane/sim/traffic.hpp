// Who sends what to whom, and when.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

#include "isoplane/sim/plan.hpp"
#include "isoplane/sim/random.hpp"

namespace isoplane::sim {

inline constexpr std::uint32_t kSilent = 0xFFFFFFFF;  // in a table: this node sends nothing

enum class Pattern { kUniform, kTable, kHotSpot, kAllToAll, kList };

struct TrafficPlan {
  Pattern pattern = Pattern::kUniform;
  std::vector<std::uint32_t> table;   // kTable: destination of every node; kHotSpot: the hot nodes
  std::uint64_t hot_chance = 0;       // of a message to go to a hot node, in units of 2^-64
  std::uint64_t chance = 0;           // of a node to create a message in a tick, in units of 2^-64
  bool certain = false;               // or one in every tick
  Tick period = 0, period_parts = 1;  // or one in every period / period_parts ticks, at a phase drawn for each node
  std::uint64_t shortest_bits = 2048, longest_bits = 2048;  // of a message, in steps of 8
  std::uint64_t most_created = 0;                           // messages in all; 0: without end
  std::uint64_t most_alive = 0;                             // messages in the network at a time; 0: any number

  // kList: messages that are created `delay` ticks after all their predecessors arrived.
  std::vector<std::uint32_t> source, destination;
  std::vector<std::uint64_t> bits;
  std::vector<Tick> delay;
  std::vector<std::uint32_t> predecessors;      // how many
  std::vector<std::uint32_t> successor_starts;  // [message + 1]
  std::vector<std::uint32_t> successors;

  // Throws std::invalid_argument where the numbers do not fit together.
  void check(std::uint32_t nodes) const;
};

struct NewMessage {
  std::uint32_t source, destination;
  std::uint64_t bits;
  std::uint32_t listed;  // number in the list, or kSilent
};

// Yields the messages of every tick.
class Traffic {
 public:
  Traffic(const TrafficPlan& plan, std::uint32_t nodes, std::uint64_t seed);

  // Messages that are created in this tick, while `alive` are in the network; ticks come one by one or are skipped
  // where `next` allows it.
  void create(Tick now, std::uint64_t alive, std::vector<NewMessage>& out);
  void arrived(std::uint32_t listed, Tick now);
  bool ended() const;
  // No message is created before this tick.
  Tick next(Tick now) const;
  // Nodes whose message is due while as many are in the network as may be.
  std::size_t waiting() const { return waiting_.size(); }

 private:
  // When a node creates its next message: `when`, and so many parts of a tick later.
  struct Clock {
    Tick when, parts;
  };

  void start(std::uint32_t node);
  void plan_next(std::uint32_t node, Tick now);
  void add(std::uint32_t node, Tick when, bool creates);
  bool is_done(std::uint32_t node) const;
  bool send(std::uint32_t node, std::vector<NewMessage>& out);
  std::uint32_t destination(std::uint32_t node);

  const TrafficPlan* plan_;
  std::uint32_t nodes_;
  Gaps gaps_;
  std::vector<Random> random_;
  std::vector<std::uint64_t> turn_;                   // kAllToAll: how many messages a node has created
  std::vector<std::vector<std::uint32_t>> calendar_;  // nodes by tick; the top bit says that a trial succeeds then
  std::vector<Clock> clocks_;                         // of periodic nodes
  std::deque<std::uint32_t> waiting_;                 // nodes, the first to wait first
  std::uint64_t created_ = 0;
  std::vector<std::uint32_t> waiting_for_;
  using Due = std::pair<Tick, std::uint32_t>;
  std::priority_queue<Due, std::vector<Due>, std::greater<>> due_;
};

}  // namespace isoplane::sim
