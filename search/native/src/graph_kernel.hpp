// The variants of a step of breadth-first searches that graph_distances.cpp chooses from.
#pragma once

#include <cstddef>
#include <cstdint>

namespace isoplane::variants {

// Rows of `words` words, a bit for each source: which sources have reached a vertex. Fills in the rows after a hop
// more, and returns the number of bits set. `next` has `degree` neighbours of each vertex.
using GraphStep = std::int64_t (*)(const std::uint64_t* from, std::uint64_t* to, const std::uint32_t* next,
                                   std::size_t vertices, std::size_t degree);

struct GraphSteps {
  GraphStep one, two, four, eight;  // words of a row
};

#if defined(__x86_64__)
GraphSteps graph_steps_avx2();
GraphSteps graph_steps_avx512();
#endif

}  // namespace isoplane::variants
