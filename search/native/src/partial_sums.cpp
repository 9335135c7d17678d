#include "isoplane/partial_sums.hpp"

#include <algorithm>
#include <bit>

namespace isoplane {
namespace {

constexpr std::size_t kBlock = 16;  // of the kernels

std::size_t index(int i) { return static_cast<std::size_t>(i); }

// Hops of an offset by its weight; 0 for impossible weights, which are never read.
int distance(int n, bool folded, int weight) { return folded ? std::max(0, std::min(weight, n + 1 - weight)) : weight; }

int choose(int n, int k) {
  int result = 1;
  for (int i = 1; i <= k; ++i) result = result * (n - k + i) / i;
  return result;
}

}  // namespace

PartialSums::PartialSums(int n, bool folded, Isa isa)
    : n_(n), vectors_(std::max(kBlock, std::size_t{1} << n)), kernel_(span_kernel(isa)), levels_(index(n) + 1) {
  for (int size = 0; size <= n; ++size) {
    Level& level = levels_[index(size)];
    level.coset.assign(vectors_, 0);
    level.added.assign(index(n - size) + 1, std::vector<std::uint16_t>(vectors_, 0));
  }
  too_light_.assign(index(n) + 1, std::vector<std::uint16_t>(vectors_, 0));
  for (std::size_t v = 0; v < std::size_t{1} << n; ++v) {
    const int weight = std::popcount(v);
    levels_[0].coset[v] = static_cast<std::uint16_t>(v);
    for (int w = 1; w <= n; ++w) {
      levels_[0].added[index(w)][v] =
          static_cast<std::uint16_t>(std::min(distance(n, folded, weight), distance(n, folded, w)));
      if (weight < w) too_light_[index(w)][v] = 0xFFFF;
    }
  }
  make_quotients();
}

void PartialSums::make_quotients() {
  for (int missing = 1; missing <= std::min(kFew, n_); ++missing) {
    const auto extend = [&](auto&& self, int count, unsigned from, unsigned span, Quotient weight) -> void {
      if (count == missing) {
        quotients_[index(missing)].push_back(weight);
        return;
      }
      for (unsigned next = from; next < 1u << missing; ++next) {
        if (span >> next & 1u) continue;
        unsigned wider = span;
        Quotient sums = weight;
        for (unsigned coset = 0; coset < 1u << missing; ++coset) {
          if ((span >> coset & 1u) == 0) continue;
          wider |= 1u << (coset ^ next);
          sums[coset ^ next] = static_cast<std::uint8_t>(weight[coset] + 1);
        }
        self(self, count + 1, next + 1, wider, sums);
      }
    };
    extend(extend, 0, 1, 1, {});
  }
}

void PartialSums::extend(int size, std::uint16_t generator) {
  const Level& from = levels_[index(size)];
  Level& to = levels_[index(size) + 1];
  to.sum = from.sum + from.added[1][generator];
  for (int w = 1; w < n_ - size; ++w)
    kernel_.add(from.added[index(w)].data(), from.added[index(w) + 1].data(), generator, vectors_,
                to.added[index(w)].data());
  kernel_.merge(from.coset.data(), from.coset[generator], vectors_, to.coset.data());
}

int PartialSums::least(int size, int w, int coset, int least_weight) const {
  const Level& level = at(size);
  return kernel_.least(level.added[index(w)].data(), too_light_[index(w == 1 ? least_weight : 0)].data(),
                       level.coset.data(), static_cast<std::uint16_t>(coset), vectors_);
}

PartialSums::Outlook PartialSums::outlook(int size, int least_weight) const {
  return n_ - size > kFew ? coarse_outlook(size, least_weight) : outlook_by_coset(size, least_weight);
}

// The missing generators form some basis of the quotient space, and each coset contributes at least its minimum of f_w:
// so the minimum over all bases of the quotient is a lower bound.
PartialSums::Outlook PartialSums::outlook_by_coset(int size, int least_weight) const {
  const int missing = n_ - size;
  const std::size_t cosets = std::size_t{1} << missing;
  std::array<std::array<int, kCosets>, kFew + 1> table{};
  for (int w = 1; w <= missing; ++w)
    for (std::size_t c = 1; c < cosets; ++c) table[index(w)][c] = least(size, w, static_cast<int>(c), least_weight);
  Outlook found{0xFFFF, {}};
  found.rest.fill(0xFFFF);
  for (const Quotient& quotient : quotients_[index(missing)]) {
    int sum = at(size).sum;
    for (std::size_t c = 1; c < cosets; ++c) sum += table[quotient[c]][c];
    found.least = std::min(found.least, sum);
    for (std::size_t c = 1; c < cosets; ++c)
      if (quotient[c] == 1) found.rest[c] = std::min(found.rest[c], sum - table[1][c]);
  }
  return found;
}

// Of the cosets outside H, C(missing, w) are sums of w missing generators: a lower bound takes the smallest possible
// contributions, without fixing a basis of the quotient.
PartialSums::Outlook PartialSums::coarse_outlook(int size, int least_weight) const {
  const Level& level = at(size);
  const int missing = n_ - size;
  const auto least_outside = [&](int w) {
    const auto& values = level.added[index(w)];
    const auto& light = too_light_[index(w == 1 ? least_weight : 0)];
    std::uint16_t found = 0xFFFF;
    for (std::size_t v = 0; v < vectors_; ++v) {
      const auto inside = static_cast<std::uint16_t>(level.coset[v] == 0 ? 0xFFFF : 0);
      found = std::min(found, static_cast<std::uint16_t>(values[v] | light[v] | inside));
    }
    return static_cast<int>(found);
  };
  Outlook found{level.sum, {}};
  for (int w = 1; w <= missing; ++w) found.least += choose(missing, w) * least_outside(w);
  found.rest.fill(found.least - least_outside(1));
  return found;
}

}  // namespace isoplane
