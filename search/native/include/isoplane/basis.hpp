// A basis of GF(2)^n that moves keep a basis.
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

  // The coordinates of a vector in this basis: the paper's routing value.
  std::uint32_t coordinates(std::uint32_t vector) const {
    std::uint32_t sum = 0;
    for (std::uint32_t rest = vector; rest != 0; rest &= rest - 1)
      sum ^= inverse_[static_cast<std::size_t>(std::countr_zero(rest))];
    return sum;
  }
  // g + v keeps a basis exactly when v does not contain g itself.
  bool can_add(int column, std::uint32_t vector) const { return (coordinates(vector) >> column & 1u) == 0; }

  // Applies a move to the generators alone; applying it again takes it back. `settle` then follows for a move that
  // stays.
  void apply(const Move& move);
  void settle(const Move& move);

  // A random move after which this is still a basis. Exchanges of coordinates are drawn only where a layout tells them
  // apart.
  Move propose(Random& random, bool exchanges) const;

 private:
  int n_;
  Columns rows_{};
  Columns columns_{};
  Columns inverse_{};  // coordinates of the unit vectors
};

}  // namespace isoplane
