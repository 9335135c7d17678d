// Distances over several planes of one topology in which vertices have places that are linear over Z4 and GF(2).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "isoplane/offset_distances.hpp"
#include "isoplane/random.hpp"
#include "isoplane/relabelled_distances.hpp"

namespace isoplane {

// Some pairs of coordinates, 2 j and 2 j + 1, are a digit of Z4, in Gray code: 00, 01, 11 and 10 are 0, 1, 2 and 3.
// Adding to a digit turns a square of a cube, where adding over GF(2) reflects it: neither changes a distance. Vertex x
// has the place f(x) in a plane, with another automorphism f of this group for each plane but the first, so that
// distances depend on the difference of two vertices alone. Without digits, these are the linear planes; with them, f
// is quadratic over GF(2).
class AdditivePlanes : public OffsetDistances {
 public:
  static constexpr std::uint64_t kVersion = 0x607;  // unique among the kinds of searchers
  using Task = RelabellingTask;

  // Words are the lower coordinates of the digits, as bits, and for each plane the images of 1 << i: 0 for the higher
  // coordinate of a digit. Throws std::invalid_argument unless distances depend on sums of vertices alone, and on those
  // of the digits, and the images are those of an automorphism.
  AdditivePlanes(std::shared_ptr<const RelabellingTask> task, const Words& words);

  Places places() const;

  // Words of places that are of this kind up to a translation, with as many digits as can be; none for others.
  static std::optional<Words> words_of(const RelabellingTask& task, const Places& places);
  static std::size_t word_count(const RelabellingTask& task);
  // With as many digits as can be, or one less.
  static Words random(const RelabellingTask& task, Random& random);
  const Words& words() const { return words_; }
  std::int64_t propose(Random& random);  // another image of a coordinate
  void accept();

 private:
  const std::uint32_t* images(std::size_t plane) const {
    return words_.data() + 1 + (plane - 1) * static_cast<std::size_t>(n_);
  }

  Words words_, proposed_words_;  // of the move proposed last: of its plane
};

}  // namespace isoplane
