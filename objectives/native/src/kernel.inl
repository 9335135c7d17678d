// The kernel, shared by all instruction sets. A file includes it after its own headers with
//   count_ones<L>()   population count of a vector
//   Counters<L, M>    sums the population counts of M planes under two masks
// and inside the target region of its instruction set. Everything is in an anonymous namespace: no
// instance of one instruction set can be linked in place of another's.

namespace {

using namespace isoplane::tables;
using isoplane::Loads;
using isoplane::Vec;

template <int L>
INLINE Vec<L> load_vec(const std::uint64_t* words) {
  Vec<L> v;
  __builtin_memcpy(&v, words, sizeof v);
  return v;
}

template <int L>
INLINE Vec<L> splat(std::uint64_t word) {
  return Vec<L>{} + word;
}

// Adds M planes of weight one into bit_width(M) planes of a binary number, by full and half adders.
template <int L, int M>
INLINE void add_up(Vec<L> (&x)[M], Vec<L>* bits) {
  if constexpr (M == 1) {
    bits[0] = x[0];
  } else {
    Vec<L> carry[M / 2];
    Vec<L> sum = x[0];
#pragma GCC unroll 16
    for (int i = 1; i + 1 < M; i += 2) {
      const Vec<L> half = x[i] ^ x[i + 1];
      carry[i / 2] = (x[i] & x[i + 1]) | (sum & half);
      sum ^= half;
    }
    if constexpr (M % 2 == 0) {
      carry[M / 2 - 1] = sum & x[M - 1];
      sum ^= x[M - 1];
    }
    bits[0] = sum;
    add_up<L, M / 2>(carry, bits + 1);
  }
}

// Mask of the positions whose number in the bit planes exceeds the constant c.
template <int L, int Bits>
INLINE Vec<L> above(const Vec<L>* bits, int c) {
  Vec<L> greater{};
  Vec<L> equal = splat<L>(~std::uint64_t{0});
#pragma GCC unroll 8
  for (int b = Bits - 1; b >= 0; --b) {
    if (c >> b & 1) {
      equal &= bits[b];
    } else {
      greater |= equal & bits[b];
      equal &= ~bits[b];
    }
  }
  return greater;
}

// Replaces the weight w by n + 1 - w where fold is set: -w = ~w + 1.
template <int L, int N, int Bits>
INLINE void complement(Vec<L>* bits, Vec<L> fold) {
  constexpr unsigned kAdd = static_cast<unsigned>(N) + 2u;
  Vec<L> carry{};
#pragma GCC unroll 8
  for (int b = 0; b < Bits; ++b) {
    const Vec<L> x = bits[b] ^ fold;
    const Vec<L> y = kAdd >> b & 1u ? fold : Vec<L>{};
    bits[b] = x ^ y ^ carry;
    carry = (x & y) | (carry & (x ^ y));
  }
}

template <int N, bool Folded, int L>
struct Pass {
  static constexpr int kBlockBits = 6 + std::countr_zero(static_cast<unsigned>(L));
  static constexpr int kLow = min_int(N, kBlockBits);  // bits of y inside a block
  static constexpr int kHigh = N - kLow;
  static constexpr int kBits = distance_bits(N);
  static constexpr std::uint64_t kValid = N >= 6 ? ~std::uint64_t{0} : (std::uint64_t{1} << (1u << min_int(N, 5))) - 1;

  Vec<L> x[N];  // coordinate i of the offset
  Vec<L> distance0[kBits];
  Vec<L> fold0;  // offsets whose route in plane 0 takes the folded link
  bool is_basis = true;

  INLINE void start(const std::uint32_t* rows) {
#pragma GCC unroll 16
    for (int i = 0; i < N; ++i) {
      x[i] = splat<L>(kParity[rows[i] & 63u]);
      if constexpr (L > 1) x[i] ^= load_vec<L>(kLaneParity<L>[rows[i] >> 6 & (L - 1u)].data());
    }
  }

  // Moves to the block whose high bits differ from the current one's in bit j (Gray code).
  INLINE void flip(const std::uint32_t* rows, int j) {
#pragma GCC unroll 16
    for (int i = 0; i < N; ++i) x[i] ^= splat<L>(-static_cast<std::uint64_t>(rows[i] >> (kBlockBits + j) & 1u));
  }

  // Distances in plane 0. The rows are a basis if and only if y = 0 is the only offset mapped to the zero vector.
  INLINE void measure(bool first_block) {
    Vec<L> planes[N];
#pragma GCC unroll 16
    for (int i = 0; i < N; ++i) planes[i] = x[i];
    add_up<L, N>(planes, distance0);
    Vec<L> any = distance0[0];
#pragma GCC unroll 8
    for (int b = 1; b < kBits; ++b) any |= distance0[b];
    const Vec<L> missing = ~any & splat<L>(kValid);
    std::uint64_t zeros = missing[0] ^ static_cast<std::uint64_t>(first_block);
#pragma GCC unroll 8
    for (int lane = 1; lane < L; ++lane) zeros |= missing[lane];
    is_basis = is_basis && zeros == 0;
    if constexpr (Folded) {
      fold0 = above<L, kBits>(distance0, (N + 1) / 2);
      complement<L, N, kBits>(distance0, fold0);
    }
  }
};

// Masks of the positions where a < b and where a = b.
template <int L, int Bits>
INLINE void compare(const Vec<L>* a, const Vec<L>* b, Vec<L>& less, Vec<L>& equal) {
  less = Vec<L>{};
  equal = splat<L>(~std::uint64_t{0});
#pragma GCC unroll 8
  for (int i = Bits - 1; i >= 0; --i) {
    const Vec<L> differ = a[i] ^ b[i];
    less |= equal & differ & b[i];
    equal &= ~differ;
  }
}

// Counts the set bits at each position: a binary counter in bit planes.
template <int L, int Bits>
struct Tally {
  Vec<L> bit[Bits] = {};

  INLINE void add(Vec<L> a, Vec<L> b) {
    const Vec<L> half = a ^ b;
    Vec<L> carry = (a & b) | (bit[0] & half);
    bit[0] ^= half;
#pragma GCC unroll 16
    for (int i = 1; i < Bits; ++i) {
      const Vec<L> sum = bit[i] ^ carry;
      carry &= bit[i];
      bit[i] = sum;
    }
  }

  // Total count over the positions of the mask.
  INLINE std::int64_t under(Vec<L> mask) const {
    std::int64_t all = 0;
#pragma GCC unroll 16
    for (int i = 0; i < Bits; ++i) all += count_ones<L>(bit[i] & mask) << i;
    return all;
  }
};

template <int L>
INLINE Vec<L> low_bit(int k) {
  if (k < 6) return splat<L>(kLowBits[static_cast<unsigned>(k)]);
  return load_vec<L>(kLaneParity<L>[1u << (k - 6) & (L - 1u)].data());
}

// The packets of plane 1 by generator. There a route depends on y alone: it takes generator k if bit k of y differs
// from the use of the folded link. The low bits of y are the same in every block, so blocks are tallied first and
// counted once.
template <int N, bool Folded, int L>
struct FarSide {
  using P = Pass<N, Folded, L>;
  static constexpr int kTallyBits = P::kHigh + 2;  // up to two packets in each of 2^kHigh blocks

  Tally<L, kTallyBits> direct, folded;
  std::int64_t high_load[max_int(P::kHigh, 1)] = {};

  // `farther`, `not_nearer`: masks of the offsets where plane 0 is farther, and where it is not nearer.
  INLINE void add(Vec<L> farther, Vec<L> not_nearer, Vec<L> fold, unsigned high) {
    Vec<L> a = farther, b = not_nearer;
    std::int64_t through_folded = 0;
    if constexpr (Folded) {
      folded.add(a & fold, b & fold);
      if constexpr (P::kHigh > 0) through_folded = count_ones<L>(a & fold) + count_ones<L>(b & fold);
      a &= ~fold;
      b &= ~fold;
    }
    direct.add(a, b);
    if constexpr (P::kHigh > 0) {
      const std::int64_t straight = count_ones<L>(a) + count_ones<L>(b);
#pragma GCC unroll 16
      for (int j = 0; j < P::kHigh; ++j) high_load[j] += high >> j & 1u ? straight : through_folded;
    }
  }

  template <class Note>
  INLINE void finish(Note&& note) const {
    const std::int64_t folded_load = Folded ? folded.under(splat<L>(~std::uint64_t{0})) : 0;
#pragma GCC unroll 16
    for (int k = 0; k < P::kLow; ++k) {
      std::int64_t load = direct.under(low_bit<L>(k));
      if constexpr (Folded) load += folded.under(~low_bit<L>(k));
      note(k, load);
    }
#pragma GCC unroll 16
    for (int j = 0; j < P::kHigh; ++j) note(P::kLow + j, high_load[j]);
    if constexpr (Folded) note(N, folded_load);
  }
};

// The same for one or two blocks, where tallying does not pay.
template <int N, bool Folded, int L>
struct SmallFarSide {
  using P = Pass<N, Folded, L>;
  Counters<L, N + Folded> counters;

  INLINE void add(Vec<L> farther, Vec<L> not_nearer, Vec<L> fold, unsigned high) {
    Vec<L> used[N + Folded];
#pragma GCC unroll 16
    for (int k = 0; k < N; ++k) {
      used[k] = k < P::kLow ? low_bit<L>(k) : splat<L>(-static_cast<std::uint64_t>(high >> (k - P::kLow) & 1u));
      if constexpr (Folded) used[k] ^= fold;
    }
    if constexpr (Folded) used[N] = fold;
    counters.add(used, farther, not_nearer);
  }

  template <class Note>
  INLINE void finish(Note&& note) const {
#pragma GCC unroll 17
    for (int k = 0; k < N + Folded; ++k) note(k, counters.total(k));
  }
};

template <int N, bool Folded, int L>
void evaluate_loads(const std::uint32_t* rows, Loads& out) {
  using P = Pass<N, Folded, L>;
  P pass;
  pass.start(rows);
  Counters<L, N + Folded> near_side;
  std::conditional_t<(P::kHigh <= int{Folded}), SmallFarSide<N, Folded, L>, FarSide<N, Folded, L>> far_side;
  const Vec<L> valid = splat<L>(P::kValid);
  unsigned high = 0;
  for (unsigned block = 0; block < 1u << P::kHigh; ++block) {
    if (block != 0) {
      const int j = std::countr_zero(block);
      pass.flip(rows, j);
      high ^= 1u << j;
    }
    pass.measure(block == 0);
    const auto& side = kSides<N, Folded, L>[static_cast<unsigned>(std::popcount(high))];
    Vec<L> distance1[P::kBits];
#pragma GCC unroll 8
    for (int b = 0; b < P::kBits; ++b) distance1[b] = load_vec<L>(side.distance[b].data());
    Vec<L> nearer, tie;
    compare<L, P::kBits>(pass.distance0, distance1, nearer, tie);
    nearer &= valid;
    const Vec<L> not_farther = nearer | (tie & valid);
    Vec<L> used[N + Folded];
#pragma GCC unroll 16
    for (int i = 0; i < N; ++i) used[i] = Folded ? pass.x[i] ^ pass.fold0 : pass.x[i];
    if constexpr (Folded) used[N] = pass.fold0;
    near_side.add(used, nearer, not_farther);
    far_side.add(valid & ~not_farther, valid & ~nearer, load_vec<L>(side.fold.data()), high);
  }
  out.is_basis = pass.is_basis;
  std::int64_t total = 0;
  std::int32_t largest = 0;
  const auto note = [&](std::int32_t& place, std::int64_t load) {
    place = static_cast<std::int32_t>(load);
    total += load;
    largest = place > largest ? place : largest;
  };
#pragma GCC unroll 17
  for (int i = 0; i < N + Folded; ++i) note(out.load[0][i], near_side.total(i));
  far_side.finish([&](int k, std::int64_t load) { note(out.load[1][k], load); });
  out.sum_of_distances = total / 2;
  out.max_load = largest;
}

// Calls visit(bits) with the distances in the nearer plane of each block of offsets; returns whether the rows are a
// basis.
template <int N, bool Folded, int L, class Visit>
INLINE bool visit_distances(const std::uint32_t* rows, Visit&& visit) {
  using P = Pass<N, Folded, L>;
  P pass;
  pass.start(rows);
  unsigned high = 0;
  for (unsigned block = 0; block < 1u << P::kHigh; ++block) {
    if (block != 0) {
      const int j = std::countr_zero(block);
      pass.flip(rows, j);
      high ^= 1u << j;
    }
    pass.measure(block == 0);
    const auto& side = kSides<N, Folded, L>[static_cast<unsigned>(std::popcount(high))];
    Vec<L> distance1[P::kBits];
#pragma GCC unroll 8
    for (int b = 0; b < P::kBits; ++b) distance1[b] = load_vec<L>(side.distance[b].data());
    Vec<L> nearer, tie;
    compare<L, P::kBits>(pass.distance0, distance1, nearer, tie);
#pragma GCC unroll 8
    for (int b = 0; b < P::kBits; ++b) {
      distance1[b] = (pass.distance0[b] & nearer) | (distance1[b] & ~nearer);
      if constexpr (N < 6) distance1[b] &= splat<L>(P::kValid);
    }
    visit(distance1);
  }
  return pass.is_basis;
}

template <int N, bool Folded, int L>
std::int64_t evaluate_sum(const std::uint32_t* rows) {
  constexpr int kBits = Pass<N, Folded, L>::kBits;
  std::int64_t count[kBits] = {};
  const bool is_basis = visit_distances<N, Folded, L>(rows, [&](const Vec<L>* distance) {
#pragma GCC unroll 8
    for (int b = 0; b < kBits; ++b) count[b] += count_ones<L>(distance[b]);
  });
  if (!is_basis) return -1;
  std::int64_t sum = 0;
#pragma GCC unroll 8
  for (int b = 0; b < kBits; ++b) sum += count[b] << b;
  return sum;
}

// Keeps the larger distance at each position; then, bit by bit from the highest, the positions that have the largest.
template <int N, bool Folded, int L>
std::int32_t evaluate_diameter(const std::uint32_t* rows) {
  constexpr int kBits = Pass<N, Folded, L>::kBits;
  Vec<L> largest[kBits] = {};
  const bool is_basis = visit_distances<N, Folded, L>(rows, [&](const Vec<L>* distance) {
    Vec<L> less, equal;
    compare<L, kBits>(largest, distance, less, equal);
#pragma GCC unroll 8
    for (int b = 0; b < kBits; ++b) largest[b] = (distance[b] & less) | (largest[b] & ~less);
  });
  if (!is_basis) return -1;
  std::int32_t diameter = 0;
  Vec<L> positions = splat<L>(~std::uint64_t{0});
  for (int b = kBits - 1; b >= 0; --b) {
    const Vec<L> having = positions & largest[b];
    if (count_ones<L>(having) == 0) continue;
    positions = having;
    diameter |= 1 << b;
  }
  return diameter;
}

template <int L, int N = isoplane::kMinN>
isoplane::Kernel select(int n, bool folded) {
  if constexpr (N < isoplane::kMaxN) {
    if (n != N) return select<L, N + 1>(n, folded);
  }
  // A vector never spans more than 2^N offsets.
  constexpr int kLanes = min_int(L, max_int(1, (1 << N) / 64));
  if (folded) {
    return {evaluate_loads<N, true, kLanes>, evaluate_sum<N, true, kLanes>, evaluate_diameter<N, true, kLanes>};
  }
  return {evaluate_loads<N, false, kLanes>, evaluate_sum<N, false, kLanes>, evaluate_diameter<N, false, kLanes>};
}

}  // namespace
