// Vectors of 64-bit words. One specialisation per size: compilers drop vector_size attributes of dependent size.
#pragma once

#include <cstdint>

namespace isoplane {

template <int Lanes>
struct VecOf;
template <>
struct VecOf<1> {
  typedef std::uint64_t type __attribute__((vector_size(8)));
};
template <>
struct VecOf<2> {
  typedef std::uint64_t type __attribute__((vector_size(16)));
};
template <>
struct VecOf<4> {
  typedef std::uint64_t type __attribute__((vector_size(32)));
};
template <>
struct VecOf<8> {
  typedef std::uint64_t type __attribute__((vector_size(64)));
};
template <int Lanes>
using Vec = typename VecOf<Lanes>::type;

}  // namespace isoplane
