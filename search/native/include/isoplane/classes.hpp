// Symmetry classes of sets of vectors under permutations of coordinates, each generated once: canonical augmentation
// (McKay, Isomorph-free exhaustive generation, 1998).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace isoplane {

inline constexpr int kExactMaxN = 10;

using Vectors = std::array<std::uint16_t, kExactMaxN>;     // of a set; entries beyond its size are 0
using Permutation = std::array<std::uint8_t, kExactMaxN>;  // image of each coordinate

// Hamming weight of every vector.
inline constexpr auto kWeights = [] {
  std::array<std::uint8_t, std::size_t{1} << kExactMaxN> weights{};
  for (std::size_t v = 1; v < weights.size(); ++v) weights[v] = static_cast<std::uint8_t>(weights[v >> 1] + (v & 1));
  return weights;
}();
inline int weight(std::uint32_t vector) { return kWeights[vector]; }

std::uint16_t permuted(const Permutation& permutation, std::uint16_t vector);

// All permutations of the n coordinates that map a set onto itself.
std::vector<Permutation> automorphisms(int n, const Vectors& set, int size);

// A set, whose children are obtained by adding one vector. Each child has one canonical parent: the child without its
// distinguished vector, which has maximum weight and, among those, is maximal in a sequence of ever finer invariants of
// the child, until the remaining ones are images of each other under automorphisms. A child is accepted only from its
// canonical parent, and of vectors in one orbit of the parent's automorphisms only the smallest is added: so each class
// of sets is reached exactly once from the empty set.
class PartialSet {
 public:
  // `symmetries`: order of the automorphism group of the set.
  PartialSet(int n, const Vectors& set, int size, std::int64_t symmetries);

  // Minimum weight of a vector to be distinguished in a child.
  int least_weight() const { return greatest_; }
  // Order of the automorphism group of the child with this vector, or 0 if this set is not its canonical parent or the
  // vector is not the smallest of its orbit. The vector must not be in the set.
  std::int64_t child_automorphisms(std::uint16_t vector) const;
  // A cheap necessary condition; children that satisfy it reach each class at least once.
  bool may_be_parent_of(std::uint16_t vector) const;

 private:
  // The members that may be distinguished in the child instead of the vector, by the first invariant.
  struct Candidates {
    bool beaten = false;  // a member is greater, so the vector is not distinguished
    int count = 0;
    std::array<std::uint8_t, kExactMaxN> member{};
  };
  Candidates candidates(std::uint16_t vector) const;
  int orbit_size(std::uint16_t vector, const Candidates& equal) const;

  int n_;
  int size_;
  Vectors set_;
  std::int64_t symmetries_;
  int greatest_ = 0;                                 // maximum weight of a member
  std::array<std::uint64_t, kExactMaxN> profile_{};  // first invariant of the members of maximum weight
  std::vector<Permutation> automorphisms_;           // if there is more than the identity
};

// The last step, from a set of n - 2 vectors to bases; the set may have passed only the cheap test of its parent.
class LastTwo {
 public:
  LastTwo(int n, const Vectors& set) : n_(n), size_(n - 2), set_(set) {}

  // Whether the basis of the set and these two vectors is to be evaluated here: true at least once for each class, and
  // rarely more than once.
  bool accepts(std::uint16_t one, std::uint16_t other);

 private:
  // Weight and first invariant of a vector; the distinguished vector has the maximum.
  using Rank = std::pair<int, std::uint64_t>;
  void prepare();
  bool may_follow(std::uint16_t one, std::uint16_t last) const;
  bool first_of_orbit(std::uint16_t one, std::uint16_t other) const;

  int n_;
  int size_;
  Vectors set_;
  bool prepared_ = false;
  bool canonical_ = true;                   // whether the set is reached from its canonical parent
  std::vector<Permutation> automorphisms_;  // if there is more than the identity
  std::array<Rank, kExactMaxN> rank_{};     // of the members
};

}  // namespace isoplane
