// Quasi-cyclic candidates: matrices invariant under a permutation of coordinates and generators.
#pragma once

#include <vector>

#include "isoplane/basis.hpp"
#include "isoplane/random.hpp"

namespace isoplane {

// Entries of a matrix that change together, as masks over rows and over columns.
struct Orbit {
  Columns rows{};
  Columns columns{};
};

// A random symmetry: coordinates and generators in cycles of equal lengths, randomly relabelled. Its invariant matrices
// are the sums of its orbits; all generators of a cycle carry the same load, so that loads are balanced.
struct Symmetry {
  std::vector<Orbit> orbits;
  Columns unit{};  // generators of an invariant basis: the unit basis relabelled

  static Symmetry random(int n, Random& random);
  // A random invariant basis, or the unit one if hardly any sum of orbits is a basis.
  Columns member(int n, Random& random) const;
};

}  // namespace isoplane
