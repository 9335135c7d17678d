#include "isoplane/minimal_table.hpp"

#include <algorithm>
#include <bit>

namespace isoplane {

void minimal_columns(Cables cables, std::size_t first, std::size_t count, std::uint16_t* table) {
  Reach reach(cables);
  for (std::size_t block = first; block < first + count; block += kReachBits) {
    const std::size_t end = std::min(first + count, block + kReachBits);
    reach.clear();
    for (std::size_t target = block; target < end; ++target) reach.add(target - block, target);
    // Cables are bidirectional: the targets that reach a switch in k hops are those that it reaches in k hops.
    const auto enter = [&](std::size_t here, std::size_t port, std::size_t word, std::uint64_t bits) {
      std::uint16_t* row = table + here * cables.switches + block + 64 * word;
      for (; bits != 0; bits &= bits - 1) row[std::countr_zero(bits)] = static_cast<std::uint16_t>(port);
    };
    while (reach.grow(enter)) {
    }
  }
}

}  // namespace isoplane
