// A basis of GF(2)^n, and moves that preserve it.
#pragma once

#include <array>
#include <cstdint>

#include "isoplane/kernel.hpp"
#include "isoplane/random.hpp"

namespace isoplane {

using Columns = std::array<std::uint32_t, kMaxN>;

// A move adds `vector` to generator `column`, or exchanges two coordinates of all generators.
struct Move {
  enum class Kind : std::uint8_t { kAdd, kExchange };
  Kind kind;
  std::uint8_t column;
  std::uint8_t other;  // second coordinate of an exchange (`column` is the first)
  std::uint32_t vector;
};

class Basis {
 public:
  explicit Basis(int n);  // the unit basis
  // `generators` must be a basis; throws std::invalid_argument otherwise.
  Basis(int n, const std::uint32_t* generators);
  static Basis random(int n, Random& random);

  int n() const { return n_; }
  const std::uint32_t* rows() const { return rows_.data(); }
  const std::uint32_t* columns() const { return columns_.data(); }
  const Columns& generators() const { return columns_; }

  // The coordinates of a vector in this basis: the routing value of the paper.
  std::uint32_t coordinates(std::uint32_t vector) const {
    std::uint32_t sum = 0;
    for (std::uint32_t rest = vector; rest != 0; rest &= rest - 1)
      sum ^= inverse_[static_cast<std::size_t>(std::countr_zero(rest))];
    return sum;
  }
  // Replacing g by g + v preserves the basis if and only if the coordinates of v do not contain g.
  bool can_add(int column, std::uint32_t vector) const { return (coordinates(vector) >> column & 1u) == 0; }

  // Applies a move to the generators only; applying it again undoes it. An accepted move must be followed by `commit`.
  void apply(const Move& move);
  void commit(const Move& move);

  // A random move that preserves the basis. Exchanges of coordinates are drawn only if `exchanges`.
  Move propose(Random& random, bool exchanges) const;

 private:
  int n_;
  Columns rows_{};
  Columns columns_{};
  Columns inverse_{};  // coordinates of the unit vectors
};

}  // namespace isoplane
