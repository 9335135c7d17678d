// Distances and loads of random trees with chords, against a walk along every way between every pair of nodes.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "check.hpp"
#include "isoplane/general.hpp"
#include "isoplane/minimal_table.hpp"

namespace {

using Random = std::mt19937_64;

// A plane with a table along shortest paths, and the links of groups of nodes to its switches.
struct Sample {
  std::size_t switches, ports;
  std::vector<std::int32_t> peer, row, label, at;
  std::vector<std::int64_t> start;
  std::vector<std::uint16_t> table;

  isoplane::Cables cables() const { return {peer.data(), switches, ports}; }

  isoplane::RoutedPlane routed() const {
    isoplane::RoutedPlane plane{cables(), {}, label.data()};
    plane.routes.row = row.data();
    plane.routes.columns = switches;
    plane.routes.next_port = table.data();
    return plane;
  }

  std::vector<std::size_t> route(std::int32_t from, std::int32_t to) const {  // links, as switch * ports + port
    std::vector<std::size_t> links;
    for (auto here = static_cast<std::size_t>(from); here != static_cast<std::size_t>(to);) {
      links.push_back(here * ports + table[here * switches + static_cast<std::size_t>(to)]);
      here = static_cast<std::size_t>(peer[links.back()]);
    }
    return links;
  }
};

// Every group has `max_links` links, or possibly one fewer if `fewer`.
Sample random_sample(std::size_t switches, std::size_t groups, std::size_t max_links, bool fewer, Random& random) {
  Sample sample{switches, switches, {}, {}, {}, {}, {0}, {}};
  sample.peer.assign(switches * switches, -1);  // the port to switch i is port i
  const auto join = [&](std::size_t a, std::size_t b) {
    sample.peer[a * switches + b] = static_cast<std::int32_t>(b);
    sample.peer[b * switches + a] = static_cast<std::int32_t>(a);
  };
  for (std::size_t i = 1; i < switches; ++i) join(i, random() % i);
  for (std::size_t i = 0; i < switches / 3; ++i)
    if (const std::size_t a = random() % switches, b = random() % switches; a != b) join(a, b);
  for (std::size_t i = 0; i < switches; ++i) {
    sample.row.push_back(static_cast<std::int32_t>(i));
    sample.label.push_back(static_cast<std::int32_t>(i));
  }
  for (std::size_t i = 0; i < groups; ++i) {
    for (std::size_t link = fewer ? random() % 2 : 0; link < max_links; ++link)
      sample.at.push_back(static_cast<std::int32_t>(random() % switches));
    sample.start.push_back(static_cast<std::int64_t>(sample.at.size()));
  }
  sample.table.assign(switches * switches, 0xFFFF);
  isoplane::minimal_columns(sample.cables(), 0, switches, sample.table.data());
  return sample;
}

// Replaces the entries that no packet to a link of a group meets: no route, or any port, even one without a cable.
void open_unused_entries(Sample& sample, Random& random) {
  std::vector<bool> used(sample.table.size());
  for (const std::int32_t from : sample.at)
    for (const std::int32_t to : sample.at)
      for (const std::size_t link : sample.route(from, to))
        used[link / sample.ports * sample.switches + static_cast<std::size_t>(to)] = true;
  for (std::size_t entry = 0; entry < used.size(); ++entry)
    if (!used[entry])
      sample.table[entry] =
          random() % 3 == 0 ? isoplane::kNoRoute : static_cast<std::uint16_t>(random() % (sample.ports + 1));
}

using Sums = std::vector<std::vector<std::int64_t>>;

std::vector<std::int64_t*> data_of(Sums& sums) {
  std::vector<std::int64_t*> found;
  for (auto& each : sums) found.push_back(each.data());
  return found;
}

struct Way {
  std::size_t plane;
  std::int64_t from, to;  // links
  std::vector<std::size_t> route;
};

// Loads of all links and node links, summed pair by pair and way by way.
class WalkedLoads {
 public:
  WalkedLoads(const std::vector<Sample>& planes, const std::vector<std::int64_t>& nodes,
              const std::vector<std::int64_t>& weight, std::int64_t parts)
      : planes_(planes), weight_(weight), parts_(parts) {
    for (const Sample& plane : planes) {
      load.emplace_back(plane.peer.size(), 0);
      sent.emplace_back(plane.at.size(), 0);
      received.emplace_back(plane.at.size(), 0);
    }
    for (std::size_t a = 0; a < nodes.size(); ++a)
      for (std::size_t b = 0; b < nodes.size(); ++b) walk(a, b, nodes[a] * nodes[b]);
  }

  Sums load, sent, received;
  std::int64_t total = 0, diameter = 0;

 private:
  void walk(std::size_t a, std::size_t b, std::int64_t packets) {
    std::vector<Way> ways;
    for (std::size_t plane = 0; plane < planes_.size(); ++plane)
      for (std::int64_t i = planes_[plane].start[a]; i < planes_[plane].start[a + 1]; ++i)
        for (std::int64_t j = planes_[plane].start[b]; j < planes_[plane].start[b + 1]; ++j)
          ways.push_back({plane, i, j, planes_[plane].route(planes_[plane].at[i], planes_[plane].at[j])});
    const auto compete = [&](const Way& one, const Way& other) { return weight_.empty() || one.plane == other.plane; };
    std::int64_t all = 0;
    std::vector<bool> counted(planes_.size(), false);
    for (const Way& way : ways) {
      if (!weight_.empty() && !counted[way.plane]) all += weight_[way.plane];
      counted[way.plane] = true;
    }
    std::size_t nearest = ways[0].route.size();
    for (const Way& way : ways) {
      nearest = std::min(nearest, way.route.size());
      std::int64_t ties = 0;
      bool shortest = true;
      for (const Way& other : ways) {
        shortest &= !compete(way, other) || way.route.size() <= other.route.size();
        ties += compete(way, other) && way.route.size() == other.route.size();
      }
      if (!shortest) continue;
      const std::int64_t share = weight_.empty() ? parts_ / ties : parts_ * weight_[way.plane] / (all * ties);
      CHECK(weight_.empty() ? parts_ % ties == 0 : parts_ * weight_[way.plane] % (all * ties) == 0);
      for (const std::size_t link : way.route) load[way.plane][link] += packets * share;
      sent[way.plane][way.from] += packets * share;
      received[way.plane][way.to] += packets * share;
    }
    total += packets * static_cast<std::int64_t>(nearest);
    diameter = std::max(diameter, static_cast<std::int64_t>(nearest));
  }

  const std::vector<Sample>& planes_;
  const std::vector<std::int64_t>& weight_;
  std::int64_t parts_;
};

void check_network(const std::vector<Sample>& planes, const std::vector<std::int64_t>& nodes,
                   const std::vector<std::int64_t>& weight) {
  isoplane::LoadTask task{{}, {nodes.size(), nodes.data(), {}}, {nodes.size(), nodes.data(), {}}, {weight}};
  std::vector<isoplane::Cables> cables;
  for (const Sample& plane : planes) {
    task.groups.links.push_back({plane.start.data(), plane.at.data()});
    task.ends.links.push_back({plane.start.data(), plane.at.data(), plane.at.data()});
    task.planes.push_back(plane.routed());
    cables.push_back(plane.cables());
  }
  const std::int64_t parts = isoplane::packet_parts(task, 6);
  WalkedLoads expected(planes, nodes, weight, parts);
  Sums load = expected.load, sent = expected.sent, received = expected.received;
  for (Sums* sums : {&load, &sent, &received})
    for (auto& each : *sums) std::fill(each.begin(), each.end(), 0);
  isoplane::add_loads(task, parts, {data_of(load), data_of(sent), data_of(received)});
  CHECK(load == expected.load && sent == expected.sent && received == expected.received);
  for (auto& each : load) std::fill(each.begin(), each.end(), 0);
  isoplane::add_loads(task, parts, {data_of(load), {}, {}});
  CHECK(load == expected.load);
  std::vector<std::int64_t> all(nodes.size());
  std::iota(all.begin(), all.end(), 0);
  const std::vector<std::int64_t> beyond = isoplane::pairs_beyond(cables, task.groups, all.data(), all.size(), 0);
  CHECK(std::accumulate(beyond.begin(), beyond.end(), std::int64_t{0}) == expected.total);
  CHECK(static_cast<std::int64_t>(beyond.size()) == expected.diameter);
}

void distances_and_loads_match_a_walk_along_every_way() {
  Random random(3);
  for (const std::size_t planes : {1, 2, 3})
    for (const std::size_t count : {1, 2, 30, 520})
      for (const std::size_t links : {1, 2}) {
        if (count > isoplane::kReachBits && planes != 2) continue;  // under sanitizers each takes ten seconds
        std::vector<std::int64_t> nodes, weight;
        const std::size_t groups = links == 1 ? count : count / 10 + 1;
        for (std::size_t i = 0; i < groups; ++i) nodes.push_back(static_cast<std::int64_t>(1 + random() % 9));
        std::vector<Sample> samples;
        for (std::size_t i = 0; i < planes; ++i)
          samples.push_back(random_sample(2 + random() % 60, groups, links, i > 0 && links > 1, random));
        check_network(samples, nodes, weight);
        for (Sample& sample : samples) open_unused_entries(sample, random);
        check_network(samples, nodes, weight);
        for (std::size_t i = 0; i < planes; ++i) weight.push_back(static_cast<std::int64_t>(i == 0 ? 3 : random() % 4));
        check_network(samples, nodes, weight);
      }
}

// A path of switches 0 - 1 - 2 - 3, port 0 towards switch 0 and port 1 away from it, with nodes at both ends.
std::string error_of_a_path(std::uint16_t port_of_1_to_3, std::uint16_t port_of_2_to_0, bool weighs) {
  Sample path{4, 2, {-1, 1, 0, 2, 1, 3, 2, -1}, {0, 1, 2, 3}, {0, 1, 2, 3}, {0, 3}, {0, 1, 2}, {}};
  path.table = {0, 1, 1, 1, 0, 0, 1, port_of_1_to_3, port_of_2_to_0, 0, 0, 1, 0, 0, 0, 0};
  const std::vector<std::int64_t> nodes{1, 1};
  isoplane::LoadTask task{{path.routed(), path.routed()}, {2, nodes.data(), {}}, {2, nodes.data(), {}}, {}};
  if (weighs) task.policy.weight = {1, 1};  // then the length of routes does not matter
  for (int plane = 0; plane < 2; ++plane) {
    task.groups.links.push_back({path.start.data(), path.at.data()});
    task.ends.links.push_back({path.start.data(), path.at.data(), path.at.data()});
  }
  Sums load(2, std::vector<std::int64_t>(8));
  try {
    isoplane::add_loads(task, 2, {data_of(load), {}, {}});
  } catch (const isoplane::BadRoute& error) {
    return error.what();
  }
  for (const auto& each : load) CHECK(each == std::vector<std::int64_t>({0, 1, 1, 1, 1, 1, 1, 0}));
  return "";
}

void a_route_that_does_not_arrive_is_an_error() {
  for (const bool weighs : {false, true}) {
    CHECK(error_of_a_path(1, 0, weighs).empty());
    CHECK(error_of_a_path(isoplane::kNoRoute, 0, weighs) == "the route to switch 3 has no next port at switch 1");
    CHECK(error_of_a_path(7, 0, weighs) == "the route to switch 3 takes a port without a cable at switch 1");
    CHECK(error_of_a_path(0, 0, weighs).starts_with("the route to switch 3 loops at switch "));
    CHECK(error_of_a_path(1, 1, weighs).starts_with("the route to switch 0 loops at switch "));
  }
}

}  // namespace

void test_general() {
  distances_and_loads_match_a_walk_along_every_way();
  a_route_that_does_not_arrive_is_an_error();
}
