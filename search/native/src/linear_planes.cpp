#include "isoplane/linear_planes.hpp"

#include <stdexcept>
#include <utility>

namespace isoplane {

LinearPlanes::LinearPlanes(std::shared_ptr<const RelabellingTask> task, const Words& columns)
    : OffsetDistances(std::move(task)) {
  if (columns.size() != word_count(*task_)) throw std::invalid_argument("expected a matrix for each plane");
  for (std::size_t first = 0; first < columns.size(); first += static_cast<std::size_t>(n_))
    matrices_.emplace_back(n_, columns.data() + first);
  for (std::size_t plane = 1; plane < task_->planes(); ++plane)
    measure(plane, matrices_[plane - 1].generators(), distances(plane));
  set_sum();
}

void LinearPlanes::measure(std::size_t plane, const Columns& columns, std::uint8_t* distances) {
  write_images(columns.data(), n_, images_.data());
  look_up(plane, distances);
}

Places LinearPlanes::places() const {
  const std::size_t vertices = task_->vertices();
  Places places(matrices_.size() * vertices);
  for (std::size_t k = 0; k < matrices_.size(); ++k)
    write_images(matrices_[k].columns(), n_, places.data() + k * vertices);
  return places;
}

std::optional<LinearPlanes::Words> LinearPlanes::words_of(const RelabellingTask& task, const Places& places) {
  const int n = dimension_of(task);
  if (places.size() != std::size_t{task.planes() - 1} * task.vertices())
    throw std::invalid_argument("expected places in each plane");
  Words columns, images(task.vertices());
  for (std::size_t first = 0; first < places.size(); first += task.vertices()) {
    const std::uint32_t* own = places.data() + first;
    const std::size_t of_plane = columns.size();
    for (int i = 0; i < n; ++i) columns.push_back(own[std::size_t{1} << i] ^ own[0]);
    write_images(columns.data() + of_plane, n, images.data());
    for (std::size_t x = 0; x < images.size(); ++x)
      if (images[x] != (own[x] ^ own[0])) return std::nullopt;
  }
  return columns;
}

std::size_t LinearPlanes::word_count(const RelabellingTask& task) {
  return (task.planes() - 1) * static_cast<std::size_t>(dimension_of(task));
}

LinearPlanes::Words LinearPlanes::random(const RelabellingTask& task, Random& random) {
  const int n = dimension_of(task);
  Words columns;
  for (std::uint32_t plane = 1; plane < task.planes(); ++plane) {
    const Basis basis = Basis::random(n, random);
    columns.insert(columns.end(), basis.columns(), basis.columns() + n);
  }
  return columns;
}

LinearPlanes::Words LinearPlanes::words() const {
  Words columns;
  for (const Basis& basis : matrices_) columns.insert(columns.end(), basis.columns(), basis.columns() + n_);
  return columns;
}

std::int64_t LinearPlanes::propose(Random& random) {
  plane_ = drawn_plane(random);
  Basis& basis = matrices_[plane_ - 1];
  move_ = basis.propose(random, false);
  basis.apply(move_);
  measure(plane_, basis.generators(), proposed_.data());
  basis.apply(move_);
  return change();
}

void LinearPlanes::accept() {
  Basis& basis = matrices_[plane_ - 1];
  basis.apply(move_);
  basis.commit(move_);
  commit();
}

}  // namespace isoplane
