// The minimum of many keys, against a linear search.
#include <algorithm>
#include <cstddef>
#include <random>
#include <vector>

#include "check.hpp"
#include "isoplane/least.hpp"

namespace {

using isoplane::Least;

using Generator = std::mt19937_64;

bool is_least(Least& least, const std::vector<double>& keys) {
  const std::size_t first = least.first();
  const double expected = *std::min_element(keys.begin(), keys.end());
  return expected == Least::kNone ? first == keys.size() : first < keys.size() && keys[first] == expected;
}

// Few values, so that many keys are equal.
double key_of(Generator& random) { return random() % 4 == 0 ? Least::kNone : static_cast<double>(random() % 40); }

void the_least_key_matches_a_linear_search() {
  Generator random(1);
  Least least;
  for (const std::size_t count : {1, 7, 32, 33, 256, 257, 1000}) {
    std::vector<double> keys(count, Least::kNone);
    least.reset(count);
    bool same = is_least(least, keys);
    for (int change = 0; change < 500; ++change) {
      const std::size_t index = random() % count;
      least.set(index, keys[index] = key_of(random));
      same = same && (change % 3 != 0 || is_least(least, keys)) && least.key(index) == keys[index];
    }
    CHECK(same);
  }
}

void removing_least_keys_sorts_them() {
  Generator random(2);
  std::vector<double> keys(300), sorted, taken;
  Least least;
  least.reset(keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) least.set(i, keys[i] = static_cast<double>(random() % 100));
  sorted = keys;
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t next = least.first(); next < least.size(); next = least.first()) {
    taken.push_back(keys[next]);
    least.set(next, Least::kNone);
  }
  CHECK(taken == sorted);
}

void growing_preserves_keys() {
  Least least;
  least.reset(0);
  CHECK(least.first() == 0);
  for (std::size_t count = 1; count <= 600; ++count) {
    least.grow(count);
    least.set(count - 1, static_cast<double>(1000 - count));
    if (least.first() != count - 1) return CHECK(false);
  }
  least.set(599, Least::kNone);
  CHECK(least.first() == 598 && least.key(598) == 401);
}

}  // namespace

void test_least() {
  the_least_key_matches_a_linear_search();
  removing_least_keys_sorts_them();
  growing_preserves_keys();
}
