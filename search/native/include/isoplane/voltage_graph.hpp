// Regular graphs on which a group acts freely, as their quotient with voltages (Gross and Tucker, 1987).
//
// The vertices are (o, g), for orbits o and elements g of a group. An orbit has `degree` stubs; a stub of orbit o that
// is joined to one of orbit p with the voltage y stands for the edges from (o, g) to (p, g y), for all g. A stub that
// is joined to itself has a voltage y with y y = 1. With the group of one element, these are all regular graphs.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "isoplane/random.hpp"

namespace isoplane {

// The semidirect product of an abelian group and a cyclic one: elements (v, j), v = (i, l) with i below a, l below c,
// and j below b; (v, j) (v', j') = (v + M^j v', j + j'), where the matrix M is an automorphism of Z_a x Z_c with M^b
// = 1. With M = 1 it is a direct product.
class Group {
 public:
  using Matrix = std::array<std::uint32_t, 4>;  // i' = m0 i + m1 l modulo a, l' = m2 i + m3 l modulo c

  Group(std::uint32_t a, std::uint32_t c, std::uint32_t b, const Matrix& matrix);  // throws std::invalid_argument

  std::uint32_t order() const { return a_ * c_ * b_; }
  std::uint32_t times(std::uint32_t one, std::uint32_t other) const;
  std::uint32_t inverse(std::uint32_t element) const;
  const std::vector<std::uint32_t>& involutions() const { return involutions_; }  // y != 1 with y y = 1

  struct Pair {
    std::uint32_t i, l;
  };
  // M^j v of all v, for one j after the other: what `multiply_all` needs, many times as large as the group itself.
  std::vector<Pair> images() const;
  // Writes the products of all elements with another one, each with a number added, at every `step`-th place.
  void multiply_all(const std::vector<Pair>& images, std::uint32_t other, std::uint32_t added, std::uint32_t* out,
                    std::size_t step) const;

 private:
  Pair image(std::uint32_t j, std::uint32_t element) const;  // M^j v of an element (v, ...)

  std::uint32_t a_, c_, b_;
  std::vector<Matrix> power_;  // M^j
  std::vector<std::uint32_t> involutions_;
};

class VoltageGraph {
 public:
  struct Joint {
    std::uint32_t stub, mate, voltage;
  };

  // All stubs are free until they are joined.
  VoltageGraph(Group group, std::uint32_t orbits, std::uint32_t degree);

  const Group& group() const { return group_; }
  std::uint32_t stubs() const { return static_cast<std::uint32_t>(mate_.size()); }
  std::uint32_t degree() const { return degree_; }
  std::uint32_t vertices() const { return static_cast<std::uint32_t>(next_.size() / degree_); }
  Joint joint(std::uint32_t stub) const { return {stub, mate_[stub], voltage_[stub]}; }
  // Joins two stubs, or a stub to itself, whatever they were joined to.
  void join(std::uint32_t stub, std::uint32_t mate, std::uint32_t voltage);

  // The `degree` neighbours of each vertex. Rows of stubs that were joined anew are written now: most moves are refused
  // before, as they make parallel edges.
  const std::uint32_t* next() const;
  // The vertices (o, 1), one of each orbit.
  std::vector<std::uint32_t> representatives() const;
  // Number of neighbours of a vertex of an orbit that are itself, or come twice; and of one vertex of each orbit.
  std::uint32_t clashes_at(std::uint32_t orbit) const;
  std::uint32_t clashes() const;
  // Both ends of each edge of a simple graph, in ascending order.
  std::vector<std::uint32_t> edges() const;

 private:
  void change(std::uint32_t stub, std::uint32_t mate, std::uint32_t voltage);

  Group group_;
  std::vector<Group::Pair> images_;
  std::uint32_t degree_;
  std::vector<std::uint32_t> mate_, voltage_;
  std::vector<std::uint32_t> first_;  // of each stub: the neighbour of its vertex (o, 1)
  mutable std::vector<std::uint32_t> next_;
  mutable std::vector<std::uint32_t> stale_;  // stubs that may differ from `next_`, and whether they do of each
  mutable std::vector<char> is_stale_;
  mutable std::vector<std::uint64_t> seen_;  // of each vertex: the last count of clashes that came to it
  mutable std::uint64_t counts_ = 0;
};

// A move: up to four stubs are joined anew. It can be undone, and then made again.
class GraphMove {
 public:
  // Draws a move of a stub, and makes it; false, without a change, if there is none.
  bool make(VoltageGraph& graph, Random& random, std::uint32_t stub);
  void undo(VoltageGraph& graph);
  void redo(VoltageGraph& graph) const;
  // The orbits of the stubs that were joined anew.
  std::span<const std::uint32_t> orbits(const VoltageGraph& graph);
  // Number of neighbours of the vertices of the changed stubs that are themselves, or come twice; 0 if none do.
  std::uint32_t clashes(const VoltageGraph& graph) const;

 private:
  bool exchange(VoltageGraph& graph, Random& random, std::uint32_t other);

  std::array<VoltageGraph::Joint, 2> before_;
  std::array<VoltageGraph::Joint, 4> after_;  // of the same stubs, once undone
  std::array<std::uint32_t, 4> orbits_;
  std::size_t changed_ = 0;
};

}  // namespace isoplane
