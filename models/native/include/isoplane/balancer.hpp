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

// Planes that connect the same switches, of which each pair uses one: the switches of a table are those of the first
// plane, then those of the next. plane[source * count + column] is the plane of a pair, which is changed in place; null
// if there is one plane. A pair may take any plane whose route is at most `detour` hops longer than its shortest one.
struct PairPlanes {
  std::size_t count = 1;
  std::uint8_t* plane = nullptr;
  std::uint16_t detour = 0;
};

// The loads of a table of shortest paths, if each switch sends senders[from] * receivers[column] units along each
// column, and moves that change them. Each column of the table is a tree of routes to one destination. A move replaces
// one entry by another port that also leads nearer, and the traffic through that switch to that destination follows it.
// A move is kept unless it increases the sum of the 32nd powers of all loads, which approximates the heaviest one.
// Between several planes, every other move gives a pair another plane. The links of nodes then count as well: a node
// sends receivers[column] units over its link in the plane of a pair, and each node of a column receives
// senders[source].
//
// With depths of switches, which differ, a hop to a smaller depth is up. A move then replaces up hops by up hops and
// down hops by down hops, and none leads down to a switch that sends up: an up*/down* table remains one.
//
// A descent is a hop by a port with a lower number than that of the hop before. With a limit, no move gives a route
// more descents. The ports at both ends of a cable must then have the same number.
class Balancer {
 public:
  static constexpr std::uint8_t kAnyDescents = 0xFF;

  // Depths may be null; `descents` is the most that a route may have, with none in the table, or kAnyDescents.
  Balancer(Cables cables, Columns columns, const std::int64_t* senders, const std::int32_t* depth, std::uint64_t seed,
           PairPlanes planes = {}, std::uint8_t descents = kAnyDescents);

  // Adds the loads of the routes in some columns; once for each column, before `run`.
  void measure(std::size_t first, std::size_t count);

  // Tries moves of random switches, as many in turn as there are switches for each column in random order: entries and
  // flows of one column are close together in memory.
  void run(std::uint64_t moves, double threshold);

  // Gives pairs whose plane has a longer route than another one the shortest plane, where no load on its route exceeds
  // the heaviest one.
  void shorten();

  std::int64_t heaviest() const;
  // The sum of the loads of links between switches, which only moves to planes with longer routes change.
  std::int64_t total() const;

 private:
  static constexpr std::uint16_t kArrived = 0xFFFF, kNoRoute = 0xFFFE;
  static constexpr std::uint16_t kNoHops = 0xFFFF;

  std::size_t at(std::size_t here, std::size_t goal) const { return goal * cables_.switches + here; }
  // The first switch of the plane of a switch.
  std::size_t plane_start(std::size_t here) const { return planes_.count == 1 ? 0 : here / block_ * block_; }
  // The destination of a column in the plane of a switch.
  std::size_t end_of(std::size_t here, std::size_t goal) const {
    return plane_start(here) + static_cast<std::size_t>(columns_.target[goal]);
  }
  std::uint8_t& plane_of(std::size_t source, std::size_t goal) { return planes_.plane[source * columns_.count + goal]; }
  std::size_t peer(std::size_t here, std::size_t port) const {
    return static_cast<std::size_t>(cables_.peer[here * cables_.ports + port]);
  }
  std::size_t below(std::size_t bound) { return static_cast<std::size_t>((random_() >> 32) * bound >> 32); }

  bool leads_up(std::size_t here, std::uint16_t port) const {
    return port < cables_.ports && depth_[peer(here, port)] < depth_[here];
  }
  // Whether up*/down* routes may take a port in place of the present one.
  bool keeps_order(std::size_t here, std::size_t goal, std::uint16_t port) const;

  // The descents of the route of a switch that begins with a port, and goes on as in the table.
  std::uint8_t descents_from(std::size_t here, std::uint16_t port, std::size_t goal) const;
  // Calls change(switch, descents) for a switch whose route gets a first port and a number of descents, and for those
  // whose routes pass it, where their descents change with it; while it returns true.
  template <class Change>
  bool each_descent(std::size_t here, std::uint16_t port, std::uint8_t descents, std::size_t goal, Change&& change);
  // Whether all routes keep the limit of descents if a switch takes a port, which is then counted.
  bool keeps_descents(std::size_t here, std::uint16_t port, std::size_t goal);

  double cost(std::int64_t load) const { return power(static_cast<double>(load) * per_mean_); }
  // The same for links of nodes.
  double node_cost(std::int64_t load) const { return power(static_cast<double>(load) * per_node_mean_); }
  static double power(double load);
  void measure_hops(std::size_t goal);
  void measure_loads(std::size_t goal);
  // Another port of a switch that leads nearer to a destination, at random; the present one if there is none.
  std::uint16_t alternative(std::size_t here, std::size_t goal);
  void draw_goal();
  void try_move(std::size_t here, std::size_t goal, double threshold);
  void try_plane(std::size_t source, std::size_t goal, double threshold);
  // The fewest hops of a pair in any plane.
  std::uint16_t nearest(std::size_t source, std::size_t goal) const;
  // Gives a pair another plane.
  void move_pair(std::size_t source, std::size_t goal, std::size_t plane);
  std::int64_t heaviest_along(std::size_t here, std::size_t goal) const;
  // Places in `node_load_` of the links of the nodes of a source, and of those of a column.
  std::size_t sent_at(std::size_t plane, std::size_t source) const { return plane * block_ + source; }
  std::size_t received_at(std::size_t plane, std::size_t goal) const {
    return cables_.switches + plane * columns_.count + goal;
  }
  // The change of the cost if the loads of a route change by some units.
  double change_along(std::size_t here, std::size_t goal, std::int64_t units) const;
  // Calls use(load) with that of each link of a route.
  template <class Use>
  void along(std::size_t here, std::size_t goal, Use&& use) const {
    for (const std::size_t end = end_of(here, goal); here != end;) {
      const std::uint16_t port = port_[at(here, goal)];
      use(load_[here * cables_.ports + port]);
      here = peer(here, port);
    }
  }
  // Adds units to the loads of the route that begins with a port, up to the switch `end`.
  void reroute(std::size_t here, std::uint16_t port, std::size_t goal, std::size_t end, std::int64_t units);

  Cables cables_;
  Columns columns_;
  const std::int64_t* senders_;
  const std::int32_t* depth_;
  PairPlanes planes_;
  std::uint8_t most_descents_;
  std::size_t block_;  // switches of a plane
  std::mt19937_64 random_;
  std::uint64_t moved_ = 0;
  std::size_t place_ = 0;                // of the present column
  std::vector<std::size_t> goals_;       // all columns in random order, up to `place_` in this round
  std::vector<std::uint16_t> port_;      // [goal][here]: the table
  std::vector<std::uint16_t> hops_;      // [goal][here]; kNoHops without a route
  std::vector<std::uint8_t> descents_;   // [goal][here]: of the route, if they are limited
  std::vector<std::int64_t> flow_;       // [goal][here]: units that pass through a switch, its own included
  std::vector<std::int64_t> load_;       // [here][port]
  std::vector<std::int64_t> node_load_;  // of links of nodes, if there are planes
  std::vector<std::uint16_t> nearer_;    // ports that lead nearer, while one is chosen
  double per_mean_ = 1;                  // 1 / mean load
  double per_node_mean_ = 1;             // 1 / mean load of links of nodes, or 1 / mean load if that is lower
};

}  // namespace isoplane
