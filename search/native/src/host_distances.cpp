#include "isoplane/host_distances.hpp"

#include <algorithm>
#include <array>
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

variants::HostSteps steps_of(Isa isa) {
#if defined(__x86_64__)
  if (isa == Isa::kAvx512) return variants::host_steps_avx512();
  if (isa == Isa::kAvx2) return variants::host_steps_avx2();
#endif
  static_cast<void>(isa);
  return host_steps();
}

}  // namespace

void HostDistances::fit(const HostGraph& graph) {
  const std::size_t lines = graph.planes() + std::size_t{1};
  if (hosts_.size() != graph.switches() || blocks_.front().lines.size() != lines) {
    blocks_.clear();
    for (std::size_t first = 0; first < graph.row_words();) {
      Block block;
      block.first = first;
      block.words = std::min(kMaxWords, std::bit_ceil(graph.row_words() - first));
      block.lines.assign(lines, std::vector<Line>((graph.switches() * block.words + kMaxWords - 1) / kMaxWords));
      first += block.words;
      blocks_.push_back(std::move(block));
    }
  } else if (hosts_ == graph.hosts()) {
    return;
  }
  hosts_ = graph.hosts();
  for (Block& block : blocks_) mask(block);
}

void HostDistances::mask(Block& block) const {
  block.masks.clear();
  block.bits.clear();
  const std::size_t end = std::min(hosts_.size(), 64 * (block.first + block.words));
  for (int bit = 0; bit < 32; ++bit) {
    std::array<std::uint64_t, kMaxWords> held{};
    bool any = false;
    for (std::size_t source = 64 * block.first; source < end; ++source) {
      if ((hosts_[source] >> bit & 1) == 0) continue;
      held[source / 64 - block.first] |= std::uint64_t{1} << source % 64;
      any = true;
    }
    if (!any) continue;
    block.bits.push_back(bit);
    block.masks.insert(block.masks.end(), held.begin(), held.begin() + static_cast<std::ptrdiff_t>(block.words));
  }
}

DistanceSums HostDistances::operator()(const HostGraph& graph, std::int64_t limit) {
  fit(graph);
  const variants::HostSteps steps = steps_of(isa_);
  const std::size_t switches = graph.switches(), planes = graph.planes();
  std::int64_t left = 0, all = 0;
  for (const std::uint32_t hosts : hosts_) {
    all += hosts;
    left -= std::int64_t{hosts} * hosts;
  }
  left += all * all;  // pairs at different switches
  DistanceSums sums;
  for (std::int64_t hops = 1; left > 0; ++hops) {
    sums.hops += left;
    sums.diameter = hops;
    if (sums.hops > limit) return sums;
    bool changed = hops == 1;
    left = all * all;
    for (Block& block : blocks_) {
      const auto width = static_cast<std::size_t>(std::countr_zero(block.words));
      std::array<const std::uint64_t*, 64> rows{};
      for (std::uint32_t plane = 0; plane < planes; ++plane) {
        auto &lines = block.lines[plane], &spare = block.lines.back();
        if (hops == 1) {
          const std::size_t held = std::min(block.words, graph.row_words() - block.first);
          std::uint64_t* row = lines.data()->words;
          for (std::uint32_t at = 0; at < switches; ++at, row += block.words) {
            const std::uint64_t* from = graph.row(plane, at) + block.first;
            std::fill(std::copy(from, from + held, row), row + block.words, 0);
            if (at / 64 >= block.first && at / 64 < block.first + block.words)
              row[at / 64 - block.first] |= std::uint64_t{1} << at % 64;
          }
        } else {
          changed |= steps.step[width](lines.data()->words, spare.data()->words, graph.next(plane, 0),
                                       graph.degrees(plane).data(), graph.ports() + std::size_t{1}, switches);
          std::swap(lines, spare);
        }
        rows[plane] = lines.data()->words;
      }
      const variants::HostBits sources{block.masks.data(), block.bits.data(), block.bits.size()};
      left -= steps.count[width](rows.data(), planes, sources, hosts_.data(), switches);
    }
    if (!changed) {  // these pairs are never joined
      sums.diameter = static_cast<std::int64_t>(switches);
      sums.hops += left * sums.diameter;
      return sums;
    }
  }
  return sums;
}

}  // namespace isoplane
