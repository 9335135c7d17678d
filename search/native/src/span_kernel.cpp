#include "span_kernel.hpp"

#include <algorithm>

#include "span_kernel.inl"

namespace isoplane {
namespace {

void add(const std::uint16_t* direct, const std::uint16_t* moved, std::uint16_t generator, std::size_t vectors,
         std::uint16_t* out) {
  for (std::size_t v = 0; v < vectors; ++v) out[v] = static_cast<std::uint16_t>(direct[v] + moved[v ^ generator]);
}

std::uint16_t least_sum(const std::uint16_t* direct, const std::uint16_t* moved, std::uint16_t generator,
                        std::size_t vectors) {
  std::uint16_t found = 0xFFFF;
  for (std::size_t v = 0; v < vectors; ++v)
    found = std::min(found, static_cast<std::uint16_t>(direct[v] + moved[v ^ generator]));
  return found;
}

}  // namespace

SpanKernel span_kernel(Isa isa) {
#if defined(__x86_64__)
  if (isa != Isa::kScalar) return variants::span_avx2();
#endif
  static_cast<void>(isa);
  return {add, least, merge, least_sum};
}

}  // namespace isoplane
