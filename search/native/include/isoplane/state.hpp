// The state of a search as words, with a checksum.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

#include "isoplane/basis.hpp"
#include "isoplane/random.hpp"

namespace isoplane {

using State = std::vector<std::uint64_t>;

// Depends on every word and its position.
inline std::uint64_t checksum(const State& words, std::size_t count) {
  std::uint64_t sum = count;
  for (std::size_t i = 0; i < count; ++i) {
    sum ^= words[i];
    sum = splitmix64(sum);
  }
  return sum;
}

class StateWriter {
 public:
  void put(std::uint64_t word) { words_.push_back(word); }
  void put(std::int64_t number) { words_.push_back(static_cast<std::uint64_t>(number)); }
  void put(double number) { words_.push_back(std::bit_cast<std::uint64_t>(number)); }
  void put(const Random& random) {
    for (const std::uint64_t word : random.state()) put(word);
  }
  void put(const Columns& columns) {
    for (std::size_t i = 0; i < columns.size(); i += 2) put(columns[i] | std::uint64_t{columns[i + 1]} << 32);
  }
  State finish() && {
    words_.push_back(checksum(words_, words_.size()));
    return std::move(words_);
  }

 private:
  State words_;
};

// Reads the values of a writer, in the same order. Throws std::invalid_argument when words are missing, left over or
// altered.
class StateReader {
 public:
  explicit StateReader(const State& words) : words_(words) {
    if (words.empty() || words.back() != checksum(words, words.size() - 1)) fail();
  }

  void put(std::uint64_t& word) { word = next(); }
  void put(std::int64_t& number) { number = static_cast<std::int64_t>(next()); }
  void put(double& number) { number = std::bit_cast<double>(next()); }
  void put(Random& random) {
    Random::State state{};
    for (auto& word : state) word = next();
    random = Random(state);
  }
  void put(Columns& columns) {
    for (std::size_t i = 0; i < columns.size(); i += 2) {
      const std::uint64_t both = next();
      columns[i] = static_cast<std::uint32_t>(both);
      columns[i + 1] = static_cast<std::uint32_t>(both >> 32);
    }
  }
  void end() const {
    if (position_ + 1 != words_.size()) fail();
  }
  [[noreturn]] static void fail() {
    throw std::invalid_argument("the saved state of a chain is damaged or of another version");
  }

 private:
  std::uint64_t next() {
    if (position_ + 1 >= words_.size()) fail();
    return words_[position_++];
  }

  const State& words_;
  std::size_t position_ = 0;
};

}  // namespace isoplane
