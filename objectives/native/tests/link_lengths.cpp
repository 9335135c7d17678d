// Distances and loads over links with lengths, against relaxation of all links and a recursion over all paths.
#include "isoplane/link_lengths.hpp"

#include <cmath>
#include <functional>
#include <random>
#include <vector>

#include "check.hpp"

namespace {

constexpr std::int64_t kFar = 1 << 30;

// A random ring with chords; groups of nodes at one or two switches.
struct Sample {
  std::size_t switches;
  std::vector<std::int64_t> start, nodes, group_start;
  std::vector<std::int32_t> tail, head, length, group_switch;

  Sample(std::mt19937_64& random, std::int32_t shortest) : switches(2 + random() % 9), start{0}, group_start{0} {
    for (std::size_t i = 0; i < switches; ++i) {
      for (std::size_t j = 0; j < switches; ++j) {
        if (j != (i + 1) % switches && (j == i || random() % 3 != 0)) continue;
        tail.push_back(static_cast<std::int32_t>(i));
        head.push_back(static_cast<std::int32_t>(j));
        length.push_back(shortest + static_cast<std::int32_t>(random() % 4));
      }
      start.push_back(static_cast<std::int64_t>(head.size()));
    }
    for (std::size_t group = 0; group < 1 + random() % 5; ++group) {
      nodes.push_back(1 + static_cast<std::int64_t>(random() % 3));
      for (std::size_t link = 0; link < 1 + random() % 2; ++link)
        group_switch.push_back(static_cast<std::int32_t>(random() % switches));
      group_start.push_back(static_cast<std::int64_t>(group_switch.size()));
    }
  }

  isoplane::LengthGraph graph() const { return {switches, start.data(), head.data(), length.data()}; }
  isoplane::Terminals groups() const { return {nodes.size(), nodes.data(), {group_start.data(), group_switch.data()}}; }

  // The distance of every switch from a group.
  std::vector<std::int64_t> distances(std::size_t group) const {
    std::vector<std::int64_t> found(switches, kFar);
    for (std::int64_t i = group_start[group]; i < group_start[group + 1]; ++i)
      found[static_cast<std::size_t>(group_switch[static_cast<std::size_t>(i)])] = 0;
    for (std::size_t round = 0; round < switches; ++round)
      for (std::size_t link = 0; link < head.size(); ++link) {
        const std::int64_t over = found[static_cast<std::size_t>(tail[link])] + length[link];
        std::int64_t& there = found[static_cast<std::size_t>(head[link])];
        there = std::min(there, over);
      }
    return found;
  }

  // The links of all shortest paths from a group to a switch, found backwards.
  std::vector<std::vector<std::size_t>> paths(std::size_t group, std::size_t to) const {
    const std::vector<std::int64_t> distance = distances(group);
    std::vector<std::vector<std::size_t>> found;
    std::vector<std::size_t> path;
    const std::function<void(std::size_t)> extend = [&](std::size_t here) {
      if (distance[here] == 0)
        for (std::int64_t i = group_start[group]; i < group_start[group + 1]; ++i)
          if (group_switch[static_cast<std::size_t>(i)] == static_cast<std::int32_t>(here)) found.push_back(path);
      for (std::size_t link = 0; link < head.size(); ++link) {
        const auto before = static_cast<std::size_t>(tail[link]);
        if (head[link] != static_cast<std::int32_t>(here) || distance[before] + length[link] != distance[here])
          continue;
        path.push_back(link);
        extend(before);
        path.pop_back();
      }
    };
    extend(to);
    return found;
  }
};

std::vector<std::int64_t> all_groups(const Sample& sample) {
  std::vector<std::int64_t> sources;
  for (std::size_t i = 0; i < sample.nodes.size(); ++i) sources.push_back(static_cast<std::int64_t>(i));
  return sources;
}

std::int64_t sum_of_distances(const Sample& sample) {
  std::int64_t total = 0;
  for (std::size_t a = 0; a < sample.nodes.size(); ++a)
    for (std::size_t b = 0; b < sample.nodes.size(); ++b) {
      std::int64_t nearest = kFar;
      for (std::int64_t i = sample.group_start[b]; i < sample.group_start[b + 1]; ++i)
        nearest = std::min(
            nearest, sample.distances(a)[static_cast<std::size_t>(sample.group_switch[static_cast<std::size_t>(i)])]);
      total += sample.nodes[a] * sample.nodes[b] * nearest;
    }
  return total;
}

// Loads if each pair of nodes divides its traffic over its nearest links, and there over all shortest paths.
std::vector<double> loads_of_all_paths(const Sample& sample) {
  std::vector<double> load(sample.head.size());
  for (std::size_t a = 0; a < sample.nodes.size(); ++a) {
    const std::vector<std::int64_t> distance = sample.distances(a);
    for (std::size_t b = 0; b < sample.nodes.size(); ++b) {
      std::vector<std::size_t> ends;
      for (std::int64_t i = sample.group_start[b]; i < sample.group_start[b + 1]; ++i) {
        const auto at = static_cast<std::size_t>(sample.group_switch[static_cast<std::size_t>(i)]);
        if (!ends.empty() && distance[at] < distance[ends[0]]) ends.clear();
        if (ends.empty() || distance[at] == distance[ends[0]]) ends.push_back(at);
      }
      for (const std::size_t end : ends) {
        const auto paths = sample.paths(a, end);
        const double pairs = static_cast<double>(sample.nodes[a] * sample.nodes[b]);
        for (const auto& path : paths)
          for (const std::size_t link : path) load[link] += pairs / static_cast<double>(ends.size() * paths.size());
      }
    }
  }
  return load;
}

void distances_match_the_relaxation_of_all_links() {
  std::mt19937_64 random(1);
  for (int repeat = 0; repeat < 200; ++repeat) {
    const Sample sample(random, 0);
    const std::vector<std::int64_t> sources = all_groups(sample);
    CHECK(isoplane::weighted_distances(sample.graph(), sample.groups(), sources.data(), sources.size(), nullptr) ==
          sum_of_distances(sample));
  }
}

void loads_match_a_walk_of_all_shortest_paths() {
  std::mt19937_64 random(2);
  for (int repeat = 0; repeat < 200; ++repeat) {
    const Sample sample(random, 1);
    const std::vector<std::int64_t> sources = all_groups(sample);
    std::vector<double> load(sample.head.size());
    isoplane::weighted_distances(sample.graph(), sample.groups(), sources.data(), sources.size(), load.data());
    const std::vector<double> expected = loads_of_all_paths(sample);
    for (std::size_t link = 0; link < load.size(); ++link) CHECK(std::abs(load[link] - expected[link]) < 1e-9);
  }
}

void a_group_out_of_reach_is_reported() {
  const std::int64_t start[] = {0, 1, 1}, nodes[] = {1, 1}, group_start[] = {0, 1, 2}, sources[] = {1};
  const std::int32_t head[] = {1}, length[] = {1}, at[] = {0, 1};
  CHECK(isoplane::weighted_distances({2, start, head, length}, {2, nodes, {group_start, at}}, sources, 1, nullptr) ==
        -1);
}

}  // namespace

void test_link_lengths() {
  distances_match_the_relaxation_of_all_links();
  loads_match_a_walk_of_all_shortest_paths();
  a_group_out_of_reach_is_reported();
}
