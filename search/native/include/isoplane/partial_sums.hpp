// Sums of distances over the span of a partial basis, and lower bounds for the missing generators.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "isoplane/kernel.hpp"

namespace isoplane {

// The loops over all vectors, one variant per instruction set, with identical results.
struct SpanKernel {
  // out[v] = direct[v] + moved[v ^ generator]
  void (*add)(const std::uint16_t* direct, const std::uint16_t* moved, std::uint16_t generator, std::size_t vectors,
              std::uint16_t* out);
  // The least value | forbidden over the vectors of a coset.
  std::uint16_t (*least)(const std::uint16_t* values, const std::uint16_t* forbidden, const std::uint16_t* coset,
                         std::uint16_t chosen, std::size_t vectors);
  // Labels of cosets after a vector of the coset `joined` has been added to the span.
  void (*merge)(const std::uint16_t* coset, std::uint16_t joined, std::size_t vectors, std::uint16_t* out);
  // The least direct[v] + moved[v ^ generator]; sums stay below 2^16.
  std::uint16_t (*least_sum)(const std::uint16_t* direct, const std::uint16_t* moved, std::uint16_t generator,
                             std::size_t vectors);
};
SpanKernel span_kernel(Isa isa);

// A partial basis g_1 ... g_k of GF(2)^n spans H. Let y(s) be the coordinates of s in it, and d(w) the distance in a
// plane of an offset with w coordinates. For a vector v outside H that is a sum of w missing generators, the offsets
// v + s, s in H, contribute
//     f_w(v) = sum over s of min(d(wt(v + s)), d(wt(y(s)) + w)),
// and f_0(0) is the sum over H itself. One more generator g gives f'_w(v) = f_w(v) + f_(w+1)(v + g), since v + H' is
// the disjoint union of v + H and v + g + H. So the sum of distances of a basis is a few table look-ups of its last
// generators.
class PartialSums {
 public:
  PartialSums(int n, bool folded, Isa isa);

  // Builds the tables of the first `size` + 1 generators from those of the first `size`.
  void extend(int size, std::uint16_t generator);

  int n() const { return n_; }
  int sum(int size) const { return at(size).sum; }
  // f_w of every vector, w = 1 .. n - size.
  const std::uint16_t* added(int size, int w) const { return at(size).added[static_cast<std::size_t>(w)].data(); }
  // The coset of H of each vector: n - size bits, linear; 0 is H itself.
  const std::uint16_t* coset(int size) const { return at(size).coset.data(); }

  // With at most this number of generators missing, bounds are computed per coset.
  static constexpr int kFew = 4;
  static constexpr int kCosets = 1 << kFew;

  // Lower bounds for any completion whose missing generators have at least `least_weight` coordinates.
  struct Outlook {
    int least;                      // on the sum of distances
    std::array<int, kCosets> rest;  // the same without f_1 of the next generator, by its coset; with many generators
                                    // missing, the first entry holds for all cosets
  };
  Outlook outlook(int size, int least_weight) const;
  // Index in `rest` of a vector.
  int place(int size, std::uint16_t vector) const { return n_ - size > kFew ? 0 : at(size).coset[vector]; }
  // Minimum of f_w over a coset; of f_1 over vectors with at least `least_weight` coordinates.
  int least(int size, int w, int coset, int least_weight) const;

 private:
  struct Level {
    int sum = 0;
    std::vector<std::vector<std::uint16_t>> added;  // [w][vector]
    std::vector<std::uint16_t> coset;
  };
  // A basis of the quotient space by H: the number of its members that sum to each coset.
  using Quotient = std::array<std::uint8_t, kCosets>;

  const Level& at(int size) const { return levels_[static_cast<std::size_t>(size)]; }
  void make_quotients();
  Outlook outlook_by_coset(int size, int least_weight) const;
  Outlook coarse_outlook(int size, int least_weight) const;

  int n_;
  std::size_t vectors_;  // 2^n, and at least a block of the kernels
  SpanKernel kernel_;
  std::vector<Level> levels_;
  std::vector<std::vector<std::uint16_t>> too_light_;  // [least weight][vector]: all ones if its weight is less
  std::array<std::vector<Quotient>, kFew + 1> quotients_;
};

}  // namespace isoplane
