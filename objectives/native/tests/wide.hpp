// The kernel template with the eight lanes of AVX-512, but without its instructions: the compiler splits the vectors,
// so that the logic of that variant is tested on every processor.
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

#include "../src/inline.hpp"
#include "../src/tables.hpp"
#include "../src/vec.hpp"

// Everything is inlined, so no vector crosses a call and its ABI does not matter.
#pragma GCC diagnostic ignored "-Wpsabi"

#include "../src/counter.inl"
#include "../src/kernel.inl"

inline isoplane::Kernel wide_kernel(int n, bool folded) { return select<8>(n, folded); }
