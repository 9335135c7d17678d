// Parallel ways of a packet over the same route as one way.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "isoplane/general.hpp"

namespace isoplane {

// A network of one plane whose groups and ends have the first of their links only. `ways` is the number of ways of
// every packet, if all groups have as many links, those of each to one switch, and all ends have as many, those of each
// with one target; else 0, and the task is not valid.
class SingleWays {
 public:
  explicit SingleWays(const LoadTask& given) : task(given) {
    if (given.planes.size() != 1 || given.groups.count == 0 || given.ends.count == 0) return;
    const NodeLinks& from = given.groups.links[0];
    const EndLinks& to = given.ends.links[0];
    ways = first_links(from.start, from.at, given.groups.count, from_) *
           first_links(to.start, to.target, given.ends.count, to_);
    if (ways == 0) return;
    for (std::size_t i = 0; i < given.ends.count; ++i) to_switch_.push_back(to.target_switch[to.start[i]]);
    for (std::size_t i = 0; i <= from_.size() || i <= to_.size(); ++i) start_.push_back(static_cast<std::int64_t>(i));
    task.groups.links[0] = {start_.data(), from_.data()};
    task.ends.links[0] = {start_.data(), to_.data(), to_switch_.data()};
  }
  SingleWays(const SingleWays&) = delete;  // the task refers to the arrays
  SingleWays& operator=(const SingleWays&) = delete;

  LoadTask task;
  std::int64_t ways = 0;

 private:
  // The number of links of each of some lists, and the first link of each; 0 if lists differ, or the links of one do.
  static std::int64_t first_links(const std::int64_t* start, const std::int32_t* links, std::size_t lists,
                                  std::vector<std::int32_t>& first) {
    const std::int64_t each = start[1] - start[0];
    for (std::size_t i = 0; i < lists; ++i) {
      if (start[i + 1] - start[i] != each) return 0;
      for (std::int64_t link = start[i]; link < start[i + 1]; ++link)
        if (links[link] != links[start[i]]) return 0;
      if (each != 0) first.push_back(links[start[i]]);
    }
    return each;
  }

  std::vector<std::int64_t> start_;
  std::vector<std::int32_t> from_, to_, to_switch_;
};

}  // namespace isoplane
