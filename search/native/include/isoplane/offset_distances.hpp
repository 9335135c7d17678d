// Distances over the nearest of several planes that look alike from every vertex of GF(2)^n.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "isoplane/random.hpp"
#include "isoplane/relabelled_distances.hpp"

namespace isoplane {

// Distances from vertex 0 alone, with what a move of one plane needs: those in this plane, and the least in all others.
class OffsetDistances {
 public:
  using Words = std::vector<std::uint32_t>;  // from which the places follow

  std::int64_t score() const { return sum_; }  // the sum of distances over all offsets

 protected:
  // Throws std::invalid_argument unless distances depend on sums of vertices alone.
  explicit OffsetDistances(std::shared_ptr<const RelabellingTask> task);

  std::uint8_t* distances(std::size_t plane) { return distances_.data() + plane * task_->stride(); }
  std::uint8_t* elsewhere(std::size_t plane) { return elsewhere_.data() + plane * task_->stride(); }
  void look_up(std::size_t plane, std::uint8_t* distances) const;  // those of `images_`
  void set_sum();                                                  // once distances are those of all planes
  std::size_t drawn_plane(Random& random) const;
  std::int64_t change();  // by `proposed_` in `plane_`
  void commit();          // of that change

  std::shared_ptr<const RelabellingTask> task_;
  int n_;
  std::vector<std::uint8_t> distances_;  // of each offset in each plane
  std::vector<std::uint8_t> elsewhere_;  // least distances in all planes but one
  std::vector<std::uint16_t> images_;    // of each offset
  std::vector<std::uint8_t> proposed_;   // distances in the plane of the move proposed last
  std::size_t plane_ = 1;                // that plane
  std::int64_t sum_ = 0, changed_sum_ = 0;

 private:
  void set_nearest_elsewhere();
};

// n of a task over GF(2)^n. Throws std::invalid_argument for others.
int dimension_of(const RelabellingTask& task);

}  // namespace isoplane
