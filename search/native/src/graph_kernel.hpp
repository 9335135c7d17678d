// The variants of a step of breadth-first searches that graph_distances.cpp chooses from.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace isoplane::variants {

// Rows of `words` words, a bit for each source: which sources have reached a vertex. Fills in `count` rows after a hop
// more, the first ones or `only` those of some vertices, and returns the number of bits set in them. `next` has
// `degree` neighbours of each vertex.
using GraphStep = std::int64_t (*)(const std::uint64_t* from, std::uint64_t* to, const std::uint32_t* next,
                                   std::size_t degree, std::size_t count, const std::uint32_t* only);

struct GraphSteps {
  GraphStep one, two, four, eight;  // words of a row
};

// The same where vertices have different degrees, at most `stride`; returns whether any bit was set.
using HostStep = bool (*)(const std::uint64_t* from, std::uint64_t* to, const std::uint32_t* next,
                          const std::uint32_t* degrees, std::size_t stride, std::size_t vertices);

// Sources by the bits of their numbers of hosts: masks[bit * W + word].
struct HostBits {
  const std::uint64_t* masks;
  const int* bits;
  std::size_t count;
};

// The number of pairs of a host of a vertex and one of a source that has reached it in some plane, each with its rows.
using HostCount = std::int64_t (*)(const std::uint64_t* const* planes, std::size_t count, const HostBits& sources,
                                   const std::uint32_t* hosts, std::size_t vertices);

struct HostSteps {
  std::array<HostStep, 4> step;  // of rows of 1, 2, 4, 8 words
  std::array<HostCount, 4> count;
};

#if defined(__x86_64__)
GraphSteps graph_steps_avx2();
GraphSteps graph_steps_avx512();
HostSteps host_steps_avx2();
HostSteps host_steps_avx512();
#endif

}  // namespace isoplane::variants
