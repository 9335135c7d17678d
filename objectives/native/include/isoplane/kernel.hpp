// Exact distances and loads of two hypercube planes; independent of Python.
#pragma once

#include <cstddef>
#include <cstdint>

namespace isoplane {

inline constexpr int kMinN = 2;
inline constexpr int kMaxN = 16;
inline constexpr int kMaxLinks = kMaxN + 1;  // generators of a plane, folded link included

// Results of one pass over the 2^n offsets. Each offset sends two packets, so the loads of all
// generators of both planes add up to twice the sum of distances.
struct Loads {
  std::int64_t sum_of_distances;
  std::int32_t load[2][kMaxLinks];  // [plane][generator]; the folded link comes last
  std::int32_t max_load;
  std::int32_t diameter;  // only computed where a score needs it, like the following
  std::int32_t detour;    // hops that the ends of a lost cable of the worst generator are farther apart
  bool is_basis;
};

// Bit k of rows[i] is coordinate i of generator k of plane 1.
using EvaluateLoads = void (*)(const std::uint32_t* rows, Loads& out);
// Computing only the sum is cheaper; -1 if the rows are not a basis.
using EvaluateSum = std::int64_t (*)(const std::uint32_t* rows);
// The largest distance in the nearer plane; -1 if the rows are not a basis.
using EvaluateDiameter = std::int32_t (*)(const std::uint32_t* rows);

struct Kernel {
  EvaluateLoads loads;
  EvaluateSum sum;
  EvaluateDiameter diameter;
};

enum class Isa { kScalar = 0, kAvx2 = 1, kAvx512 = 2 };
inline constexpr int kIsaCount = 3;

const char* isa_name(Isa isa);
bool isa_available(Isa isa);
// The instruction set named by ISOPLANE_ISA, by default the widest available one.
// Throws std::runtime_error if the named one is unknown or not available.
Isa chosen_isa();
// n within [kMinN, kMaxN]; isa must be available.
Kernel kernel_for(int n, bool folded, Isa isa);

// Rows from columns and back: the transpose of an n x n matrix over GF(2).
void transpose(const std::uint32_t* columns, int n, std::uint32_t* rows);

// Output arrays of a batch; `loads` may be null.
struct BatchResults {
  std::int64_t* sums;
  std::int64_t* max_loads;
  std::int32_t* loads;
};

// Evaluates a batch of rows of n generators; returns the first row that is not a basis, or -1.
std::int64_t evaluate_rows(const Kernel& kernel, const std::uint32_t* columns, std::size_t batch, std::size_t n,
                           std::size_t links, BatchResults out);

}  // namespace isoplane
