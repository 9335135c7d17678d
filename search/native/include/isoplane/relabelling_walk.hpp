// Simulated annealing over relabellings of the planes of a network: one walk.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "isoplane/cooling_cycles.hpp"
#include "isoplane/random.hpp"
#include "isoplane/state.hpp"

namespace isoplane {

// What is searched; immutable. All planes are one topology, of which the distances are given.
class RelabellingTask {
 public:
  // `distances` has the hops between every two of the vertices. Throws std::invalid_argument unless they are symmetric,
  // 0 between a vertex and itself alone, and there are two planes or more.
  RelabellingTask(std::uint32_t vertices, std::uint32_t planes, const std::vector<std::uint8_t>& distances);

  std::uint32_t vertices() const { return vertices_; }
  std::uint32_t planes() const { return planes_; }
  std::size_t stride() const { return stride_; }  // bytes of a row, of which those behind the vertices are 0
  const std::uint8_t* row(std::uint32_t vertex) const { return rows_.data() + vertex * stride_; }

 private:
  std::uint32_t vertices_, planes_;
  std::size_t stride_;
  std::vector<std::uint8_t> rows_;
};

// Distances between vertices over the nearest of several planes. Vertex x has the place p(x) of the topology in a
// plane, and p is the identity in plane 0.
class RelabelledDistances {
 public:
  using Places = std::vector<std::uint32_t>;  // of each vertex in plane 1, then in plane 2, and so on

  // Throws std::invalid_argument unless the places of each plane are a permutation.
  RelabelledDistances(std::shared_ptr<const RelabellingTask> task, const Places& places);

  std::int64_t sum() const { return sum_; }  // over all pairs of different vertices, each counted once
  const Places& places() const { return places_; }

  // The change of the sum if two vertices exchange their places in a plane, from 1.
  std::int64_t change(std::uint32_t plane, std::uint32_t one, std::uint32_t other) const;
  void exchange(std::uint32_t plane, std::uint32_t one, std::uint32_t other);

 private:
  const std::uint8_t* row(std::uint32_t plane, std::uint32_t vertex) const;
  std::uint8_t* own_row(std::uint32_t plane, std::uint32_t vertex);
  const std::uint8_t* nearest_elsewhere(std::uint32_t plane, std::uint32_t vertex, std::uint8_t* spare) const;

  std::shared_ptr<const RelabellingTask> task_;
  Places places_;
  std::vector<std::uint8_t> rows_;  // distances in planes 1, 2, ... between every two vertices
  std::vector<std::int64_t> sums_;  // of the distances of each vertex
  std::int64_t sum_ = 0;
  mutable std::vector<std::uint8_t> spare_;  // two rows
};

struct RelabellingAnnealing {
  double hottest;          // temperature at the beginning of a cycle, relative to the mean change of an exchange
  double coolest;          // and at its end
  std::int64_t first_leg;  // evaluations of the first cycle
  double growth;           // factor by which cycles grow
};

// Cooling cycles that grow: every second one begins at random, the others go on from the best relabelling.
class RelabellingWalk {
 public:
  using Task = RelabellingTask;
  using Settings = RelabellingAnnealing;
  using Places = RelabelledDistances::Places;

  RelabellingWalk(std::shared_ptr<const Task> task, Settings settings, std::uint64_t seed, std::uint64_t stream,
                  const Places& start);
  // Throws std::invalid_argument for a damaged state.
  RelabellingWalk(std::shared_ptr<const Task> task, Settings settings, const State& saved);

  void run(std::int64_t evaluations);
  State state() const;
  std::vector<Places> designs() const { return {best_}; }
  void offer(const Places& places);
  std::int64_t evaluations() const { return evaluations_; }

 private:
  template <class Archive, class Self>
  static void serialise(Archive& archive, Self& walk);
  void begin_cycle();
  void step();
  Places random_places();

  std::shared_ptr<const Task> task_;
  Settings settings_;
  Random random_;
  std::int64_t evaluations_ = 0;
  CoolingCycles cycle_;
  double scale_ = 0;  // mean change by an exchange of random places
  Places best_;
  std::int64_t best_sum_ = 0;
  RelabelledDistances current_;
};

}  // namespace isoplane
