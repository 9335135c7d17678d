// The legs of a walk over circuits: each longer than the one before. They go on where the last one ended; every second
// one begins at the best design.
#pragma once

#include <algorithm>
#include <cstdint>

namespace isoplane {

struct Legs {
  std::int64_t count = 0, length = 0, done = 0;  // of the last one: evaluations

  double place() const { return static_cast<double>(done) / static_cast<double>(length); }
  bool over() const { return done == length; }
  bool from_best() const { return count % 2 == 0; }
  void begin(std::int64_t first, double growth) {
    const auto longer = static_cast<std::int64_t>(static_cast<double>(length) * growth);
    length = count == 0 ? first : std::max(length + 1, longer);
    ++count;
    done = 0;
  }
  template <class Record, class Self>
  static void transfer(Record& record, Self& legs) {
    record.put(legs.count);
    record.put(legs.length);
    record.put(legs.done);
  }
};

}  // namespace isoplane
