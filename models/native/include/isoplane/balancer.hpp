// Local search over shortest-path tables: moves single entries so that no link carries much more than the others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "isoplane/reach.hpp"

namespace isoplane {

// The columns of a table of next ports, each to a switch: table[switch * count + column], which is changed in place. It
// has kArrived at that switch, and kNoRoute where no packet passes.
struct Columns {
  std::size_t count;
  const std::int32_t* target;
  const std::int64_t* receivers;
  std::uint16_t* table;
};

// The loads of a table of shortest paths, if each switch sends senders[from] * receivers[column] units along each
// column, and moves that change them. Each column of the table is a tree of routes to one destination. A move replaces
// one entry by another port that also leads nearer, and the traffic through that switch to that destination follows it.
// A move is kept unless it increases the sum of the 32nd powers of all loads, which approximates the heaviest one.
//
// With depths of switches, which differ, a hop to a smaller depth is up. A move then replaces up hops by up hops and
// down hops by down hops, and none leads down to a switch that sends up: an up*/down* table remains one.
class Balancer {
 public:
  // Depths may be null.
  Balancer(Cables cables, Columns columns, const std::int64_t* senders, const std::int32_t* depth, std::uint64_t seed);

  // Adds the loads of the routes in some columns; once for each column, before `run`.
  void measure(std::size_t first, std::size_t count);

  // Tries moves of random switches, as many in turn as there are switches for each column in random order: entries and
  // flows of one column are close together in memory.
  void run(std::uint64_t moves, double threshold);

  std::int64_t heaviest() const;
  // The sum of all loads, which no move changes.
  std::int64_t total() const;

 private:
  static constexpr std::uint16_t kArrived = 0xFFFF, kNoRoute = 0xFFFE;
  static constexpr std::uint16_t kNoHops = 0xFFFF;

  std::size_t at(std::size_t here, std::size_t goal) const { return goal * cables_.switches + here; }
  std::size_t end_of(std::size_t goal) const { return static_cast<std::size_t>(columns_.target[goal]); }
  std::size_t peer(std::size_t here, std::size_t port) const {
    return static_cast<std::size_t>(cables_.peer[here * cables_.ports + port]);
  }
  std::size_t below(std::size_t bound) { return static_cast<std::size_t>((random_() >> 32) * bound >> 32); }

  bool leads_up(std::size_t here, std::uint16_t port) const {
    return port < cables_.ports && depth_[peer(here, port)] < depth_[here];
  }
  // Whether up*/down* routes may take a port in place of the present one.
  bool keeps_order(std::size_t here, std::size_t goal, std::uint16_t port) const;

  double cost(std::int64_t load) const;
  void measure_hops(std::size_t goal);
  void measure_loads(std::size_t goal);
  // Another port of a switch that leads nearer to a destination, at random; the present one if there is none.
  std::uint16_t alternative(std::size_t here, std::size_t goal);
  void draw_goal();
  void try_move(std::size_t here, std::size_t goal, double threshold);
  // Adds units to the loads of the route that begins with a port, up to the switch `end`.
  void reroute(std::size_t here, std::uint16_t port, std::size_t goal, std::size_t end, std::int64_t units);

  Cables cables_;
  Columns columns_;
  const std::int64_t* senders_;
  const std::int32_t* depth_;
  std::mt19937_64 random_;
  std::uint64_t moved_ = 0;
  std::size_t place_ = 0;              // of the present column
  std::vector<std::size_t> goals_;     // all columns in random order, up to `place_` in this round
  std::vector<std::uint16_t> port_;    // [goal][here]: the table
  std::vector<std::uint16_t> hops_;    // [goal][here]; kNoHops without a route
  std::vector<std::int64_t> flow_;     // [goal][here]: units that pass through a switch, its own included
  std::vector<std::int64_t> load_;     // [here][port]
  std::vector<std::uint16_t> nearer_;  // ports that lead nearer, while one is chosen
  double per_mean_ = 1;                // 1 / mean load
};

}  // namespace isoplane
