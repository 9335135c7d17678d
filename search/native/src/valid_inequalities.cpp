#include "isoplane/valid_inequalities.hpp"

#include <algorithm>

namespace isoplane {
namespace {

// Lower bound for a plane of given load. With lengths a_1 >= ... >= a_m in a plane of load P, by Abel summation,
//     sum of load_k a_k = sum over k of (a_k - a_(k+1)) (load of the k longest) + a_m P,
// and the k longest carry at least the minimum for k links, and at least P less the maximum for m - k links.
std::int64_t least_of_plane(std::int64_t load, std::span<const std::int64_t> ascending, const LoadRanges& ranges) {
  const std::size_t m = ascending.size();
  std::int64_t total = load * ascending[0];
  for (std::size_t k = 1; k < m; ++k) {
    const std::int64_t fall = ascending[m - k] - ascending[m - k - 1];
    if (fall > 0) total += fall * std::max(ranges[k].least, load - ranges[m - k].most);
  }
  return total;
}

}  // namespace

ValidInequalities::ValidInequalities(int n, bool folded) {
  const std::int64_t switches = std::int64_t{1} << n;
  const std::int64_t links = n + (folded ? 1 : 0);
  LoadRanges ranges;
  for (std::int64_t k = 0; k <= links; ++k) ranges.push_back({0, k * switches});
  // A distance is at most that in plane 0, and those add up to n 2^n / 2.
  loads_.assign(static_cast<std::size_t>(n * switches / 2 + 1), ranges);
}

// The load is split between the planes at the minimum of the total, a convex function of the split.
std::optional<std::int64_t> ValidInequalities::least_load_mm(std::int64_t sum, std::span<const std::int64_t> plane0,
                                                             std::span<const std::int64_t> plane1) const {
  if (sum > largest_sum()) return std::nullopt;
  const LoadRanges& ranges = loads_[static_cast<std::size_t>(sum)];
  const LoadRange plane = ranges.back();
  const std::int64_t shift = std::min(plane.most - sum, sum - plane.least);
  if (shift < 0) return std::nullopt;
  const auto total = [&](std::int64_t load) {
    return least_of_plane(load, plane0, ranges) + least_of_plane(2 * sum - load, plane1, ranges);
  };
  std::int64_t low = sum - shift, high = sum + shift;
  while (low < high) {
    const std::int64_t middle = low + (high - low) / 2;
    if (total(middle) <= total(middle + 1))
      high = middle;
    else
      low = middle + 1;
  }
  return total(low);
}

}  // namespace isoplane
