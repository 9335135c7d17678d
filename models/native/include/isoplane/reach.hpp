// Breadth-first search from many switches at once, with one bit per source.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace isoplane {

// The cables of a plane: peer[switch][port] is the switch at the far end, -1 without a cable.
struct Cables {
  const std::int32_t* peer;
  std::size_t switches;
  std::size_t ports;
};

constexpr std::size_t kReachWords = 8;  // a cache line per switch
constexpr std::size_t kReachBits = 64 * kReachWords;

using ReachSet = std::array<std::uint64_t, kReachWords>;

// For each switch, the set of sources within the current number of hops.
class Reach {
 public:
  explicit Reach(Cables cables) : cables_(cables), now_(cables.switches), next_(cables.switches) {}

  // Removes all sources.
  void clear() {
    for (ReachSet& set : now_) set.fill(0);
    all_.fill(0);
  }

  // Adds a source at a switch; several sources may share a switch.
  void add(std::size_t source, std::size_t at) {
    now_[at][source / 64] |= std::uint64_t{1} << source % 64;
    all_[source / 64] |= std::uint64_t{1} << source % 64;
  }

  const ReachSet& at(std::size_t here) const { return now_[here]; }

  // Advances by one hop. Calls found(switch, port, word, bits) with the sources that reach a switch for the first time,
  // once for each word and port, where port is the lowest one that leads nearer to them. Returns whether there were
  // any.
  template <class Found>
  bool grow(Found&& found) {
    bool any = false;
    for (std::size_t here = 0; here < cables_.switches; ++here) {
      ReachSet set = now_[here];
      if (set != all_) any |= collect(here, set, found);
      next_[here] = set;
    }
    now_.swap(next_);
    return any;
  }

 private:
  template <class Found>
  bool collect(std::size_t here, ReachSet& set, Found&& found) const {
    const std::int32_t* peers = cables_.peer + here * cables_.ports;
    std::uint64_t fresh = 0;
    for (std::size_t port = 0; port < cables_.ports; ++port) {
      if (peers[port] < 0) continue;
      const ReachSet& peer_set = now_[static_cast<std::size_t>(peers[port])];
      for (std::size_t word = 0; word < kReachWords; ++word) {
        const std::uint64_t bits = peer_set[word] & ~set[word];
        found(here, port, word, bits);
        set[word] |= bits;
        fresh |= bits;
      }
    }
    return fresh != 0;
  }

  Cables cables_;
  ReachSet all_{};
  std::vector<ReachSet> now_, next_;
};

}  // namespace isoplane
