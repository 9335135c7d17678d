// Selects the instruction set: one table, one environment variable; and evaluates batches with it.
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>

#include "inline.hpp"

namespace isoplane {
namespace {

constexpr const char* kNames[kIsaCount] = {"scalar", "avx2", "avx512"};

}  // namespace

const char* isa_name(Isa isa) { return kNames[static_cast<int>(isa)]; }

bool isa_available(Isa isa) {
#if defined(__x86_64__)
  if (isa == Isa::kAvx2) return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt");
  if (isa == Isa::kAvx512)
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vpopcntdq");
#endif
  return isa == Isa::kScalar;
}

Isa chosen_isa() {
  const char* forced = std::getenv("ISOPLANE_ISA");
  for (int i = kIsaCount - 1; i >= 0; --i) {
    const Isa isa = static_cast<Isa>(i);
    if (forced == nullptr || *forced == '\0') {
      if (isa_available(isa)) return isa;
    } else if (std::strcmp(forced, isa_name(isa)) == 0) {
      if (isa_available(isa)) return isa;
      throw std::runtime_error(std::string("ISOPLANE_ISA=") + forced + ": this processor lacks it");
    }
  }
  throw std::runtime_error(std::string("ISOPLANE_ISA=") + forced + ": expected scalar, avx2, avx512");
}

Kernel kernel_for(int n, bool folded, Isa isa) {
#if defined(__x86_64__)
  if (isa == Isa::kAvx512) return variants::avx512(n, folded);
  if (isa == Isa::kAvx2) return variants::avx2(n, folded);
#endif
  static_cast<void>(isa);
  return variants::scalar(n, folded);
}

void transpose(const std::uint32_t* columns, int n, std::uint32_t* rows) {
  // 16 x 16 bits in four words of four rows each; three exchanges inside words, then two between words.
  std::uint64_t w[4] = {};
  for (int k = 0; k < n; ++k) w[k >> 2] |= static_cast<std::uint64_t>(columns[k] & 0xFFFFu) << (16 * (k & 3));
  const auto exchange = [](std::uint64_t v, int shift, std::uint64_t mask) {
    const std::uint64_t t = (v ^ v >> shift) & mask;
    return v ^ t ^ t << shift;
  };
  for (auto& v : w) {
    v = exchange(v, 15, 0x0000AAAA0000AAAAu);
    v = exchange(v, 30, 0x00000000CCCCCCCCu);
  }
  const auto swap_blocks = [](std::uint64_t& a, std::uint64_t& b, int shift, std::uint64_t mask) {
    const std::uint64_t t = (a >> shift ^ b) & mask;
    b ^= t;
    a ^= t << shift;
  };
  swap_blocks(w[0], w[1], 4, 0x0F0F0F0F0F0F0F0Fu);
  swap_blocks(w[2], w[3], 4, 0x0F0F0F0F0F0F0F0Fu);
  swap_blocks(w[0], w[2], 8, 0x00FF00FF00FF00FFu);
  swap_blocks(w[1], w[3], 8, 0x00FF00FF00FF00FFu);
  for (int i = 0; i < n; ++i) rows[i] = static_cast<std::uint32_t>(w[i >> 2] >> (16 * (i & 3)) & 0xFFFFu);
}

std::int64_t evaluate_rows(const Kernel& kernel, const std::uint32_t* columns, std::size_t batch, std::size_t n,
                           std::size_t links, BatchResults out) {
  std::int64_t first_bad = -1;
  for (std::size_t b = 0; b < batch; ++b, columns += n) {
    std::uint32_t rows[kMaxN];
    transpose(columns, static_cast<int>(n), rows);
    Loads found;
    kernel.loads(rows, found);
    std::uint32_t used = 0;
    for (std::size_t k = 0; k < n; ++k) used |= columns[k];
    if ((!found.is_basis || used >> n != 0) && first_bad < 0) first_bad = static_cast<std::int64_t>(b);
    out.sums[b] = found.sum_of_distances;
    out.max_loads[b] = found.max_load;
    if (out.loads == nullptr) continue;
    for (std::size_t plane = 0; plane < 2; ++plane)
      for (std::size_t k = 0; k < links; ++k) *out.loads++ = found.load[plane][k];
  }
  return first_bad;
}

}  // namespace isoplane
