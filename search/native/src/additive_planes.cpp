#include "isoplane/additive_planes.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <stdexcept>
#include <utility>

namespace isoplane {
namespace {

using Words = OffsetDistances::Words;

// The sum of two vertices: that of two odd digits has a carry, which in Gray code changes both of its coordinates.
std::uint32_t sum(std::uint32_t x, std::uint32_t y, std::uint32_t digits) {
  const std::uint32_t carries = (x ^ x >> 1) & (y ^ y >> 1) & digits;
  return x ^ y ^ 3 * carries;
}

// Writes f of all vertices, those of twice or four times as many with each image.
template <class Word>
void write_sums(const std::uint32_t* images, int n, std::uint32_t digits, Word* sums) {
  sums[0] = 0;
  for (int i = 0; i < n; ++i) {
    const std::size_t half = std::size_t{1} << i;
    const std::uint32_t one = images[i], two = sum(one, one, digits), three = sum(one, two, digits);
    for (std::size_t x = 0; x < half; ++x) sums[half + x] = static_cast<Word>(sum(sums[x], one, digits));
    if ((digits >> i & 1u) == 0) continue;
    for (std::size_t x = 0; x < half; ++x) {
      sums[2 * half + x] = static_cast<Word>(sum(sums[x], three, digits));
      sums[3 * half + x] = static_cast<Word>(sum(sums[x], two, digits));
    }
    ++i;
  }
}

bool is_higher_coordinate(std::uint32_t digits, int i) { return i > 0 && (digits >> (i - 1) & 1u) != 0; }

// The vertex with all digits doubled, or itself if it has even digits only: then it is its own inverse.
std::uint32_t even_part(std::uint32_t image, bool is_digit, std::uint32_t digits) {
  return is_digit ? sum(image, image, digits) : image;
}

// Whether images are those of an automorphism: it is one if it maps no vertex that is its own inverse to 0. These are
// the sums of the doubled digits and of the other coordinates.
bool is_automorphism(const std::uint32_t* images, int n, std::uint32_t digits) {
  std::array<std::uint32_t, 32> kept{};  // with the leading bit of each
  for (int i = 0; i < n; ++i) {
    if (is_higher_coordinate(digits, i)) {
      if (images[i] != 0) return false;
      continue;
    }
    const bool is_digit = (digits >> i & 1u) != 0;
    if (images[i] >> n != 0 || (!is_digit && ((images[i] ^ images[i] >> 1) & digits) != 0)) return false;
    std::uint32_t rest = even_part(images[i], is_digit, digits);
    while (rest != 0) {
      std::uint32_t& other = kept[static_cast<std::size_t>(std::bit_width(rest) - 1)];
      if (other == 0) {
        other = rest;
        break;
      }
      rest ^= other;
    }
    if (rest == 0) return false;
  }
  return true;
}

// The digits that the topologies allow: turning a square must not change distances, which then are the same if the two
// coordinates are exchanged.
std::uint32_t most_digits(const RelabellingTask& task) {
  std::uint32_t digits = 0;
  for (int i = 0; i + 1 < dimension_of(task); i += 2) {
    bool is_digit = true;
    for (std::size_t plane = 0; plane < (task.is_mixed() ? task.planes() : 1); ++plane)
      for (std::uint32_t x = 0; x < task.vertices(); ++x) {
        const bool is_odd = ((x >> i ^ x >> (i + 1)) & 1u) != 0;
        is_digit = is_digit && (!is_odd || task.row(0, plane)[x] == task.row(0, plane)[x ^ 3u << i]);
      }
    if (is_digit) digits |= 1u << i;
  }
  return digits;
}

// Without the highest digit.
std::uint32_t fewer(std::uint32_t digits) { return digits & ~std::bit_floor(digits); }

// A vertex; one that is its own inverse unless it is the image of a digit.
std::uint32_t drawn_image(int n, bool is_digit, std::uint32_t digits, Random& random) {
  const std::uint32_t drawn = random.below(1u << n);
  return is_digit ? drawn : drawn ^ ((drawn ^ drawn >> 1) & digits);
}

Words drawn_images(int n, std::uint32_t digits, Random& random) {
  Words images(static_cast<std::size_t>(n));
  do {
    for (int i = 0; i < n; ++i)
      if (!is_higher_coordinate(digits, i))
        images[static_cast<std::size_t>(i)] = drawn_image(n, (digits >> i & 1u) != 0, digits, random);
  } while (!is_automorphism(images.data(), n, digits));
  return images;
}

// Changes the image of one coordinate: to any other, in one bit, or by adding that of another.
void change(Words& images, int n, std::uint32_t digits, Random& random) {
  int i = 0;
  do i = static_cast<int>(random.below(static_cast<std::uint32_t>(n)));
  while (is_higher_coordinate(digits, i));
  const bool is_digit = (digits >> i & 1u) != 0;
  std::uint32_t& image = images[static_cast<std::size_t>(i)];
  const std::uint32_t kind = random.below(3), bit = random.below(static_cast<std::uint32_t>(n));
  if (kind == 0) {
    image = drawn_image(n, is_digit, digits, random);
  } else if (kind == 1) {
    const bool is_of_digit = (digits >> bit & 1u) != 0 || is_higher_coordinate(digits, static_cast<int>(bit));
    const std::uint32_t lower = is_higher_coordinate(digits, static_cast<int>(bit)) ? bit - 1 : bit;
    image ^= is_of_digit && !is_digit ? 3u << lower : 1u << bit;
  } else {
    const std::uint32_t other = images[bit];
    image = sum(image, is_digit ? other : even_part(other, (digits >> bit & 1u) != 0, digits), digits);
  }
}

}  // namespace

AdditivePlanes::AdditivePlanes(std::shared_ptr<const RelabellingTask> task, const Words& words)
    : OffsetDistances(std::move(task)), words_(words), proposed_words_(static_cast<std::size_t>(n_)) {
  if (words_.size() != word_count(*task_)) throw std::invalid_argument("expected digits, and images for each plane");
  const std::uint32_t digits = words_[0];
  if ((digits & ~most_digits(*task_)) != 0) throw std::invalid_argument("expected digits that distances allow");
  for (std::size_t plane = 1; plane < task_->planes(); ++plane) {
    if (!is_automorphism(images(plane), n_, digits)) throw std::invalid_argument("expected images of an automorphism");
    write_sums(images(plane), n_, digits, images_.data());
    look_up(plane, distances(plane));
  }
  set_sum();
}

Places AdditivePlanes::places() const {
  const std::size_t vertices = task_->vertices();
  Places places((task_->planes() - 1) * vertices);
  for (std::size_t plane = 1; plane < task_->planes(); ++plane)
    write_sums(images(plane), n_, words_[0], places.data() + (plane - 1) * vertices);
  return places;
}

std::optional<Words> AdditivePlanes::words_of(const RelabellingTask& task, const Places& places) {
  const int n = dimension_of(task);
  const std::size_t vertices = task.vertices();
  if (places.size() != std::size_t{task.planes() - 1} * vertices)
    throw std::invalid_argument("expected places in each plane");
  Words sums(vertices), differences(vertices);
  for (std::uint32_t digits = most_digits(task);; digits = fewer(digits)) {
    Words words{digits};
    bool are_sums = true;
    for (auto own = places.begin(); are_sums && own != places.end(); own += static_cast<std::ptrdiff_t>(vertices)) {
      const std::uint32_t inverse = sum(*own, sum(*own, *own, digits), digits);
      for (std::size_t x = 0; x < vertices; ++x)
        differences[x] = sum(own[static_cast<std::ptrdiff_t>(x)], inverse, digits);
      for (int i = 0; i < n; ++i)
        words.push_back(is_higher_coordinate(digits, i) ? 0 : differences[std::size_t{1} << i]);
      const std::uint32_t* images = words.data() + words.size() - static_cast<std::size_t>(n);
      write_sums(images, n, digits, sums.data());
      are_sums = sums == differences && is_automorphism(images, n, digits);
    }
    if (are_sums) return words;
    if (digits == 0) return std::nullopt;
  }
}

std::size_t AdditivePlanes::word_count(const RelabellingTask& task) {
  return 1 + (task.planes() - 1) * static_cast<std::size_t>(dimension_of(task));
}

Words AdditivePlanes::random(const RelabellingTask& task, Random& random) {
  const std::uint32_t most = most_digits(task);
  Words words{random.below(2) == 0 ? most : fewer(most)};
  for (std::uint32_t plane = 1; plane < task.planes(); ++plane) {
    const Words images = drawn_images(dimension_of(task), words[0], random);
    words.insert(words.end(), images.begin(), images.end());
  }
  return words;
}

std::int64_t AdditivePlanes::propose(Random& random) {
  plane_ = drawn_plane(random);
  const std::uint32_t digits = words_[0];
  do {
    std::copy_n(images(plane_), n_, proposed_words_.begin());
    isoplane::change(proposed_words_, n_, digits, random);
  } while (!is_automorphism(proposed_words_.data(), n_, digits));
  write_sums(proposed_words_.data(), n_, digits, images_.data());
  look_up(plane_, proposed_.data());
  return change();
}

void AdditivePlanes::accept() {
  std::copy(proposed_words_.begin(), proposed_words_.end(),
            words_.begin() + 1 + static_cast<std::ptrdiff_t>(plane_ - 1) * n_);
  commit();
}

}  // namespace isoplane
