// Traffic: sources, destinations, sizes and creation times of messages.
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

inline constexpr std::uint32_t kUnlisted = 0xFFFFFFFF;  // in a table: this node sends nothing

enum class Pattern { kUniform, kTable, kHotSpot, kAllToAll, kGroupShift, kList };

struct TrafficPlan {
  Pattern pattern = Pattern::kUniform;
  std::vector<std::uint32_t> table;  // kTable: destination of every node; kHotSpot: the hot nodes
  std::uint64_t hot_chance = 0;      // probability of a hot destination, in units of 2^-64
  // kGroupShift: nodes of a group, and how many groups further its messages go, each to a random node of that group.
  std::uint32_t group_nodes = 0, group_shift = 0;
  std::uint64_t chance = 0;           // probability of a message per node and tick, in units of 2^-64
  bool certain = false;               // instead: one message per tick
  Tick period = 0, period_parts = 1;  // instead: one per period / period_parts ticks, at a random phase
  std::uint64_t shortest_bits = 2048, longest_bits = 2048;  // size of a message, in steps of 8
  std::uint64_t max_created = 0;                            // total number of messages; 0: unlimited
  std::uint64_t max_in_flight = 0;                          // limit on messages in the network; 0: none

  // kList: a message is created `delay` ticks after all its predecessors have arrived. One from a node to itself is
  // local: it arrives when it is created, whatever the limit on messages in the network, and may be empty.
  std::vector<std::uint32_t> source, destination;
  std::vector<std::uint64_t> bits;
  std::vector<Tick> delay;
  std::vector<std::uint32_t> predecessors;      // by message: number of its predecessors
  std::vector<std::uint32_t> successor_starts;  // [message + 1]
  std::vector<std::uint32_t> successors;

  // Throws std::invalid_argument if the values are inconsistent.
  void check(std::uint32_t nodes) const;
};

struct NewMessage {
  std::uint32_t source, destination;
  std::uint64_t bits;
  std::uint32_t listed;  // index in the list, or kUnlisted
};

// Generator of the messages of every tick.
class Traffic {
 public:
  Traffic(const TrafficPlan& plan, std::uint32_t nodes, std::uint64_t seed);

  // Appends the messages of this tick, with `alive` messages in the network. Ticks are consecutive, except for those
  // that `next` allows the caller to skip. A tick is repeated while local messages arrive, since others wait for them.
  void create(Tick now, std::uint64_t alive, std::vector<NewMessage>& out);
  void arrived(std::uint32_t listed, Tick now);
  bool ended() const;
  // The earliest tick in which the next message may be created.
  Tick next(Tick now) const;
  // Number of nodes whose message waits because of the limit on messages in the network.
  std::size_t waiting() const { return waiting_.size(); }

 private:
  // Creation time of the next message of a node: tick, and fraction in units of 1 / period_parts ticks.
  struct Clock {
    Tick when, parts;
  };

  void schedule_listed(std::uint32_t listed, Tick now);
  void start(std::uint32_t node);
  void schedule_next(std::uint32_t node, Tick now);
  void add(std::uint32_t node, Tick when, bool creates);
  bool is_done(std::uint32_t node) const;
  bool send(std::uint32_t node, std::vector<NewMessage>& out);
  std::uint32_t destination(std::uint32_t node);

  const TrafficPlan* plan_;
  std::uint32_t nodes_;
  Gaps gaps_;
  std::vector<Random> random_;
  std::vector<std::uint64_t> turn_;                   // kAllToAll: number of messages created, by node
  std::vector<std::vector<std::uint32_t>> calendar_;  // nodes by tick; the top bit marks a successful trial
  std::vector<Clock> clocks_;                         // by node, for periodic traffic
  std::deque<std::uint32_t> waiting_;                 // nodes, in order of arrival
  std::uint64_t created_ = 0;
  std::vector<std::uint32_t> missing_predecessors_;
  using Due = std::pair<Tick, std::uint32_t>;
  using DueQueue = std::priority_queue<Due, std::vector<Due>, std::greater<>>;
  DueQueue due_, local_due_;  // listed messages by the time of their creation
};

}  // namespace isoplane::sim
