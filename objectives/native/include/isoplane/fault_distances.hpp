// Distances between nodes after the loss of any one cable between switches, or of any one switch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "isoplane/general.hpp"

namespace isoplane {

enum class Fault { kCable, kSwitch };

// What the losses do to the distances from some nodes.
struct FaultSums {
  std::int64_t diameter = 0;  // largest distance that a loss makes longer; 0 if none is
  std::int64_t beyond = 0;    // by how much they exceed a diameter, added up over losses and pairs of groups
};

// Searches from one source at a time. A loss changes few of the distances from a source: those of switches all of whose
// shortest paths it is on. They begin at a switch whose only nearer neighbour is lost, or the only cable to it, and go
// on to switches that have only such neighbours, which are found, and searched anew, without the others.
class FaultDistances {
 public:
  // Nodes of a group reach each other without a cable. Every two groups are connected in some plane; a pair that a loss
  // disconnects is at the distance `far`. `groups.nodes` is the number of nodes in each.
  FaultDistances(std::vector<Cables> planes, NodeGroups groups, std::int64_t far);

  // Numbers of the links, over all planes: a cable has that of one of its ends.
  std::size_t links() const { return links_; }
  // For graphs that change: the cables of all planes are others now.
  void recable();

  // Adds what each loss does to the distances from the nodes of a group. With `longer`, adds to the entry of each lost
  // cable the hops, over all pairs of nodes, by which distances grow. The loss of a switch leaves out nodes without any
  // other. Stops, with less, if `beyond` exceeds `most`.
  void add(std::size_t source, Fault fault, std::int64_t diameter, FaultSums& sums, std::int64_t* longer,
           std::int64_t most);

 private:
  struct Plane {
    Cables cables;
    std::size_t first;                 // number of its first link
    std::vector<std::uint32_t> cable;  // of each port: that of the first cable between its ends
    std::vector<std::uint32_t> start;  // [switch]: its groups
    std::vector<std::uint32_t> group;
    std::vector<std::int32_t> hops, after;              // from the source, and after a loss
    std::vector<std::int32_t> parents;                  // cables to nearer neighbours
    std::vector<std::uint32_t> parent;                  // the first of these neighbours
    std::vector<std::int32_t> lost;                     // of these, those to a neighbour that is farther after the loss
    std::vector<std::uint32_t> order, affected;         // switches by distance; those that are farther after the loss
    std::vector<std::uint32_t> open, touched;           // of these, those without a settled distance; those with `lost`
    std::vector<std::uint8_t> is_affected, has_others;  // whether it has other nearer neighbours than `parent`
    std::vector<std::uint8_t> is_only;                  // whether some switch has no other nearer neighbour
    std::vector<std::uint8_t> has_level, has_farther;   // whether a neighbour is as far, or farther
  };
  void search(Plane& plane, const NodeLinks& links, std::size_t source);
  void lose(Plane& plane, std::uint32_t seed, bool is_switch);
  void lose_last_cable(Plane& plane, std::uint32_t seed);
  void restore(Plane& plane);
  bool is_left(std::size_t group, const Plane& plane, std::uint32_t lost) const;
  std::int64_t distance_after(std::size_t group) const;
  bool collect(std::size_t source, Plane& plane, const std::uint32_t* lost, std::int64_t diameter, FaultSums& sums,
               std::int64_t* longer, std::int64_t most);

  std::vector<Plane> planes_;
  NodeGroups groups_;
  std::int64_t far_;
  std::size_t links_ = 0;
  std::vector<std::int64_t> hops_;      // of each group from the source, over all planes
  std::vector<std::uint64_t> visited_;  // of each group: the loss that it was counted for last
  std::uint64_t loss_ = 0;
};

}  // namespace isoplane
