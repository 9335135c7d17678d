// Sets of vectors up to permutations of coordinates, each met once: canonical augmentation (McKay, Isomorph-free
// exhaustive generation, 1998).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace isoplane {

inline constexpr int kExactMaxN = 10;

using Vectors = std::array<std::uint16_t, kExactMaxN>;     // of a set, as many as its size says; the others are 0
using Permutation = std::array<std::uint8_t, kExactMaxN>;  // where each coordinate goes

// The number of coordinates that a vector has.
inline constexpr auto kWeights = [] {
  std::array<std::uint8_t, std::size_t{1} << kExactMaxN> weights{};
  for (std::size_t v = 1; v < weights.size(); ++v) weights[v] = static_cast<std::uint8_t>(weights[v >> 1] + (v & 1));
  return weights;
}();
inline int weight(std::uint32_t vector) { return kWeights[vector]; }

std::uint16_t permuted(const Permutation& permutation, std::uint16_t vector);

// All permutations of the n coordinates that map a set onto itself.
std::vector<Permutation> automorphisms(int n, const Vectors& set, int size);

// A set whose children are itself and one more vector. Of the parents of a child one is canonical: the child without
// its distinguished vector, which is of greatest weight and, among these, greatest in invariants of the child that get
// finer and finer until those that are left are images of each other. A child is adopted by its canonical parent alone,
// and of vectors that automorphisms of the parent exchange only the smallest makes a child: so each class of sets is
// reached exactly once from the empty set.
class Parent {
 public:
  // `symmetries`: how many automorphisms the set has.
  Parent(int n, const Vectors& set, int size, std::int64_t symmetries);

  // The weight that a vector needs to become a child's distinguished one.
  int least_weight() const { return greatest_; }
  // The automorphisms of the child with this vector, or 0 when it is not adopted. The vector is not in the set.
  std::int64_t adopts(std::uint16_t vector) const;
  // A necessary condition that is cheap to test; children that meet it reach each class at least once.
  bool may_adopt(std::uint16_t vector) const;

 private:
  // The members that could be distinguished in the child instead of the vector, by the first invariant.
  struct Rivals {
    bool beaten = false;  // one of them is greater
    int count = 0;
    std::array<std::uint8_t, kExactMaxN> member{};
  };
  Rivals rivals(std::uint16_t vector) const;
  int orbit(std::uint16_t vector, const Rivals& equal) const;

  int n_;
  int size_;
  Vectors set_;
  std::int64_t symmetries_;
  int greatest_ = 0;                                 // weight of a member
  std::array<std::uint64_t, kExactMaxN> profile_{};  // first invariant of the members of greatest weight, in the set
  std::vector<Permutation> automorphisms_;           // where there are more than one
};

// The last step to the bases that contain a set of n - 2 vectors, which the quick test of a parent may have let
// through.
class LastTwo {
 public:
  LastTwo(int n, const Vectors& set) : n_(n), size_(n - 2), set_(set) {}

  // Whether a class of bases, the set and these two vectors, should be looked at here: true in one place at least, and
  // seldom in more.
  bool meets(std::uint16_t one, std::uint16_t other);

 private:
  // Weight and first invariant of a vector; those with the greatest are distinguished, or may be.
  using Rank = std::pair<int, std::uint64_t>;
  void prepare();
  bool may_follow(std::uint16_t one, std::uint16_t last) const;
  bool first_of_orbit(std::uint16_t one, std::uint16_t other) const;

  int n_;
  int size_;
  Vectors set_;
  bool prepared_ = false;
  bool adopted_ = true;                     // by its canonical parent
  std::vector<Permutation> automorphisms_;  // where there are more than one
  std::array<Rank, kExactMaxN> rank_{};     // of the members, in the set
};

}  // namespace isoplane
