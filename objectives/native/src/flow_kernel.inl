// One iteration of the concurrent flow, for vectors of a number of doubles that divides kLanes.
#include <cstring>

#include "flow_step.hpp"
#include "inline.hpp"

namespace isoplane {
namespace {

// One specialisation per size: compilers drop vector_size attributes of dependent size.
template <int Size>
struct DoublesOf;
template <>
struct DoublesOf<2> {
  typedef double type __attribute__((vector_size(16)));
};
template <>
struct DoublesOf<4> {
  typedef double type __attribute__((vector_size(32)));
};
template <>
struct DoublesOf<8> {
  typedef double type __attribute__((vector_size(64)));
};

template <int Size>
class FlowKernel {
 public:
  static void move(const FlowStep& step) {
    std::memset(step.arriving, 0, step.vertices * step.width * sizeof(double));
    if (step.is_recorded)
      move_all<true>(step);
    else
      move_all<false>(step);
  }

 private:
  using Doubles = typename DoublesOf<Size>::type;
  static constexpr std::size_t kParts = kLanes / Size;

  static INLINE Doubles load(const double* from) {
    Doubles value;
    std::memcpy(&value, from, sizeof value);
    return value;
  }
  static INLINE void store(double* to, Doubles value) { std::memcpy(to, &value, sizeof value); }

  // Adds all lanes, always in the same order.
  static INLINE double sum(const Doubles* parts) {
    double lanes[kLanes];
    std::memcpy(lanes, parts, sizeof lanes);
    return ((lanes[0] + lanes[4]) + (lanes[2] + lanes[6])) + ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7]));
  }

  template <bool IsRecorded>
  static INLINE void move_all(const FlowStep& step) {
    for (std::size_t link = 0; link < step.links; ++link) move_flow<IsRecorded>(step, link);
    for (std::size_t vertex = 0; vertex < step.vertices; ++vertex) move_potential<IsRecorded>(step, vertex);
  }

  template <bool IsRecorded>
  static INLINE void move_flow(const FlowStep& step, std::size_t link) {
    const std::size_t row = link * step.width;
    const std::size_t from = static_cast<std::size_t>(step.tail[link]) * step.width;
    const std::size_t to = static_cast<std::size_t>(step.head[link]) * step.width;
    const Doubles size = Doubles{} + step.flow_step[link], length = Doubles{} + step.length[link];
    const Doubles keep = Doubles{} + step.keep, back = Doubles{} + (1 - step.keep);
    Doubles total[kParts] = {}, distance[kParts] = {};
    for (std::size_t lane = 0; lane < step.width; lane += kLanes) {
      for (std::size_t part = 0; part < kParts; ++part) {
        const std::size_t i = lane + part * Size;
        const Doubles before = load(step.flow + row + i);
        const Doubles rise = load(step.potential + to + i) - load(step.potential + from + i) - length;
        const Doubles wanted = before + size * rise;
        const Doubles moved = wanted > load(step.least_flow + i) ? wanted : Doubles{};
        const Doubles reflected = moved + (moved - before);
        total[part] += reflected;
        store(step.arriving + to + i, load(step.arriving + to + i) + reflected);
        store(step.arriving + from + i, load(step.arriving + from + i) - reflected);
        store(step.flow + row + i, keep * reflected + back * load(step.flow_anchor + row + i));
        if (IsRecorded) {
          store(step.flow_moved + row + i, moved);
          distance[part] += (moved - before) * (moved - before);
        }
      }
    }
    step.load[link] = sum(total);
    if (IsRecorded) step.flow_distance[link] = sum(distance);
  }

  template <bool IsRecorded>
  static INLINE void move_potential(const FlowStep& step, std::size_t vertex) {
    const std::size_t row = vertex * step.width;
    const Doubles size = Doubles{} + step.potential_step[vertex];
    const Doubles keep = Doubles{} + step.keep, back = Doubles{} + (1 - step.keep);
    Doubles distance[kParts] = {};
    for (std::size_t lane = 0; lane < step.width; lane += kLanes) {
      for (std::size_t part = 0; part < kParts; ++part) {
        const std::size_t i = row + lane + part * Size;
        const Doubles before = load(step.potential + i);
        const Doubles change = size * (load(step.demand + i) - load(step.arriving + i));
        store(step.potential + i, keep * (before + change + change) + back * load(step.potential_anchor + i));
        if (IsRecorded) {
          store(step.potential_moved + i, before + change);
          distance[part] += change * change;
        }
      }
    }
    if (IsRecorded) step.potential_distance[vertex] = sum(distance);
  }
};

}  // namespace
}  // namespace isoplane
