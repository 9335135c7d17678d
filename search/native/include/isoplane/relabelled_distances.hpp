// Distances over several planes of one topology in which vertices have other places.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "isoplane/random.hpp"

namespace isoplane {

// Of each vertex in plane 1, then in plane 2, and so on.
using Places = std::vector<std::uint32_t>;

// What is searched; immutable. All planes are one topology, of which the distances are given, or each has its own.
class RelabellingTask {
 public:
  // `distances` has the hops between every two of the vertices, once or for each plane. Throws std::invalid_argument
  // unless they are symmetric, 0 between a vertex and itself alone, and there are two planes or more.
  RelabellingTask(std::uint32_t vertices, std::uint32_t planes, const std::vector<std::uint8_t>& distances);

  std::uint32_t vertices() const { return vertices_; }
  std::uint32_t planes() const { return planes_; }
  std::size_t stride() const { return stride_; }  // bytes of a row, of which those behind the vertices are 0
  bool is_mixed() const { return mixed_; }        // whether each plane has its own topology
  const std::uint8_t* row(std::uint32_t vertex, std::size_t plane = 0) const {
    return rows_.data() + ((mixed_ ? plane : 0) * vertices_ + vertex) * stride_;
  }
  // n, if vertices are the vectors of GF(2)^n and distances depend on the sum of two alone, as in cubes.
  std::optional<int> dimension() const { return dimension_; }

 private:
  std::uint32_t vertices_, planes_;
  std::size_t stride_;
  bool mixed_;
  std::vector<std::uint8_t> rows_;
  std::optional<int> dimension_;
};

// Two vertices that exchange their places in a plane, from 1.
struct PlaceExchange {
  std::uint32_t plane = 1, one = 0, other = 0;

  static PlaceExchange drawn(const RelabellingTask& task, Random& random);
};

// Lowers the bytes of a row to those of another where these are less.
void lower(std::uint8_t* least, const std::uint8_t* added, std::size_t bytes);

// Sum of the lesser of two bytes at each place of rows of a multiple of 16 bytes.
std::int64_t sum_of_least(const std::uint8_t* one, const std::uint8_t* other, std::size_t bytes);

// Distances between vertices over the nearest of several planes. Vertex x has the place p(x) of the topology in a
// plane, and p is the identity in plane 0.
class RelabelledDistances {
 public:
  static constexpr std::uint64_t kVersion = 0x602;  // of the walks over them; unique among the kinds of searchers
  using Task = RelabellingTask;

  // Throws std::invalid_argument unless the places of each plane are a permutation.
  RelabelledDistances(std::shared_ptr<const RelabellingTask> task, const Places& places);

  std::int64_t score() const { return sum_; }  // the sum over all pairs of different vertices, each counted once
  const Places& places() const { return places_; }

  // The change of the sum if two vertices exchange their places in a plane, from 1.
  std::int64_t change(std::uint32_t plane, std::uint32_t one, std::uint32_t other) const;
  void exchange(std::uint32_t plane, std::uint32_t one, std::uint32_t other);

  // As walks use them: words from which they are made, a random move with its change of the sum, and the move itself.
  static std::optional<Places> words_of(const RelabellingTask& task, const Places& places);
  static std::size_t word_count(const RelabellingTask& task);
  static Places random(const RelabellingTask& task, Random& random);
  const Places& words() const { return places_; }
  std::int64_t propose(Random& random);
  void accept() { exchange(move_.plane, move_.one, move_.other); }

 private:
  const std::uint8_t* row(std::uint32_t plane, std::uint32_t vertex) const;
  std::uint8_t* own_row(std::uint32_t plane, std::uint32_t vertex);
  const std::uint8_t* nearest_elsewhere(std::uint32_t plane, std::uint32_t vertex, std::uint8_t* spare) const;

  std::shared_ptr<const RelabellingTask> task_;
  Places places_;
  std::vector<std::uint8_t> rows_;  // distances in planes 1, 2, ... between every two vertices
  std::vector<std::int64_t> sums_;  // of the distances of each vertex
  std::int64_t sum_ = 0;
  PlaceExchange move_;                       // the move proposed last
  mutable std::vector<std::uint8_t> spare_;  // two rows
};

}  // namespace isoplane
