// Distances from some vertices of a regular graph to all others, by breadth-first searches with a bit for each source.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "isoplane/score.hpp"

namespace isoplane {

constexpr std::int64_t kMaxVertices = 1 << 14;

// What is known of the distances of a graph.
struct DistanceSums {
  std::int64_t hops = 0;                   // sum of the distances
  std::int64_t beyond = 0;                 // the sum of what distances exceed a diameter by
  std::int64_t diameter = 0;               // largest distance
  std::int64_t apart = 0, apart_hops = 0;  // pairs that do not reach each other, and what `hops` has of them
};

class GraphDistances {
 public:
  // Each source is a vertex; there are `degree` neighbours of each vertex.
  GraphDistances(std::size_t vertices, std::size_t degree, std::vector<std::uint32_t> sources, Isa isa = chosen_isa());

  // The sums for the graph with these neighbours. They are exact if hops + penalty * beyond is at most `limit`; else
  // that sum is above it, and no more is said. `diameter` is that of `beyond`. Of a vertex that is not reached the
  // distance is above the number of vertices. Between a source and what is none, no distance is above `known`.
  DistanceSums operator()(const std::uint32_t* next, std::int64_t diameter, std::int64_t penalty, std::int64_t limit,
                          std::int64_t known = std::numeric_limits<std::int64_t>::max());

  const std::vector<std::uint32_t>& sources() const { return sources_; }
  void set_sources(std::vector<std::uint32_t> sources);

  // Calls found(source, other, hops) for each source and each other one that it reaches, itself with 0 hops; sources by
  // their numbers.
  template <class Found>
  void each_distance(const std::uint32_t* next, Found&& found) {
    for (Block& block : blocks_) {
      std::fill(block.spare.begin(), block.spare.end(), Line{});
      std::int64_t before = 0;
      place(block);
      for (std::int64_t hops = 0; block.reached != before; ++hops) {
        const std::uint64_t *now = block.rows(), *earlier = block.spare.data()->words;
        for (std::size_t other = 0; other < sources_.size(); ++other)
          for (std::size_t word = 0; word < block.words; ++word) {
            const std::size_t at = sources_[other] * block.words + word;
            for (std::uint64_t fresh = now[at] & ~earlier[at]; fresh != 0; fresh &= fresh - 1)
              found(block.first + 64 * word + static_cast<std::size_t>(std::countr_zero(fresh)), other, hops);
          }
        before = block.reached;
        step(block, next);
      }
    }
  }

 private:
  struct alignas(64) Line {  // so that no row crosses a line of the cache
    std::uint64_t words[8];
  };
  struct Block {
    std::size_t first, words;  // sources from `first` on, of rows of `words` words
    std::vector<Line> lines, spare;
    std::int64_t reached = 0;

    std::uint64_t* rows() { return lines.data()->words; }
  };
  void place(Block& block) const;  // each source at itself
  void begin(Block& block, const std::uint32_t* next) const;
  void step(Block& block, const std::uint32_t* next) const;
  std::int64_t stepped(Block& block, const std::uint32_t* next, std::size_t count, const std::uint32_t* only) const;
  bool all_meet(const std::uint32_t* next);

  std::size_t vertices_, degree_;
  std::vector<std::uint32_t> sources_;
  Isa isa_;
  std::vector<Block> blocks_;
};

}  // namespace isoplane
