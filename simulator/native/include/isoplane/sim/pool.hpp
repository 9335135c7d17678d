// Pool of objects with numeric ids; freed ids are reused, last in, first out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "isoplane/sim/memory.hpp"

namespace isoplane::sim {

inline constexpr std::uint32_t kNone = 0xFFFFFFFF;

template <class T>
class Pool {
 public:
  std::uint32_t make() {
    if (free_.empty()) {
      items_.emplace_back();
      return static_cast<std::uint32_t>(items_.size() - 1);
    }
    const std::uint32_t id = free_.back();
    free_.pop_back();
    items_[id] = T{};
    return id;
  }
  void release(std::uint32_t id) { free_.push_back(id); }

  T& operator[](std::uint32_t id) { return items_[id]; }
  const T& operator[](std::uint32_t id) const { return items_[id]; }
  void prefetch(std::uint32_t id) const { __builtin_prefetch(&items_[id]); }
  std::size_t alive() const { return items_.size() - free_.size(); }

 private:
  Memory<T> items_;
  std::vector<std::uint32_t> free_;
};

}  // namespace isoplane::sim
