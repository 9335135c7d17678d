// Numbers of paths, against cuts over all sets of switches and a recursion over all walks.
#include "isoplane/path_diversity.hpp"

#include <functional>
#include <limits>
#include <random>
#include <vector>

#include "check.hpp"

namespace {

// A random graph with parallel cables, and two groups without a common switch; they may be apart.
struct Sample {
  std::size_t switches;
  std::vector<std::int64_t> start{0}, opposite, group_start{0};
  std::vector<std::int32_t> tail, head, cables, group_switch;

  explicit Sample(std::mt19937_64& random) : switches(2 + random() % 7) {
    std::vector<std::vector<std::int32_t>> between(switches, std::vector<std::int32_t>(switches));
    for (std::size_t i = 0; i < switches; ++i)
      for (std::size_t j = 0; j < i; ++j)
        between[i][j] = between[j][i] = random() % 2 == 0 ? 0 : 1 + static_cast<std::int32_t>(random() % 3);
    for (std::size_t i = 0; i < switches; ++i) {
      for (std::size_t j = 0; j < switches; ++j) {
        if (between[i][j] == 0) continue;
        tail.push_back(static_cast<std::int32_t>(i));
        head.push_back(static_cast<std::int32_t>(j));
        cables.push_back(between[i][j]);
      }
      start.push_back(static_cast<std::int64_t>(head.size()));
    }
    for (std::size_t link = 0; link < head.size(); ++link)
      for (std::size_t back = 0; back < head.size(); ++back)
        if (head[back] == tail[link] && tail[back] == head[link]) opposite.push_back(static_cast<std::int64_t>(back));
    const std::size_t division = 1 + random() % (switches - 1);  // the groups are on different sides of it
    for (const std::size_t group : {0, 1}) {
      const std::size_t first = group == 0 ? 0 : division, end = group == 0 ? division : switches;
      for (std::size_t link = 0; link < 1 + random() % 2; ++link)
        group_switch.push_back(static_cast<std::int32_t>(first + random() % (end - first)));
      group_start.push_back(static_cast<std::int64_t>(group_switch.size()));
    }
  }

  isoplane::CableGraph graph() const { return {switches, start.data(), head.data(), cables.data(), opposite.data()}; }
  isoplane::NodeLinks groups() const { return {group_start.data(), group_switch.data()}; }

  bool is_at(std::size_t group, std::size_t here) const {
    for (std::int64_t i = group_start[group]; i < group_start[group + 1]; ++i)
      if (group_switch[static_cast<std::size_t>(i)] == static_cast<std::int32_t>(here)) return true;
    return false;
  }

  // The fewest cables out of a set of switches with one group and without the other, over all sets.
  std::int64_t smallest_cut(std::size_t source, std::size_t target) const {
    std::int64_t best = std::numeric_limits<std::int64_t>::max();
    for (std::size_t chosen = 0; chosen < std::size_t{1} << switches; ++chosen) {
      bool divides = true;
      for (std::size_t here = 0; here < switches; ++here) {
        const bool inside = (chosen >> here & 1) != 0;
        divides = divides && !(inside && is_at(target, here)) && !(!inside && is_at(source, here));
      }
      if (!divides) continue;
      std::int64_t cut = 0;
      for (std::size_t link = 0; link < head.size(); ++link)
        if ((chosen >> tail[link] & 1) != 0 && (chosen >> head[link] & 1) == 0) cut += cables[link];
      best = std::min(best, cut);
    }
    return best;
  }

  // The number of walks of the least number of hops, up to the number of switches; 0 if there is none.
  std::uint64_t shortest_walks(std::size_t source, std::size_t target) const {
    for (std::size_t hops = 0; hops < switches; ++hops) {
      const std::function<std::uint64_t(std::size_t, std::size_t)> walks = [&](std::size_t here, std::size_t left) {
        if (left == 0) return std::uint64_t{is_at(target, here)};
        std::uint64_t found = 0;
        for (std::size_t link = 0; link < head.size(); ++link)
          if (tail[link] == static_cast<std::int32_t>(here))
            found += static_cast<std::uint64_t>(cables[link]) * walks(static_cast<std::size_t>(head[link]), left - 1);
        return found;
      };
      std::uint64_t total = 0;
      for (std::size_t here = 0; here < switches; ++here)
        if (is_at(source, here)) total += walks(here, hops);
      if (total != 0) return total;
    }
    return 0;
  }
};

void numbers_of_paths_match_cuts_and_walks() {
  std::mt19937_64 random(1);
  const std::vector<std::int64_t> source{0, 1, 0}, target{1, 0, 1};  // one pair twice: nothing is left of the first
  for (int repeat = 0; repeat < 200; ++repeat) {
    const Sample sample(random);
    std::vector<std::int64_t> disjoint(3);
    std::vector<std::uint64_t> shortest(6);
    isoplane::disjoint_paths(sample.graph(), sample.groups(), {3, source.data(), target.data()}, disjoint.data());
    CHECK(isoplane::shortest_paths(sample.graph(), sample.groups(), {3, source.data(), target.data()}, 2,
                                   shortest.data()));
    for (std::size_t i = 0; i < 3; ++i) {
      const auto a = static_cast<std::size_t>(source[i]), b = static_cast<std::size_t>(target[i]);
      CHECK(disjoint[i] == sample.smallest_cut(a, b));
      CHECK(shortest[2 * i] == sample.shortest_walks(a, b));
      CHECK(shortest[2 * i + 1] == 0);
    }
  }
}

// A chain of 41 switches with four cables between neighbours has 4^40 = 2^80 paths from end to end.
void a_number_of_paths_that_does_not_fit_is_reported() {
  constexpr std::size_t kSwitches = 41;
  std::vector<std::int64_t> start{0}, opposite;
  std::vector<std::int32_t> head;
  for (std::size_t here = 0; here < kSwitches; ++here) {
    const auto link = static_cast<std::int64_t>(head.size());
    if (here > 0) head.push_back(static_cast<std::int32_t>(here) - 1), opposite.push_back(link - 1);
    if (here + 1 < kSwitches)
      head.push_back(static_cast<std::int32_t>(here) + 1), opposite.push_back(link + (here > 0 ? 2 : 1));
    start.push_back(static_cast<std::int64_t>(head.size()));
  }
  const std::vector<std::int32_t> cables(head.size(), 4), at{0, kSwitches - 1};
  const std::vector<std::int64_t> group_start{0, 1, 2}, source{0}, target{1};
  const isoplane::CableGraph graph{kSwitches, start.data(), head.data(), cables.data(), opposite.data()};
  const isoplane::NodeLinks groups{group_start.data(), at.data()};
  const isoplane::GroupPairs pairs{1, source.data(), target.data()};
  std::vector<std::uint64_t> found(2);
  CHECK(!isoplane::shortest_paths(graph, groups, pairs, 1, found.data()));
  CHECK(isoplane::shortest_paths(graph, groups, pairs, 2, found.data()));
  CHECK(found[0] == 0 && found[1] == std::uint64_t{1} << 16);
}

}  // namespace

void test_path_diversity() {
  numbers_of_paths_match_cuts_and_walks();
  a_number_of_paths_that_does_not_fit_is_reported();
}
