#include "isoplane/classes.hpp"

#include <algorithm>
#include <bit>

namespace isoplane {
namespace {

// A mixing bijection of words; sums of mixed words identify multisets up to rare collisions. A collision only falls
// through to a finer test, and the last one compares the sets themselves.
std::uint64_t scatter(std::uint64_t z) {
  z = (z ^ z >> 32) * 0xD6E8FEB86659FD93u;
  z = (z ^ z >> 32) * 0xD6E8FEB86659FD93u;
  return z ^ z >> 32;
}

// Contribution of a member to the first invariant of another: its weight, the weight of their intersection, the weight
// of the other.
struct Profiles {
  std::uint64_t contribution[kExactMaxN + 1][kExactMaxN + 1][kExactMaxN + 1];
  Profiles() {
    std::uint64_t count = 0;
    for (auto& own : contribution)
      for (auto& shared : own)
        for (auto& other : shared) other = scatter(++count * 0x9E3779B97F4A7C15u);
  }
};
const Profiles kProfiles;

std::uint64_t profile(std::uint16_t member, std::uint16_t other) {
  return kProfiles.contribution[weight(member)][weight(member & other)][weight(other)];
}

// Colours of coordinates and members that are invariant under permutations of both.
struct Colours {
  std::array<std::uint64_t, kExactMaxN> coordinate{};
  std::array<std::uint64_t, kExactMaxN> member{};
};

class Labelling {
 public:
  Labelling(int n, const Vectors& set, int size) : n_(n), size_(size), set_(set) {}

  // `marked`: a member with a unique colour, or -1.
  Colours colours(int marked) const {
    Colours found;
    for (int e = 0; e < size_; ++e) found.member[at(e)] = static_cast<std::uint64_t>(e == marked);
    return found;
  }

  // Colour refinement: members by the colours of their coordinates, coordinates by those of their members. Three rounds
  // distinguish nearly everything that refinement can.
  void refine(Colours& colours) const {
    for (int round = 0; round < 3; ++round) {
      std::array<std::uint64_t, kExactMaxN> sum{};
      for (int e = 0; e < size_; ++e) {
        std::uint64_t own = colours.member[at(e)] * 3;
        for (unsigned rest = set_[at(e)]; rest != 0; rest &= rest - 1) own += colours.coordinate[low(rest)] | 1;
        colours.member[at(e)] = scatter(own);
        for (unsigned rest = set_[at(e)]; rest != 0; rest &= rest - 1) sum[low(rest)] += colours.member[at(e)];
      }
      for (int c = 0; c < n_; ++c) colours.coordinate[at(c)] = scatter(colours.coordinate[at(c)] * 5 + sum[at(c)]);
    }
  }

  // The minimum image of the set over all labellings consistent with the colours, the marked member first, and the
  // labellings that attain it.
  struct Least {
    Vectors image{};
    std::vector<Permutation> labellings;
  };
  Least least(int marked) const {
    Least found;
    search(colours(marked), marked, found);
    return found;
  }

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  static std::size_t low(unsigned bits) { return static_cast<std::size_t>(std::countr_zero(bits)); }

  void search(Colours colours, int marked, Least& least) const {
    refine(colours);
    Permutation order{};
    for (int c = 0; c < n_; ++c) order[at(c)] = static_cast<std::uint8_t>(c);
    const auto colour = [&](int place) { return colours.coordinate[order[at(place)]]; };
    std::sort(order.begin(), order.begin() + n_,
              [&](auto a, auto b) { return colours.coordinate[a] < colours.coordinate[b]; });
    int begin = 0;
    while (begin + 1 < n_ && colour(begin) != colour(begin + 1)) ++begin;
    if (begin + 1 >= n_) return note(order, marked, least);
    // Branch on the first coordinates of equal colour: each in turn is placed before the others.
    for (int place = begin; place < n_ && colour(place) == colour(begin); ++place) {
      Colours split = colours;
      split.coordinate[order[at(place)]] = scatter(colour(place) + 1);
      search(split, marked, least);
    }
  }

  void note(const Permutation& order, int marked, Least& least) const {
    Permutation labelling{};
    for (int place = 0; place < n_; ++place) labelling[order[at(place)]] = static_cast<std::uint8_t>(place);
    Vectors image{};
    for (int e = 0; e < size_; ++e) image[at(e)] = permuted(labelling, set_[at(e)]);
    if (marked >= 0) std::swap(image[0], image[at(marked)]);
    std::sort(image.begin() + (marked >= 0), image.begin() + size_);
    if (least.labellings.empty() || image < least.image) least = {image, {}};
    if (image == least.image) least.labellings.push_back(labelling);
  }

  int n_;
  int size_;
  Vectors set_;
};

}  // namespace

std::uint16_t permuted(const Permutation& permutation, std::uint16_t vector) {
  unsigned image = 0;
  for (unsigned rest = vector; rest != 0; rest &= rest - 1)
    image |= 1u << permutation[static_cast<std::size_t>(std::countr_zero(rest))];
  return static_cast<std::uint16_t>(image);
}

std::vector<Permutation> automorphisms(int n, const Vectors& set, int size) {
  std::vector<Permutation> all = Labelling(n, set, size).least(-1).labellings;
  Permutation inverse{};  // of the first labelling
  for (std::uint8_t c = 0; c < n; ++c) inverse[all[0][c]] = c;
  for (Permutation& labelling : all)
    for (std::size_t c = 0; c < static_cast<std::size_t>(n); ++c) labelling[c] = inverse[labelling[c]];
  return all;
}

PartialSet::PartialSet(int n, const Vectors& set, int size, std::int64_t symmetries)
    : n_(n), size_(size), set_(set), symmetries_(symmetries) {
  for (int e = 0; e < size; ++e) greatest_ = std::max(greatest_, weight(set[static_cast<std::size_t>(e)]));
  for (std::size_t e = 0; e < static_cast<std::size_t>(size); ++e) {
    if (weight(set[e]) != greatest_) continue;
    for (std::size_t other = 0; other < static_cast<std::size_t>(size); ++other)
      profile_[e] += profile(set[other], set[e]);
  }
  if (symmetries > 1) automorphisms_ = automorphisms(n, set, size);
}

PartialSet::Candidates PartialSet::candidates(std::uint16_t vector) const {
  Candidates equal;
  if (weight(vector) > greatest_) return equal;
  std::uint64_t own = profile(vector, vector);
  for (std::size_t e = 0; e < static_cast<std::size_t>(size_); ++e) own += profile(set_[e], vector);
  for (std::size_t e = 0; e < static_cast<std::size_t>(size_); ++e) {
    if (weight(set_[e]) != greatest_) continue;
    const std::uint64_t other = profile_[e] + profile(vector, set_[e]);
    if (other > own) return {true, 0, {}};
    if (other == own) equal.member[static_cast<std::size_t>(equal.count++)] = static_cast<std::uint8_t>(e);
  }
  return equal;
}

bool PartialSet::may_be_parent_of(std::uint16_t vector) const {
  return weight(vector) >= greatest_ && !candidates(vector).beaten;
}

std::int64_t PartialSet::child_automorphisms(std::uint16_t vector) const {
  if (weight(vector) < greatest_) return 0;
  std::int64_t fixing = 1;  // automorphisms of the parent that fix the vector
  if (symmetries_ > 1) {
    fixing = 0;
    for (const Permutation& permutation : automorphisms_) {
      const std::uint16_t image = permuted(permutation, vector);
      if (image < vector) return 0;
      fixing += image == vector;
    }
  }
  const Candidates equal = candidates(vector);
  if (equal.beaten) return 0;
  return equal.count == 0 ? fixing : fixing * orbit_size(vector, equal);
}

// Size of the orbit of the vector under the automorphisms of the child; 0 if another member is distinguished. By the
// orbit-stabiliser theorem, this times the order of the stabiliser is the order of the automorphism group of the child.
int PartialSet::orbit_size(std::uint16_t vector, const Candidates& equal) const {
  Vectors child = set_;
  child[static_cast<std::size_t>(size_)] = vector;
  const Labelling labelling(n_, child, size_ + 1);
  Colours colours = labelling.colours(-1);
  labelling.refine(colours);
  const std::uint64_t own = colours.member[static_cast<std::size_t>(size_)];
  Vectors image{};
  int count = 1;
  for (int i = 0; i < equal.count; ++i) {
    const std::uint8_t member = equal.member[static_cast<std::size_t>(i)];
    if (colours.member[member] > own) return 0;
  }
  for (int i = 0; i < equal.count; ++i) {
    const std::uint8_t member = equal.member[static_cast<std::size_t>(i)];
    if (colours.member[member] != own) continue;
    if (count == 1 && image[0] == 0) image = labelling.least(size_).image;
    const Vectors other = labelling.least(member).image;
    if (other > image) return 0;
    count += other == image;
  }
  return count;
}

bool LastTwo::accepts(std::uint16_t one, std::uint16_t other) {
  if (!prepared_) prepare();
  return canonical_ && (may_follow(one, other) || may_follow(other, one)) && first_of_orbit(one, other);
}

void LastTwo::prepare() {
  prepared_ = true;
  std::int64_t symmetries = 1;
  for (int i = 2; i <= n_; ++i) symmetries *= i;
  if (size_ > 0) {
    Vectors before = set_;
    before[static_cast<std::size_t>(size_ - 1)] = 0;
    symmetries =
        PartialSet(n_, before, size_ - 1, symmetries).child_automorphisms(set_[static_cast<std::size_t>(size_ - 1)]);
  }
  canonical_ = symmetries > 0;
  if (symmetries > 1) automorphisms_ = automorphisms(n_, set_, size_);
  for (std::size_t e = 0; e < static_cast<std::size_t>(size_); ++e) {
    rank_[e] = {weight(set_[e]), 0};
    for (std::size_t other = 0; other < static_cast<std::size_t>(size_); ++other)
      rank_[e].second += profile(set_[other], set_[e]);
  }
}

// Whether the first vector may be distinguished in the set with it, and the last one in the basis.
bool LastTwo::may_follow(std::uint16_t one, std::uint16_t last) const {
  Rank first{weight(one), profile(one, one)}, second{weight(last), profile(last, last) + profile(one, last)};
  for (std::size_t e = 0; e < static_cast<std::size_t>(size_); ++e) {
    first.second += profile(set_[e], one);
    second.second += profile(set_[e], last);
  }
  if (second < Rank{first.first, first.second + profile(last, one)}) return false;
  for (std::size_t e = 0; e < static_cast<std::size_t>(size_); ++e) {
    Rank own = rank_[e];
    if (own.first < first.first) continue;
    own.second += profile(one, set_[e]);
    if (first < own) return false;
    own.second += profile(last, set_[e]);
    if (second < own) return false;
  }
  return true;
}

// Of the pairs in one orbit of the automorphisms of the set, only the smallest is accepted.
bool LastTwo::first_of_orbit(std::uint16_t one, std::uint16_t other) const {
  const auto pair = std::minmax(one, other);
  return std::none_of(automorphisms_.begin(), automorphisms_.end(), [&](const Permutation& permutation) {
    const std::uint16_t a = permuted(permutation, one), b = permuted(permutation, other);
    return std::minmax(a, b) < pair;
  });
}

}  // namespace isoplane
