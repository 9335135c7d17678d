// Local search over shortest-path tables: moves single entries so that no link carries much more than the others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "isoplane/reach.hpp"

namespace isoplane {

// The loads of a table of shortest paths, if each switch sends weight[from] * weight[to] units to each other one, and
// moves that change them. Each column of the table is a tree of routes to one destination. A move replaces one entry by
// another port that also leads nearer, and the traffic through that switch to that destination follows it. A move is
// kept unless it increases the sum of the 32nd powers of all loads, which approximates the heaviest one.
class Balancer {
 public:
  // The table is that of `minimal_columns`, with kArrived on the diagonal; it is changed in place.
  Balancer(Cables cables, const std::int64_t* weight, std::uint16_t* table, std::uint64_t seed);

  // Tries moves of random switches, as many in turn as there are switches for each destination in random order: entries
  // and flows to one destination are close together in memory.
  void run(std::uint64_t moves, double threshold);

  std::int64_t heaviest() const;
  // The sum of all loads, which no move changes.
  std::int64_t total() const;

 private:
  static constexpr std::uint16_t kArrived = 0xFFFF;

  std::size_t at(std::size_t here, std::size_t goal) const { return goal * cables_.switches + here; }
  std::size_t peer(std::size_t here, std::size_t port) const {
    return static_cast<std::size_t>(cables_.peer[here * cables_.ports + port]);
  }
  std::size_t below(std::size_t bound) { return static_cast<std::size_t>((random_() >> 32) * bound >> 32); }

  double cost(std::int64_t load) const;
  void measure_hops();
  void measure_loads(const std::int64_t* weight);
  // Another port of a switch that leads nearer to a destination, at random; the present one if there is none.
  std::uint16_t alternative(std::size_t here, std::size_t goal);
  void draw_goal();
  void try_move(std::size_t here, std::size_t goal, double threshold);
  // Adds units to the loads of the route that begins with a port, up to the switch `end`.
  void reroute(std::size_t here, std::uint16_t port, std::size_t goal, std::size_t end, std::int64_t units);

  Cables cables_;
  std::uint16_t* table_;
  std::mt19937_64 random_;
  std::uint64_t moved_ = 0;
  std::size_t place_ = 0;              // of the present destination
  std::vector<std::size_t> goals_;     // all destinations in random order, up to `place_` in this round
  std::vector<std::uint16_t> port_;    // [goal][here]: the table
  std::vector<std::uint16_t> hops_;    // [goal][here]
  std::vector<std::int64_t> flow_;     // [goal][here]: units that pass through a switch, its own included
  std::vector<std::int64_t> load_;     // [here][port]
  std::vector<std::uint16_t> nearer_;  // ports that lead nearer, while one is chosen
  double per_mean_ = 1;                // 1 / mean load
};

}  // namespace isoplane
