// Portable variant: 64 offsets at a time.
#include <bit>
#include <cstdint>
#include <type_traits>

#include "inline.hpp"
#include "tables.hpp"
#include "vec.hpp"
#include "counter.inl"
#include "kernel.inl"

namespace isoplane::variants {

Kernel scalar(int n, bool folded) { return select<1>(n, folded); }

}  // namespace isoplane::variants
