#include "span_kernel.hpp"

#include "span_kernel.inl"

namespace isoplane {
namespace {

void add(const std::uint16_t* direct, const std::uint16_t* moved, std::uint16_t generator, std::size_t vectors,
         std::uint16_t* out) {
  for (std::size_t v = 0; v < vectors; ++v) out[v] = static_cast<std::uint16_t>(direct[v] + moved[v ^ generator]);
}

}  // namespace

SpanKernel span_kernel(Isa isa) {
#if defined(__x86_64__)
  if (isa != Isa::kScalar) return variants::span_avx2();
#endif
  static_cast<void>(isa);
  return {add, least, merge};
}

}  // namespace isoplane
