// The cooling cycles of a walk over circuits, of growing length. Each continues from the end of the last one, except
// that every second one starts from the best design.
#pragma once

#include <algorithm>
#include <cstdint>

namespace isoplane {

struct CoolingCycles {
  std::int64_t count = 0, length = 0, done = 0;  // number of cycles; evaluations of the current one

  double progress() const { return static_cast<double>(done) / static_cast<double>(length); }
  bool complete() const { return done == length; }
  bool from_best() const { return count % 2 == 0; }
  void begin(std::int64_t first, double growth) {
    const auto longer = static_cast<std::int64_t>(static_cast<double>(length) * growth);
    length = count == 0 ? first : std::max(length + 1, longer);
    ++count;
    done = 0;
  }
  template <class Archive, class Self>
  static void serialise(Archive& archive, Self& cycles) {
    archive.put(cycles.count);
    archive.put(cycles.length);
    archive.put(cycles.done);
  }
};

}  // namespace isoplane
