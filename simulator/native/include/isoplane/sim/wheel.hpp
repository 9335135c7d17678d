// Timing wheel: lists of future events by tick.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "isoplane/sim/plan.hpp"

namespace isoplane::sim {

template <class Event>
class Wheel {
 public:
  // Events are at most `horizon` ticks ahead.
  explicit Wheel(Tick horizon)
      : lists_(std::bit_ceil(static_cast<std::uint64_t>(horizon) + 1)), mask_(lists_.size() - 1) {}

  void add(Tick when, Event event) {
    lists_[static_cast<std::uint64_t>(when) & mask_].push_back(event);
    ++pending_;
  }

  // The events of a tick, in the order in which they were added; `clear` them afterwards.
  const std::vector<Event>& at(Tick when) const { return lists_[static_cast<std::uint64_t>(when) & mask_]; }
  void clear(Tick when) {
    auto& list = lists_[static_cast<std::uint64_t>(when) & mask_];
    pending_ -= static_cast<std::int64_t>(list.size());
    list.clear();
  }

  Tick horizon() const { return static_cast<Tick>(mask_); }
  std::int64_t pending() const { return pending_; }
  const std::vector<std::vector<Event>>& lists() const { return lists_; }

 private:
  std::vector<std::vector<Event>> lists_;
  std::uint64_t mask_;
  std::int64_t pending_ = 0;
};

}  // namespace isoplane::sim
