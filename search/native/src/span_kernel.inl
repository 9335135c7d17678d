// The portable loops of SpanKernel, vectorised by the compiler for the current instruction set. In an anonymous
// namespace, so that the linker cannot merge instances for different instruction sets.

namespace {

std::uint16_t least(const std::uint16_t* values, const std::uint16_t* forbidden, const std::uint16_t* coset,
                    std::uint16_t chosen, std::size_t vectors) {
  std::uint16_t found = 0xFFFF;
  for (std::size_t v = 0; v < vectors; ++v) {
    const auto elsewhere = static_cast<std::uint16_t>(coset[v] == chosen ? 0 : 0xFFFF);
    const auto value = static_cast<std::uint16_t>(values[v] | forbidden[v] | elsewhere);
    found = value < found ? value : found;
  }
  return found;
}

// The lowest set bit of `joined` is eliminated, and the bits above it move down.
void merge(const std::uint16_t* coset, std::uint16_t joined, std::size_t vectors, std::uint16_t* out) {
  const auto pivot = static_cast<std::uint16_t>(joined & -joined);
  const auto below = static_cast<std::uint16_t>(pivot - 1);
  for (std::size_t v = 0; v < vectors; ++v) {
    const auto has = static_cast<std::uint16_t>((coset[v] & pivot) != 0 ? 0xFFFF : 0);
    const auto sum = static_cast<std::uint16_t>(coset[v] ^ (joined & has));
    out[v] = static_cast<std::uint16_t>((sum & below) | (sum >> 1 & ~below));
  }
}

}  // namespace
