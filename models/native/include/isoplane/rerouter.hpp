// Repair of forwarding tables after cables or switches have been lost.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "isoplane/reach.hpp"

namespace isoplane {

// Fills hops[from][to], the number of hops of a shortest path between two different switches; entries without
// a path are left unchanged.
void shortest_hops(Cables cables, std::uint16_t* hops);

// A table of next ports by column and switch, of which some entries no longer lead to their target. An entry is kept if
// the route along the given entries still arrives, or if its port leads nearer to the target. Every other entry gets a
// port that leads nearer: of these, the one with the least load so far, the lowest of equals. Kept routes consist of
// kept entries, and all other entries lead nearer, so no route has a loop. Afterwards, `relieve` moves routes away from
// heavy links.
class Rerouter {
 public:
  // Column c leads to switch target[c]; switch s sends senders[s] * receivers[c] * share[c][s] units along it, or, if
  // `share` is null, senders[s] * receivers[c]. Every switch must have a path to every target. The table is changed in
  // place.
  Rerouter(Cables cables, const std::int32_t* target, const std::int64_t* senders, const std::int64_t* receivers,
           const std::uint16_t* share, std::size_t columns, std::uint16_t* table);

  // Repairs columns first to first + count, by the loads of the columns before; once for every column, in order.
  void run(std::size_t first, std::size_t count);

  // Relieves the links whose load exceeds a limit, for the routes of columns first to first + count, which have been
  // repaired: an entry whose route takes such a link gets the port that leads nearer and decreases the sum of the 32nd
  // powers of all loads most, if any decreases it. That sum approximates the heaviest load, as in `Balancer`.
  void relieve(std::size_t first, std::size_t count, std::int64_t limit);

  std::int64_t heaviest() const { return load_.empty() ? 0 : *std::max_element(load_.begin(), load_.end()); }

  // Number of entries for which `relieve` has compared ports.
  std::uint64_t tried() const { return tried_; }

  // Hops of the longest route of the columns repaired so far.
  std::size_t longest() const { return deepest_.empty() ? 0 : *std::max_element(deepest_.begin(), deepest_.end()); }

 private:
  static constexpr std::uint16_t kArrived = 0xFFFF;
  enum class Mark : std::uint8_t { kNone, kUnknown, kOnPath, kArrives, kBroken };

  // The switch at a port, or -1 if the port does not exist or has no cable.
  std::int32_t peer(std::size_t here, std::uint16_t port) const {
    return port < cables_.ports ? cables_.peer[here * cables_.ports + port] : -1;
  }
  // The switch at a port that has a cable.
  std::size_t after(std::size_t here, std::uint16_t port) const { return static_cast<std::size_t>(peer(here, port)); }
  std::size_t link(std::size_t here, std::uint16_t port) const { return here * cables_.ports + port; }
  // The ports of another switch that lead nearer to a target, at least one, ascending.
  std::span<const std::uint16_t> nearer_ports(std::size_t to, std::size_t here);
  // Lists the switches whose entries of a column do not lead nearer to its target in `detours_`, and the next switches
  // in `after_`.
  void list_detours(std::size_t column);
  // Lists the switches whose entries of a column have to be chosen in `broken_`.
  void find_broken(std::size_t column);
  void choose(std::size_t column);
  // The hops along the routes of a column from each switch, in `depth_`.
  void measure_depths(std::size_t column);
  // Lists the switches by descending depth in `order_`, the lowest of equals first.
  void sort_by_depth(const std::uint16_t* depth);
  // Lists the switches by descending hops along the routes of a column in `order_`, and the traffic through each of
  // them in `flow_`.
  void accumulate(std::size_t column);
  // Adds the accumulated traffic of a column to the loads of the links on its routes.
  void add_loads(std::size_t column);
  void relieve_column(std::size_t column, std::int64_t limit);
  // Returns whether the entry has changed.
  bool relieve_entry(std::size_t column, std::size_t here);
  // The change of the sum of powers if the traffic through a switch left by a port, up to the present route of that
  // switch, whose links are in `path_`; `least` if it is not less than that, or that would make a loop.
  double change_by(std::size_t column, std::size_t here, std::uint16_t port, double least) const;
  void add_along(std::size_t column, std::size_t here, std::uint16_t port, std::size_t end, std::int64_t units);
  double cost(std::int64_t load) const;

  Cables cables_;
  const std::int32_t* target_;
  const std::int64_t* senders_;
  const std::int64_t* receivers_;
  const std::uint16_t* share_;            // [column][switch]
  std::uint16_t* table_;                  // [column][switch]
  std::vector<std::uint16_t> hops_;       // [target][switch]
  std::vector<std::int64_t> load_;        // [switch][port]
  std::vector<std::uint32_t> deepest_;    // of each column: hops of its longest route
  std::vector<std::uint8_t> is_minimal_;  // of each column: whether all its entries lead nearer to its target
  std::vector<Mark> mark_;                // all kNone between calls
  std::vector<std::uint8_t> is_heavy_;
  std::size_t sorted_for_;             // the target whose minimal routes `order_` fits; the number of switches if none
  std::size_t nearer_to_;              // the target of `nearer_`; the number of switches if none
  std::vector<std::uint16_t> nearer_;  // [switch][port]: of each listed switch, the ports that lead nearer
  std::vector<std::size_t> nearer_count_;
  std::vector<std::uint8_t> is_listed_;
  std::vector<std::int32_t> after_;
  std::vector<std::uint16_t> depth_;
  std::vector<std::uint32_t> order_, path_, detours_, broken_, heavy_, begin_;
  std::vector<std::int64_t> flow_;
  std::vector<double> cost_;        // [switch][port]: of the load, while relieving
  std::vector<double> saved_;       // by the links of `path_`: decrease of the sum of powers up to each of them
  std::vector<std::size_t> place_;  // index of a switch on the present route; only where `mark_` is kOnPath
  std::uint64_t tried_ = 0;
  double per_heaviest_ = 1;  // 1 / heaviest load
};

}  // namespace isoplane
