// Sums of distances over the span of a partial basis, and what the missing generators must add.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "isoplane/kernel.hpp"

namespace isoplane {

// The loops over all vectors, one variant for each instruction set. All variants give the same numbers.
struct SpanKernel {
  // out[v] = direct[v] + moved[v ^ generator]
  void (*add)(const std::uint16_t* direct, const std::uint16_t* moved, std::uint16_t generator, std::size_t vectors,
              std::uint16_t* out);
  // The least value | forbidden over the vectors of a coset.
  std::uint16_t (*least)(const std::uint16_t* values, const std::uint16_t* forbidden, const std::uint16_t* coset,
                         std::uint16_t chosen, std::size_t vectors);
  // Names of cosets after a vector of the coset `joined` has joined the span.
  void (*merge)(const std::uint16_t* coset, std::uint16_t joined, std::size_t vectors, std::uint16_t* out);
  // The least direct[v] + moved[v ^ generator]; sums stay below 2^16.
  std::uint16_t (*least_sum)(const std::uint16_t* direct, const std::uint16_t* moved, std::uint16_t generator,
                             std::size_t vectors);
};
SpanKernel span_kernel(Isa isa);

// A partial basis g_1 ... g_k of GF(2)^n spans H. Let y(s) be the coordinates of s in it, and d the distance in a plane
// of an offset with so many coordinates. For a vector v outside of H that is a sum of w missing generators, the offsets
// v + s, s in H, add
//     f_w(v) = sum over s of min(d(wt(v + s)), d(wt(y(s)) + w)),
// and f_0(0) is the sum over H itself. One more generator g gives f'_w(v) = f_w(v) + f_(w+1)(v + g). So the sum of
// distances of a basis is known as soon as its last generators are looked up.
class PartialSums {
 public:
  PartialSums(int n, bool folded, Isa isa);

  // Makes the tables of the first `size` + 1 generators from those of the first `size`.
  void extend(int size, std::uint16_t generator);

  int n() const { return n_; }
  int sum(int size) const { return at(size).sum; }
  // f_w of every vector, w = 1 .. n - size.
  const std::uint16_t* added(int size, int w) const { return at(size).added[static_cast<std::size_t>(w)].data(); }
  // To which coset of H each vector belongs: n - size bits, linear; 0 is H itself.
  const std::uint16_t* coset(int size) const { return at(size).coset.data(); }

  // With few generators missing, bounds are taken coset by coset.
  static constexpr int kFew = 4;
  static constexpr int kCosets = 1 << kFew;

  // What any completion adds at least. The generators still to come have at least `least_weight` coordinates.
  struct Outlook {
    int least;                      // sum of distances of a completion
    std::array<int, kCosets> rest;  // the same without f_1 of the next generator, for each coset that it may be in; the
                                    // first entry stands for all cosets where many generators are missing
  };
  Outlook outlook(int size, int least_weight) const;
  // Which entry of `rest` belongs to a vector.
  int place(int size, std::uint16_t vector) const { return n_ - size > kFew ? 0 : at(size).coset[vector]; }
  // Least f_w over a coset; f_1 over vectors with at least `least_weight` coordinates.
  int least(int size, int w, int coset, int least_weight) const;

 private:
  struct Level {
    int sum = 0;
    std::vector<std::vector<std::uint16_t>> added;  // [w][vector]
    std::vector<std::uint16_t> coset;
  };
  // A basis of the quotient by H: how many of its members each coset is a sum of.
  using Quotient = std::array<std::uint8_t, kCosets>;

  const Level& at(int size) const { return levels_[static_cast<std::size_t>(size)]; }
  void make_quotients();
  Outlook few(int size, int least_weight) const;
  Outlook many(int size, int least_weight) const;

  int n_;
  std::size_t vectors_;  // 2^n, and at least a block of the kernels
  SpanKernel kernel_;
  std::vector<Level> levels_;
  std::vector<std::vector<std::uint16_t>> too_light_;  // [least weight][vector]: all ones where it has fewer
  std::array<std::vector<Quotient>, kFew + 1> quotients_;
};

}  // namespace isoplane
