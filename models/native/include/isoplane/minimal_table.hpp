// Shortest-path forwarding tables.
#pragma once

#include <cstddef>
#include <cstdint>

#include "isoplane/reach.hpp"

namespace isoplane {

// Fills columns first to first + count of table[switch][switch]: the lowest port that leads nearer to the destination.
// The diagonal and entries of unreachable destinations are left unchanged.
void minimal_columns(Cables cables, std::size_t first, std::size_t count, std::uint16_t* table);

}  // namespace isoplane
