// Distances over several planes of one topology over GF(2)^n, such as a cube, in which vertices have linear places.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "isoplane/basis.hpp"
#include "isoplane/offset_distances.hpp"
#include "isoplane/random.hpp"
#include "isoplane/relabelled_distances.hpp"

namespace isoplane {

// Writes the images of all vectors, those of twice as many with each column.
template <class Word>
void write_images(const std::uint32_t* columns, int n, Word* images) {
  images[0] = 0;
  for (int i = 0; i < n; ++i) {
    const std::size_t half = std::size_t{1} << i;
    const auto column = static_cast<Word>(columns[i]);
    for (std::size_t x = 0; x < half; ++x) images[half + x] = images[x] ^ column;
  }
}

// Vertex x has the place M x in a plane, with another invertible matrix M for each plane but the first. The distance of
// two vertices is that of their sum from 0, so that one pass over the 2^n offsets evaluates a move.
class LinearPlanes : public OffsetDistances {
 public:
  static constexpr std::uint64_t kVersion = 0x603;  // unique among the kinds of searchers
  using Task = RelabellingTask;
  using Words = OffsetDistances::Words;  // the columns of each matrix

  // Throws std::invalid_argument unless distances depend on sums of vertices alone, and the columns of each are a
  // basis.
  LinearPlanes(std::shared_ptr<const RelabellingTask> task, const Words& columns);

  Places places() const;

  // Columns of places that are linear up to a translation; none for others.
  static std::optional<Words> words_of(const RelabellingTask& task, const Places& places);
  static std::size_t word_count(const RelabellingTask& task);
  static Words random(const RelabellingTask& task, Random& random);
  Words words() const;
  std::int64_t propose(Random& random);
  void accept();

 protected:
  void measure(std::size_t plane, const Columns& columns, std::uint8_t* distances);

  std::vector<Basis> matrices_;  // of planes 1, 2, ...
  Move move_{};
};

}  // namespace isoplane
