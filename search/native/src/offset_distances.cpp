#include "isoplane/offset_distances.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace isoplane {

int dimension_of(const RelabellingTask& task) {
  if (!task.dimension()) throw std::invalid_argument("expected distances that depend on sums of vertices");
  return *task.dimension();
}

OffsetDistances::OffsetDistances(std::shared_ptr<const RelabellingTask> task)
    : task_(std::move(task)), n_(dimension_of(*task_)) {
  const std::size_t bytes = task_->stride();
  images_.resize(bytes);
  proposed_.resize(bytes);
  distances_.resize(task_->planes() * bytes);
  elsewhere_.resize(distances_.size());
  std::copy_n(task_->row(0), bytes, distances(0));
}

void OffsetDistances::look_up(std::size_t plane, std::uint8_t* distances) const {
  const std::uint8_t* of_image = task_->row(0, plane);
  for (std::size_t x = 0; x < task_->vertices(); ++x) distances[x] = of_image[images_[x]];
}

void OffsetDistances::set_nearest_elsewhere() {
  const std::size_t planes = task_->planes(), bytes = task_->stride();
  for (std::size_t plane = 1; plane < planes; ++plane) {
    std::copy_n(distances(0), bytes, elsewhere(plane));
    for (std::size_t other = 1; other < planes; ++other)
      if (other != plane) lower(elsewhere(plane), distances(other), bytes);
  }
}

void OffsetDistances::set_sum() {
  set_nearest_elsewhere();
  sum_ = sum_of_least(distances(1), elsewhere(1), task_->stride());
}

std::size_t OffsetDistances::drawn_plane(Random& random) const {
  return task_->planes() == 2 ? 1 : 1 + random.below(task_->planes() - 1);
}

std::int64_t OffsetDistances::change() {
  changed_sum_ = sum_of_least(proposed_.data(), elsewhere(plane_), task_->stride());
  return changed_sum_ - sum_;
}

void OffsetDistances::commit() {
  std::copy(proposed_.begin(), proposed_.end(), distances(plane_));
  if (task_->planes() > 2) set_nearest_elsewhere();
  sum_ = changed_sum_;
}

}  // namespace isoplane
