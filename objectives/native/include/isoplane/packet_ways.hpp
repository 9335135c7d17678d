// The ways between all pairs of nodes of a packet network, beside which circuits are set up.
#pragma once

#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

namespace isoplane {

// Plain data. Lists of lists are flat, with the offsets of the inner lists. A message of B bytes between a pair of
// nodes is divided among its ways: the first of them up to the k-th carry ⌊B · share_end[k] / share_end[last]⌋ bytes.
struct PacketWays {
  std::vector<double> rate, capacity;           // of each link, in bits per ns and in units of the fluid model
  std::vector<std::uint32_t> way_start;         // of the pair (a, b) at a · nodes + b; none if a = b
  std::vector<std::uint64_t> share_end;         // of each way: sum of the shares up to it; at most 2^32
  std::vector<double> delay;                    // of each way, in ticks
  std::vector<std::uint32_t> link_start, link;  // links of each way

  // All fields, in the order of their declaration.
  using Lists =
      std::tuple<std::vector<double>, std::vector<double>, std::vector<std::uint32_t>, std::vector<std::uint64_t>,
                 std::vector<double>, std::vector<std::uint32_t>, std::vector<std::uint32_t>>;
  static PacketWays of(Lists lists) { return std::make_from_tuple<PacketWays>(std::move(lists)); }

  void check(std::uint32_t nodes) const;  // throws std::invalid_argument if the fields are inconsistent
};

}  // namespace isoplane
