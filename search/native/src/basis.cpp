#include "isoplane/basis.hpp"

#include <bit>
#include <stdexcept>
#include <utility>

namespace isoplane {

Basis::Basis(int n) : n_(n) {
  for (int i = 0; i < n; ++i) {
    const auto k = static_cast<std::size_t>(i);
    rows_[k] = columns_[k] = inverse_[k] = 1u << i;
  }
}

Basis::Basis(int n, const std::uint32_t* generators) : Basis(n) {
  // Starting from the unit basis, each generator replaces one of its vectors; earlier generators are never replaced.
  std::uint32_t taken = 0;
  Columns place{};
  for (int k = 0; k < n; ++k) {
    const std::uint32_t free = generators[k] >> n == 0 ? coordinates(generators[k]) & ~taken : 0;
    if (free == 0) throw std::invalid_argument("the generators are not a basis");
    const int column = std::countr_zero(free);
    taken |= 1u << column;
    place[static_cast<std::size_t>(column)] = static_cast<std::uint32_t>(k);
    const Move move{Move::Kind::kAdd, static_cast<std::uint8_t>(column), 0,
                    generators[k] ^ columns_[static_cast<std::size_t>(column)]};
    apply(move);
    commit(move);
  }
  // Restore the order of the caller, in the columns and in the bits of coordinates.
  Columns ordered{};
  for (int c = 0; c < n; ++c) ordered[place[static_cast<std::size_t>(c)]] = columns_[static_cast<std::size_t>(c)];
  columns_ = ordered;
  transpose(columns_.data(), n, rows_.data());
  for (int i = 0; i < n; ++i) {
    std::uint32_t moved = 0;
    for (int c = 0; c < n; ++c)
      moved |= (inverse_[static_cast<std::size_t>(i)] >> c & 1u) << place[static_cast<std::size_t>(c)];
    inverse_[static_cast<std::size_t>(i)] = moved;
  }
}

Basis Basis::random(int n, Random& random) {
  Basis basis(n);
  for (int step = 0; step < 4 * n * n; ++step) {
    const auto column = static_cast<std::uint8_t>(random.below(static_cast<std::uint32_t>(n)));
    const std::uint32_t vector = random.below(1u << n);
    if (!basis.can_add(column, vector)) continue;
    const Move move{Move::Kind::kAdd, column, 0, vector};
    basis.apply(move);
    basis.commit(move);
  }
  return basis;
}

void Basis::apply(const Move& move) {
  if (move.kind == Move::Kind::kAdd) {
    columns_[move.column] ^= move.vector;
    for (std::uint32_t rest = move.vector; rest != 0; rest &= rest - 1)
      rows_[static_cast<std::size_t>(std::countr_zero(rest))] ^= 1u << move.column;
    return;
  }
  std::swap(rows_[move.column], rows_[move.other]);
  for (int k = 0; k < n_; ++k) {
    std::uint32_t& g = columns_[static_cast<std::size_t>(k)];
    const std::uint32_t differ = (g >> move.column ^ g >> move.other) & 1u;
    g ^= differ << move.column | differ << move.other;
  }
}

void Basis::commit(const Move& move) {
  if (move.kind == Move::Kind::kExchange) {
    std::swap(inverse_[move.column], inverse_[move.other]);
    return;
  }
  // With w the coordinates of v before the move, where bit `column` of w is 0, G' = G (I + w u^T) and so G'^-1 = (I + w
  // u^T) G^-1.
  const std::uint32_t w = coordinates(move.vector);
  for (int i = 0; i < n_; ++i) {
    std::uint32_t& c = inverse_[static_cast<std::size_t>(i)];
    c ^= c >> move.column & 1u ? w : 0u;
  }
}

Move Basis::propose(Random& random, bool exchanges) const {
  const auto n = static_cast<std::uint32_t>(n_);
  for (;;) {
    const std::uint64_t bits = random();
    const auto draw = [&bits](int shift, std::uint32_t bound) {
      return static_cast<std::uint32_t>((bits >> shift & 0xFFFFu) * bound >> 16);
    };
    const auto column = static_cast<std::uint8_t>(draw(0, n));
    const std::uint32_t other = draw(16, n);
    const std::uint32_t kind = draw(32, 16);
    if (exchanges && kind < 2) {
      if (other == column) continue;
      return {Move::Kind::kExchange, column, static_cast<std::uint8_t>(other), 0};
    }
    std::uint32_t vector;
    if (kind < 10) {
      vector = 1u << other;  // one coordinate
    } else if (kind < 14) {
      vector = 1u << other | 1u << draw(48, n);  // two coordinates: a bit moves, or one more changes
    } else {
      vector = columns_[other];  // another generator
    }
    if (vector == 0 || !can_add(column, vector)) continue;
    return {Move::Kind::kAdd, column, 0, vector};
  }
}

}  // namespace isoplane
