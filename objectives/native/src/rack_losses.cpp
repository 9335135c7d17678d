#include "isoplane/rack_losses.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <utility>
#include <vector>

#include "isoplane/kernel.hpp"

namespace isoplane {
namespace {

constexpr std::size_t kMaxWords = 4;
using Links = std::array<std::uint32_t, kMaxLinks>;

// Breadth-first searches over both planes at once, with a bit for each source: which have reached a switch.
class Search {
 public:
  Search(std::size_t switches, std::size_t links, const std::array<Links, 2>& offsets)
      : switches_(switches), links_(links), offsets_(offsets) {}

  // Switches from `first` until `end` are lost. Adds up the distances from the sources, and keeps the largest.
  void add(std::size_t first, std::size_t end, const std::vector<std::uint32_t>& sources, std::int64_t& hops,
           std::int64_t& diameter) {
    for (std::size_t done = 0; done < sources.size();) {
      const std::size_t count = std::min(64 * kMaxWords, sources.size() - done);
      const std::size_t words = std::bit_ceil((count + 63) / 64);
      const auto search = words == 1 ? &Search::from<1> : words == 2 ? &Search::from<2> : &Search::from<kMaxWords>;
      (this->*search)(first, end, &sources[done], count, hops, diameter);
      done += count;
    }
  }

 private:
  template <std::size_t W>
  void from(std::size_t first, std::size_t end, const std::uint32_t* sources, std::size_t count, std::int64_t& hops,
            std::int64_t& diameter) {
    const auto left = static_cast<std::int64_t>(switches_ - (end - first));
    for (auto* rows : {&now_, &next_})
      for (auto& plane : *rows) plane.assign(switches_ * W, 0);
    for (std::size_t i = 0; i < count; ++i)
      for (auto& plane : now_) plane[sources[i] * W + i / 64] |= std::uint64_t{1} << i % 64;
    std::int64_t open = left * static_cast<std::int64_t>(count) - static_cast<std::int64_t>(count), before = 0;
    for (std::int64_t length = 1; open > 0; ++length) {
      hops += open;  // these pairs are at least this far apart
      const auto [reached, any] = step<W>(first, end);
      if (any == before) {  // never reached: at the number of all switches, of which `length` are counted
        const auto far = static_cast<std::int64_t>(2 * switches_);
        hops += open * (far - length);
        diameter = std::max(diameter, far);
        return;
      }
      before = any;
      diameter = std::max(diameter, length);
      open = left * static_cast<std::int64_t>(count) - reached;
    }
  }

  // Makes all searches a hop longer. Returns the number of pairs that are reached in any plane, and in each, added up.
  template <std::size_t W>
  std::pair<std::int64_t, std::int64_t> step(std::size_t first, std::size_t end) {
    std::int64_t reached = 0, any = 0;
    for (std::size_t at = 0; at < switches_; ++at) {
      if (at == first && end > first) at = end;
      if (at == switches_) break;
      std::uint64_t both[W] = {};
      for (std::size_t plane = 0; plane < 2; ++plane) {
        const std::uint64_t* rows = now_[plane].data();
        std::uint64_t row[W];
        std::copy_n(rows + at * W, W, row);
        for (std::size_t link = 0; link < links_; ++link) {
          const std::uint64_t* other = rows + (at ^ offsets_[plane][link]) * W;
          for (std::size_t word = 0; word < W; ++word) row[word] |= other[word];
        }
        for (std::size_t word = 0; word < W; ++word) {
          any += std::popcount(row[word]);
          both[word] |= row[word];
        }
        std::copy_n(row, W, next_[plane].data() + at * W);
      }
      for (std::size_t word = 0; word < W; ++word) reached += std::popcount(both[word]);
    }
    std::swap(now_, next_);
    return {reached, any};
  }

  std::size_t switches_, links_;
  std::array<Links, 2> offsets_;
  std::array<std::vector<std::uint64_t>, 2> now_, next_;  // of each plane; nothing reaches lost switches
};

}  // namespace

CubeRacks::CubeRacks(int n, bool folded, std::int64_t held)
    : n_(n),
      folded_(folded),
      switches_(std::int64_t{1} << n),
      held_(held),
      translates_(std::has_single_bit(static_cast<std::uint64_t>(held))) {}

RackLoss CubeRacks::operator()(const std::uint32_t* columns) const {
  const auto links = static_cast<std::size_t>(n_ + (folded_ ? 1 : 0));
  std::array<Links, 2> offsets{};
  for (std::size_t k = 0; k < static_cast<std::size_t>(n_); ++k) {
    offsets[0][k] = std::uint32_t{1} << k;
    offsets[1][k] = columns[k];
  }
  if (folded_)
    for (Links& each : offsets)
      for (std::size_t k = 0; k + 1 < links; ++k) each[links - 1] ^= each[k];
  Search search(static_cast<std::size_t>(switches_), links, offsets);
  RackLoss worst;
  for (std::int64_t rack = 0; rack < (translates_ ? 1 : racks()); ++rack) {
    const std::int64_t first = rack * held_, end = std::min(first + held_, switches_), left = switches_ - (end - first);
    // Translations by switches of a rack that is a subspace keep it lost: one source of each other rack is enough.
    std::vector<std::uint32_t> sources;
    for (std::int64_t each = 0; each < switches_; each += translates_ ? held_ : 1)
      if (each < first || each >= end) sources.push_back(static_cast<std::uint32_t>(each));
    RackLoss found;
    std::int64_t hops = 0;
    search.add(static_cast<std::size_t>(first), static_cast<std::size_t>(end), sources, hops, found.diameter);
    found.mean = billionths(hops, static_cast<std::int64_t>(sources.size()) * left);
    worst.add(found);
  }
  return worst;
}

// Of the pairs of switches that differ by an offset at most 2 * held lose an end, and those that are left beyond these
// numbers, over all offsets held^2 - held, are at least a hop apart.
RackLoss CubeRacks::least(std::int64_t sum_of_distances, std::int64_t diameter) const {
  const std::int64_t pairs = switches_ - 2 * held_, left = switches_ - held_;
  if (pairs <= 0) return {};
  return {diameter, billionths(pairs * sum_of_distances + held_ * held_ - held_, left * left)};
}

}  // namespace isoplane
