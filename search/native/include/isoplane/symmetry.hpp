// Quasi-cyclic candidates: matrices that a permutation of coordinates and generators leaves as they are.
#pragma once

#include <vector>

#include "isoplane/basis.hpp"
#include "isoplane/random.hpp"

namespace isoplane {

// The entries that change together, as masks over rows and over columns.
struct Orbit {
  Columns rows{};
  Columns columns{};
};

// One random symmetry: coordinates and generators in cycles, the same lengths on both sides, under random names. Its
// invariant matrices are the sums of its orbits; all generators of a cycle carry the same load, so loads come out even.
struct Symmetry {
  std::vector<Orbit> orbits;
  Columns unit{};  // generators of an invariant basis: the unit basis under other names

  static Symmetry random(int n, Random& random);
  // A random invariant basis, or the unit one where hardly any sum of orbits is one.
  Columns member(int n, Random& random) const;
};

}  // namespace isoplane
