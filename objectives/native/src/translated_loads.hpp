// Link loads of networks whose routes depend on offsets only.
#pragma once

#include <cstdint>

#include "isoplane/general.hpp"

namespace isoplane {

// As `add_loads`, several ends at a time; false, and nothing is added, unless all switches have the same row, all
// groups and all ends have as many links in a plane, those of each to one switch, the same in all planes, translations
// preserve all cables that routes take, and all routes lead to their destinations.
bool add_translated_loads(const LoadTask& task, std::int64_t parts, const LoadSums& sums);

// The number of ways that share a packet without weights, if it is the same for all pairs of nodes under the same
// conditions; else 0.
std::int64_t translated_ways(const LoadTask& task);

}  // namespace isoplane
