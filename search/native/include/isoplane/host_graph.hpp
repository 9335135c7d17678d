// Host graphs: switches with hosts and a number of ports, joined by simple graphs of cables in one or more planes. All
// planes have the same switches, each with the same hosts in all of them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "isoplane/random.hpp"

namespace isoplane {

class HostGraph {
 public:
  using Edge = std::array<std::uint32_t, 2>;
  // The number of switches, the hosts of each, and of each plane the number of cables and both ends of each.
  using Words = std::vector<std::uint32_t>;

  // Hosts as even as can be, the last switches with more, without cables.
  HostGraph(std::uint32_t switches, std::uint32_t ports, std::uint32_t planes, std::uint32_t hosts);
  // Throws std::invalid_argument unless the words are a graph with as many hosts within the ports.
  HostGraph(const Words& words, std::uint32_t ports, std::uint32_t planes, std::uint32_t hosts);
  Words words() const;

  std::uint32_t switches() const { return switches_; }
  std::uint32_t ports() const { return ports_; }
  std::uint32_t planes() const { return static_cast<std::uint32_t>(planes_.size()); }
  const std::vector<std::uint32_t>& hosts() const { return hosts_; }  // of each switch
  const std::vector<Edge>& edges(std::uint32_t plane) const { return planes_[plane].edges; }
  const std::vector<std::uint32_t>& degrees(std::uint32_t plane) const { return planes_[plane].degree; }
  std::uint32_t degree(std::uint32_t plane, std::uint32_t at) const { return planes_[plane].degree[at]; }
  // The neighbours of a switch in a plane.
  const std::uint32_t* next(std::uint32_t plane, std::uint32_t at) const {
    return planes_[plane].next.data() + std::size_t{at} * stride_;
  }
  // The words of a bit for each neighbour.
  const std::uint64_t* row(std::uint32_t plane, std::uint32_t at) const {
    return planes_[plane].rows.data() + std::size_t{at} * words_;
  }
  std::size_t row_words() const { return words_; }
  bool joined(std::uint32_t plane, std::uint32_t one, std::uint32_t other) const {
    return (row(plane, one)[other / 64] >> other % 64 & 1) != 0;
  }
  std::uint32_t free_ports(std::uint32_t plane, std::uint32_t at) const {
    return ports_ - hosts_[at] - degree(plane, at);
  }
  // Whether each plane joins all switches.
  bool is_connected() const;

  // Changes; ends of edges are different switches that are not joined, with free ports at the end of a move.
  void add(std::uint32_t plane, Edge edge);
  void drop(std::uint32_t plane, std::size_t number);                // the last edge gets its number
  void restore(std::uint32_t plane, std::size_t number, Edge edge);  // one that was dropped
  void replace(std::uint32_t plane, std::size_t number, Edge edge);
  void move_host(std::uint32_t from, std::uint32_t to);
  void add_switch();  // without hosts and cables

 private:
  struct Plane {
    std::vector<Edge> edges;
    std::vector<std::uint32_t> degree, next;
    std::vector<std::uint64_t> rows;
  };
  void connect(Plane& plane, Edge edge);
  void disconnect(Plane& plane, Edge edge);

  std::uint32_t switches_, ports_;
  std::size_t words_;
  std::size_t stride_;  // of neighbours: one more than ports, since moves take cables before they free ports
  std::vector<std::uint32_t> hosts_;
  std::vector<Plane> planes_;
};

// Moves of cables and hosts, each drawn and made; the last one can be undone.
class HostMove {
 public:
  // A plane has at most `cables` cables.
  explicit HostMove(std::size_t cables) : cables_(cables) {}

  // Draws and makes a move; false, without a change, if the one drawn is impossible.
  bool make(HostGraph& graph, Random& random);
  bool exchange(HostGraph& graph, Random& random);  // of ends of two cables (2-opt), while hosts stay
  bool join(HostGraph& graph, Random& random);      // of two free ports, by a new cable
  // Uses free ports: joins two switches that have some, or a switch with two to both ends of a cable that it divides,
  // or moves the end of a cable there. False, without a change, if the one drawn is impossible.
  bool fill(HostGraph& graph, Random& random);
  void undo(HostGraph& graph);

 private:
  enum class Kind : std::uint8_t { kAdd, kDrop, kReplace, kHost };
  struct Change {
    Kind kind;
    std::uint32_t plane;
    std::size_t number;
    HostGraph::Edge before;
  };
  bool exchange_ends(HostGraph& graph, Random& random);
  bool join_one(HostGraph& graph, Random& random, std::uint32_t plane, std::uint32_t one);
  bool swing(HostGraph& graph, Random& random);  // a host changes places with an end of a cable in each plane
  void replace(HostGraph& graph, std::uint32_t plane, std::size_t number, HostGraph::Edge edge);

  std::size_t cables_;
  std::vector<Change> changes_;
};

}  // namespace isoplane
