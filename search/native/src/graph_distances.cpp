#include "isoplane/graph_distances.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "graph_kernel.hpp"

namespace isoplane {
namespace {

constexpr std::size_t kMaxWords = 8;

template <int W>
void count_row(const std::uint64_t* words, std::uint64_t* bits) {
  for (int word = 0; word < W; ++word) bits[word] += static_cast<std::uint64_t>(std::popcount(words[word]));
}

#include "graph_kernel.inl"

variants::GraphSteps steps_of(Isa isa) {
#if defined(__x86_64__)
  if (isa == Isa::kAvx512) return variants::graph_steps_avx512();
  if (isa == Isa::kAvx2) return variants::graph_steps_avx2();
#endif
  static_cast<void>(isa);
  return {graph_step<1>, graph_step<2>, graph_step<4>, graph_step<8>};
}

}  // namespace

GraphDistances::GraphDistances(std::size_t vertices, std::size_t degree, std::vector<std::uint32_t> sources, Isa isa)
    : vertices_(vertices), degree_(degree), isa_(isa) {
  set_sources(std::move(sources));
}

void GraphDistances::set_sources(std::vector<std::uint32_t> sources) {
  sources_ = std::move(sources);
  std::size_t count = 0;
  for (std::size_t first = 0; first < sources_.size(); ++count) {
    const std::size_t words = std::min(kMaxWords, std::bit_ceil((sources_.size() - first + 63) / 64));
    if (count == blocks_.size()) blocks_.emplace_back();
    Block& block = blocks_[count];
    block.first = first;
    block.words = words;
    for (std::vector<Line>* lines : {&block.lines, &block.spare})
      lines->resize((vertices_ * words + kMaxWords - 1) / kMaxWords);
    first += 64 * words;
  }
  blocks_.resize(count);
}

void GraphDistances::place(Block& block) const {
  std::uint64_t* rows = block.rows();
  std::fill(rows, rows + vertices_ * block.words, 0);
  const std::size_t count = std::min(64 * block.words, sources_.size() - block.first);
  for (std::size_t i = 0; i < count; ++i)
    rows[sources_[block.first + i] * block.words + i / 64] |= std::uint64_t{1} << i % 64;
  block.reached = static_cast<std::int64_t>(count);
}

void GraphDistances::begin(Block& block, const std::uint32_t* next) const {
  place(block);
  const std::size_t count = std::min(64 * block.words, sources_.size() - block.first);
  // Rows are taken by four words at once, and edges of sources one by one, which takes twice as long.
  if (vertices_ * ((block.words + 3) / 4) < 2 * count) return step(block, next);
  std::uint64_t* rows = block.rows();
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t source = sources_[block.first + i], word = i / 64;
    const std::uint64_t bit = std::uint64_t{1} << i % 64;
    for (std::size_t port = 0; port < degree_; ++port) {
      std::uint64_t& row = rows[next[source * degree_ + port] * block.words + word];
      block.reached += (row & bit) == 0;
      row |= bit;
    }
  }
}

// Fills in spare rows, and returns the number of their bits that are set.
std::int64_t GraphDistances::stepped(Block& block, const std::uint32_t* next, std::size_t count,
                                     const std::uint32_t* only) const {
  const variants::GraphSteps steps = steps_of(isa_);
  const auto chosen = block.words == 8   ? steps.eight
                      : block.words == 4 ? steps.four
                      : block.words == 2 ? steps.two
                                         : steps.one;
  return chosen(block.rows(), block.spare.data()->words, next, degree_, count, only);
}

void GraphDistances::step(Block& block, const std::uint32_t* next) const {
  block.reached = stepped(block, next, vertices_, nullptr);
  std::swap(block.lines, block.spare);
}

// Whether all sources have reached one another a hop further.
bool GraphDistances::all_meet(const std::uint32_t* next) {
  const std::size_t count = sources_.size();
  return std::all_of(blocks_.begin(), blocks_.end(), [&](Block& block) {
    const std::size_t own = std::min(64 * block.words, count - block.first);
    return stepped(block, next, count, sources_.data()) == static_cast<std::int64_t>(own * count);
  });
}

DistanceSums GraphDistances::operator()(const std::uint32_t* next, std::int64_t diameter, std::int64_t penalty,
                                        std::int64_t limit, std::int64_t known) {
  const auto pairs = static_cast<std::int64_t>(vertices_ * sources_.size());
  DistanceSums sums{pairs - static_cast<std::int64_t>(sources_.size()), 0, 0};  // pairs at a distance above 0
  std::int64_t before = sums.hops;
  for (std::int64_t hops = 1; before > 0; ++hops) {
    if (hops >= known && hops > 1 && all_meet(next)) {  // few rows tell, most often, what all would
      sums.diameter = hops;
      return sums;
    }
    std::int64_t left = pairs;
    for (Block& block : blocks_) {
      if (hops == 1)
        begin(block, next);
      else
        step(block, next);
      left -= block.reached;
    }
    sums.diameter = hops;
    sums.hops += left;  // these pairs are farther than `hops`
    if (hops >= diameter) sums.beyond += left;
    // Whatever the next step finds, these pairs count as they do now: most graphs are told to be worse before it.
    if (sums.hops + penalty * sums.beyond > limit) return sums;
    if (left == before) {  // never reached: farther than any path
      sums.diameter = static_cast<std::int64_t>(vertices_);
      sums.hops += left * sums.diameter;
      sums.apart = left;
      sums.apart_hops = left * (1 + hops + sums.diameter);
      return sums;
    }
    before = left;
  }
  return sums;
}

}  // namespace isoplane
