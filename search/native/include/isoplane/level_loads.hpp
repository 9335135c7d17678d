// Loads of links when the messages of a workload are sent level by level over two planes of cubes.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "isoplane/basis.hpp"

namespace isoplane {

// Messages by level, added up over equal levels and over equal ends; nodes are numbered switch by switch.
struct LevelTask {
  int n = 0;
  bool folded = false;
  std::uint32_t nodes_per_switch = 1;
  std::vector<std::uint32_t> level_start;          // of its messages; one more than there are levels
  std::vector<std::int64_t> repetitions;           // of each level
  std::vector<std::uint32_t> source, destination;  // nodes, which differ
  std::vector<std::int64_t> bytes;                 // over a single plane
  std::vector<std::int64_t> half;                  // over plane 0, if both planes are equally near

  void check() const;  // throws std::invalid_argument if the values are inconsistent
  std::uint32_t nodes() const { return nodes_per_switch << n; }
};

// In bytes. The spreads are 8-norms of the loads of all links, which fall with each of the busier links.
struct LevelTotals {
  std::int64_t levels = 0;   // sum over levels of the load of the busiest link
  std::int64_t busiest = 0;  // load of the busiest link over all levels
  std::int64_t total = 0;    // sum of the loads of all links over all levels
  double level_spread = 0, busiest_spread = 0;
};

// Packets take the nearer plane, half of each message both planes that are equally near; the links of nodes count.
class LevelLoads {
 public:
  explicit LevelLoads(std::shared_ptr<const LevelTask> task);

  // The totals with this basis in plane 1, whatever the order of its generators.
  LevelTotals operator()(const Basis& basis);
  const LevelTask& task() const { return *task_; }

 private:
  static constexpr std::size_t kPlanes = 2;

  void route(const Basis& basis);
  void send(std::size_t plane, std::uint32_t source, std::uint32_t destination, std::int64_t bytes);
  void add(std::size_t link, std::int64_t bytes);
  void end_level(std::int64_t repetitions, LevelTotals& totals);

  struct Plane {
    std::array<std::uint32_t, kMaxLinks> links{};  // generators in ascending order, then the folded link
    std::vector<std::uint32_t> value;              // routing value of each offset
    std::vector<std::uint8_t> hops;                // of each offset
  };

  std::shared_ptr<const LevelTask> task_;
  std::size_t ports_, first_node_link_;
  std::array<Plane, kPlanes> planes_;
  std::vector<std::int64_t> load_, sum_;  // of each link: in this level, and over all
  std::vector<std::uint32_t> touched_;    // links with a load in this level
};

}  // namespace isoplane
