// Local search for the assignment of switches to racks with the least total cable length.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include "isoplane/reach.hpp"

namespace isoplane {

// Racks on a floor, in millimetres: a cable within a rack has the length `inside`, a cable between racks the Manhattan
// distance of their places plus `slack`.
struct Floor {
  std::vector<std::int64_t> across, deep;  // of each place
  std::int64_t inside, slack;
  std::size_t max_switches;  // per rack
  std::int64_t max_nodes;    // per rack
};

// Threshold accepting (Dueck and Scheuer, 1990): a move is kept if it lengthens the cables by at most a threshold,
// which the caller lowers to 0. A move exchanges two switches, takes one to an empty slot, or exchanges the places of
// two racks; capacities are never exceeded.
class RackSearch {
 public:
  // The places of the switches are within the capacities, and every place has a rack.
  RackSearch(Cables cables, const std::int64_t* nodes, const std::int32_t* place, Floor floor, std::uint64_t seed);

  void run(std::uint64_t moves, std::int64_t threshold);

  // Total length of all cables, each counted once.
  std::int64_t length() const { return length_; }
  std::size_t place(std::size_t switch_id) const { return static_cast<std::size_t>(place_[switch_id]); }

 private:
  static constexpr std::size_t kTabulated = 2048;  // racks whose distances fit into 16 MiB
  static constexpr std::int32_t kEmpty = -1;

  std::size_t below(std::size_t bound) { return static_cast<std::size_t>((random_() >> 32) * bound >> 32); }
  std::int32_t peer(std::size_t switch_id, std::size_t port) const {
    return cables_.peer[switch_id * cables_.ports + port];
  }

  // The other ends of the cables of a switch.
  std::span<const std::uint32_t> neighbours(std::size_t switch_id) const {
    return {neighbour_.data() + begin_[switch_id], begin_[switch_id + 1] - begin_[switch_id]};
  }
  // The length of a cable between two places.
  std::int64_t distance(std::size_t place, std::size_t other) const {
    return distance_.empty() ? measured(place, other) : distance_[place * racks_ + other];
  }

  std::int64_t measured(std::size_t place, std::size_t other) const;
  void tabulate();
  void list_neighbours();
  // Returns sum(added), where added(at) is by how much a cable to a place gets longer if its other end moves.
  template <class Sum>
  std::int64_t added_up(std::size_t from, std::size_t to, const Sum& sum) const {
    if (distance_.empty()) return sum([=, this](std::size_t at) { return measured(to, at) - measured(from, at); });
    const std::int32_t *later = distance_.data() + to * racks_, *now = distance_.data() + from * racks_;
    return sum([=](std::size_t at) { return later[at] - now[at]; });
  }
  // By how much the cables of a switch to all switches but one get longer if it moves to another rack.
  std::int64_t lengthening(std::size_t switch_id, std::size_t rack, std::int32_t except) const;
  std::int64_t lengthening_by_exchange(std::size_t rack, std::size_t other) const;
  // Another rack: half the time one that a cable of the switch leads to.
  std::size_t target_rack(std::size_t switch_id);
  void try_switch(std::int64_t threshold);
  void try_racks(std::int64_t threshold);

  Cables cables_;
  std::vector<std::int64_t> nodes_;  // at each switch
  Floor floor_;
  std::mt19937_64 random_;
  std::size_t racks_, slots_per_rack_;
  std::vector<std::int32_t> distance_;  // [place][place]; empty if there are too many, or they are too long
  std::vector<std::size_t> begin_;      // of the neighbours of each switch
  std::vector<std::uint32_t> neighbour_;
  std::vector<std::int32_t> place_;           // of each switch
  std::vector<std::size_t> rack_, place_of_;  // of each switch; of each rack
  std::vector<std::size_t> slot_;             // of each switch
  std::vector<std::int32_t> switch_at_;       // the switch in each slot, [rack][slot]
  std::vector<std::int64_t> load_;            // nodes in each rack
  std::int64_t length_ = 0;
};

}  // namespace isoplane
