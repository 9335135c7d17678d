// Forwarding tables along shortest paths.
#pragma once

#include <cstddef>
#include <cstdint>

#include "isoplane/reach.hpp"

namespace isoplane {

// Fills columns first to first + count of table[switch][switch]: the lowest port that leads nearer to the destination.
// The diagonal, and what cannot be reached, stays as it is.
void minimal_columns(Cables cables, std::size_t first, std::size_t count, std::uint16_t* table);

}  // namespace isoplane
