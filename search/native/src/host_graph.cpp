#include "isoplane/host_graph.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <utility>

namespace isoplane {
namespace {

// The next switch with a free port, from the first one on; if another one is given, that is not joined to it. The
// number of switches if there is none.
std::uint32_t with_free_port(const HostGraph& graph, std::uint32_t plane, std::uint32_t first,
                             std::optional<std::uint32_t> beside = {}) {
  const std::uint32_t count = graph.switches();
  for (std::uint32_t step = 0; step < count; ++step) {
    const std::uint32_t at = (first + step) % count;
    if (graph.free_ports(plane, at) > 0 && (!beside || (at != *beside && !graph.joined(plane, at, *beside)))) return at;
  }
  return count;
}

}  // namespace

HostGraph::HostGraph(std::uint32_t switches, std::uint32_t ports, std::uint32_t planes, std::uint32_t hosts)
    : switches_(switches),
      ports_(ports),
      words_((switches + 63) / 64),
      stride_(ports + 1),
      hosts_(switches),
      planes_(planes) {
  for (std::uint32_t at = 0; at < switches; ++at)
    hosts_[at] = hosts / switches + (switches - at <= hosts % switches ? 1 : 0);
  for (Plane& plane : planes_) {
    plane.degree.resize(switches);
    plane.next.resize(switches * stride_);
    plane.rows.resize(switches * words_);
  }
}

HostGraph::HostGraph(const Words& words, std::uint32_t ports, std::uint32_t planes, std::uint32_t hosts)
    : HostGraph(words.empty() ? 1 : words.front(), ports, planes, 0) {
  const auto fail = [] { throw std::invalid_argument("a start has other hosts, or is no graph within the ports"); };
  std::size_t place = 1;
  const auto read = [&] {
    if (place >= words.size()) fail();
    return words[place++];
  };
  for (std::uint32_t& count : hosts_)
    if ((count = read()) > ports) fail();
  if (std::accumulate(hosts_.begin(), hosts_.end(), std::uint64_t{0}) != hosts) fail();
  for (std::uint32_t plane = 0; plane < planes; ++plane) {
    for (std::uint32_t left = read(); left > 0; --left) {
      const std::uint32_t one = read(), other = read();
      if (one >= switches_ || other >= switches_ || one == other || joined(plane, one, other)) fail();
      if (free_ports(plane, one) == 0 || free_ports(plane, other) == 0) fail();
      add(plane, {one, other});
    }
  }
  if (place != words.size()) fail();
}

HostGraph::Words HostGraph::words() const {
  Words all{switches_};
  all.insert(all.end(), hosts_.begin(), hosts_.end());
  for (const Plane& plane : planes_) {
    all.push_back(static_cast<std::uint32_t>(plane.edges.size()));
    for (const Edge& edge : plane.edges) all.insert(all.end(), edge.begin(), edge.end());
  }
  return all;
}

bool HostGraph::is_connected() const {
  for (std::uint32_t plane = 0; plane < planes(); ++plane) {
    std::vector<std::uint8_t> reached(switches_);
    std::vector<std::uint32_t> found{0};
    reached[0] = 1;
    for (std::size_t i = 0; i < found.size(); ++i) {
      for (std::uint32_t port = 0; port < degree(plane, found[i]); ++port) {
        const std::uint32_t peer = next(plane, found[i])[port];
        if (std::exchange(reached[peer], 1) == 0) found.push_back(peer);
      }
    }
    if (found.size() < switches_) return false;
  }
  return true;
}

void HostGraph::connect(Plane& plane, Edge edge) {
  for (const int end : {0, 1}) {
    const std::size_t here = edge[end], there = edge[1 - end];
    plane.next[here * stride_ + plane.degree[here]++] = static_cast<std::uint32_t>(there);
    plane.rows[here * words_ + there / 64] |= std::uint64_t{1} << there % 64;
  }
}

void HostGraph::disconnect(Plane& plane, Edge edge) {
  for (const int end : {0, 1}) {
    const std::size_t here = edge[end], there = edge[1 - end];
    std::uint32_t* peers = plane.next.data() + here * stride_;
    std::uint32_t* last = peers + --plane.degree[here];
    *std::find(peers, last, static_cast<std::uint32_t>(there)) = *last;
    plane.rows[here * words_ + there / 64] &= ~(std::uint64_t{1} << there % 64);
  }
}

void HostGraph::add(std::uint32_t plane, Edge edge) {
  connect(planes_[plane], edge);
  planes_[plane].edges.push_back(edge);
}

void HostGraph::drop(std::uint32_t plane, std::size_t number) {
  auto& edges = planes_[plane].edges;
  disconnect(planes_[plane], edges[number]);
  edges[number] = edges.back();
  edges.pop_back();
}

void HostGraph::restore(std::uint32_t plane, std::size_t number, Edge edge) {
  add(plane, edge);
  auto& edges = planes_[plane].edges;
  std::swap(edges[number], edges.back());
}

void HostGraph::replace(std::uint32_t plane, std::size_t number, Edge edge) {
  disconnect(planes_[plane], planes_[plane].edges[number]);
  connect(planes_[plane], edge);
  planes_[plane].edges[number] = edge;
}

void HostGraph::move_host(std::uint32_t from, std::uint32_t to) {
  --hosts_[from];
  ++hosts_[to];
}

void HostGraph::add_switch() {
  ++switches_;
  hosts_.push_back(0);
  const std::size_t before = std::exchange(words_, (switches_ + std::size_t{63}) / 64);
  for (Plane& plane : planes_) {
    plane.degree.push_back(0);
    plane.next.resize(switches_ * stride_);
    std::vector<std::uint64_t> rows(switches_ * words_);
    for (std::size_t at = 0; at + 1 < switches_; ++at)
      std::copy_n(plane.rows.data() + at * before, before, rows.data() + at * words_);
    plane.rows = std::move(rows);
  }
}

bool HostMove::make(HostGraph& graph, Random& random) {
  changes_.clear();
  return random.below(4) == 0 ? swing(graph, random) : exchange_ends(graph, random);
}

bool HostMove::exchange(HostGraph& graph, Random& random) {
  changes_.clear();
  return exchange_ends(graph, random);
}

bool HostMove::exchange_ends(HostGraph& graph, Random& random) {
  const std::uint32_t plane = random.below(graph.planes());
  const auto& edges = graph.edges(plane);
  if (edges.size() < 2) return false;
  const auto count = static_cast<std::uint32_t>(edges.size());
  const std::uint32_t first = random.below(count), second = random.below(count);
  const auto [a, b] = edges[first];
  auto [c, d] = edges[second];
  if (random.below(2) == 0) std::swap(c, d);
  if (a == c || a == d || b == c || b == d || graph.joined(plane, a, c) || graph.joined(plane, b, d)) return false;
  replace(graph, plane, second, {b, d});
  replace(graph, plane, first, {a, c});
  return true;
}

bool HostMove::swing(HostGraph& graph, Random& random) {
  const std::uint32_t from = random.below(graph.switches()), to = random.below(graph.switches());
  if (from == to || graph.hosts()[from] == 0) return false;
  for (std::uint32_t plane = 0; plane < graph.planes(); ++plane) {
    if (graph.free_ports(plane, to) > 0) continue;
    const auto& edges = graph.edges(plane);
    if (graph.degree(plane, to) == 0) {
      undo(graph);
      return false;
    }
    // Drawn among the edges, whose order is part of a state, unlike that of neighbours.
    std::size_t number = random.below(static_cast<std::uint32_t>(edges.size()));
    while (edges[number][0] != to && edges[number][1] != to) number = (number + 1) % edges.size();
    const std::uint32_t other = edges[number][0] == to ? edges[number][1] : edges[number][0];
    if (other == from || graph.joined(plane, other, from)) {
      changes_.push_back({Kind::kDrop, plane, number, edges[number]});
      graph.drop(plane, number);
    } else {
      replace(graph, plane, number, {other, from});
    }
  }
  graph.move_host(from, to);
  changes_.push_back({Kind::kHost, 0, 0, {from, to}});
  return true;
}

bool HostMove::join(HostGraph& graph, Random& random) {
  changes_.clear();
  const std::uint32_t plane = random.below(graph.planes());
  const std::uint32_t one = with_free_port(graph, plane, random.below(graph.switches()));
  return one < graph.switches() && join_one(graph, random, plane, one);
}

bool HostMove::join_one(HostGraph& graph, Random& random, std::uint32_t plane, std::uint32_t one) {
  if (graph.edges(plane).size() >= cables_) return false;
  const std::uint32_t other = with_free_port(graph, plane, random.below(graph.switches()), one);
  if (other == graph.switches()) return false;
  graph.add(plane, {one, other});
  changes_.push_back({Kind::kAdd, plane, 0, {}});
  return true;
}

bool HostMove::fill(HostGraph& graph, Random& random) {
  changes_.clear();
  const std::uint32_t plane = random.below(graph.planes());
  const std::uint32_t one = with_free_port(graph, plane, random.below(graph.switches()));
  if (one == graph.switches()) return false;
  if (join_one(graph, random, plane, one)) return true;
  const bool has_room = graph.edges(plane).size() < cables_;
  if (graph.edges(plane).empty()) return false;
  const std::uint32_t number = random.below(static_cast<std::uint32_t>(graph.edges(plane).size()));
  auto [x, y] = graph.edges(plane)[number];
  if (random.below(2) == 0) std::swap(x, y);
  if (one == x || one == y || graph.joined(plane, one, x)) return false;
  const bool divides = has_room && graph.free_ports(plane, one) > 1 && !graph.joined(plane, one, y);
  replace(graph, plane, number, {x, one});
  if (divides) {
    graph.add(plane, {y, one});
    changes_.push_back({Kind::kAdd, plane, 0, {}});
  }
  return true;
}

void HostMove::replace(HostGraph& graph, std::uint32_t plane, std::size_t number, HostGraph::Edge edge) {
  changes_.push_back({Kind::kReplace, plane, number, graph.edges(plane)[number]});
  graph.replace(plane, number, edge);
}

void HostMove::undo(HostGraph& graph) {
  for (; !changes_.empty(); changes_.pop_back()) {
    const Change& change = changes_.back();
    if (change.kind == Kind::kHost)
      graph.move_host(change.before[1], change.before[0]);
    else if (change.kind == Kind::kAdd)
      graph.drop(change.plane, graph.edges(change.plane).size() - 1);
    else if (change.kind == Kind::kDrop)
      graph.restore(change.plane, change.number, change.before);
    else
      graph.replace(change.plane, change.number, change.before);
  }
}

}  // namespace isoplane
