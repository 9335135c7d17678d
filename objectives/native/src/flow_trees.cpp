// Trees of shortest paths from the sources of a flow, and the distances of all demands.
#include <algorithm>
#include <queue>
#include <utility>

#include "isoplane/concurrent_flow.hpp"

namespace isoplane {

FlowTrees::FlowTrees(const FlowNetwork& network)
    : network_(network), start_(network.vertices + 1), out_(network.links) {
  for (std::size_t link = 0; link < network.links; ++link) ++start_[static_cast<std::size_t>(network.tail[link]) + 1];
  for (std::size_t vertex = 0; vertex < network.vertices; ++vertex) start_[vertex + 1] += start_[vertex];
  std::vector<std::int64_t> next(start_.begin(), start_.end() - 1);
  for (std::size_t link = 0; link < network.links; ++link)
    out_[static_cast<std::size_t>(next[static_cast<std::size_t>(network.tail[link])]++)] =
        static_cast<std::int64_t>(link);
}

void FlowTrees::from(std::size_t source, const std::int64_t* length) {
  using Reached = std::pair<std::int64_t, std::int32_t>;
  std::priority_queue<Reached, std::vector<Reached>, std::greater<>> pending;
  const std::int32_t first = network_.source[source];
  distance_.assign(network_.vertices, kFar);
  link_to_.assign(network_.vertices, -1);
  std::vector<bool> is_settled(network_.vertices);
  order_.clear();
  distance_[static_cast<std::size_t>(first)] = 0;
  pending.emplace(0, first);
  while (!pending.empty()) {
    const auto here = static_cast<std::size_t>(pending.top().second);
    pending.pop();
    if (is_settled[here]) continue;
    is_settled[here] = true;
    order_.push_back(static_cast<std::int32_t>(here));
    for (std::int64_t i = start_[here]; i < start_[here + 1]; ++i) {
      const std::int64_t link = out_[static_cast<std::size_t>(i)];
      const std::int32_t head = network_.head[link];
      const std::int64_t over = distance_[here] + length[link];
      if (over >= distance_[static_cast<std::size_t>(head)]) continue;
      distance_[static_cast<std::size_t>(head)] = over;
      link_to_[static_cast<std::size_t>(head)] = link;
      pending.emplace(over, head);
    }
  }
}

bool demand_distances(const FlowNetwork& network, const std::int64_t* length, const std::int32_t* link_class,
                      std::int64_t* load, WideSum& total) {
  FlowTrees trees(network);
  unsigned __int128 sum = 0;
  std::vector<std::int64_t> needed(network.vertices);
  for (std::size_t source = 0; source < network.sources; ++source) {
    trees.from(source, length);
    const std::int64_t* demand = network.demand + source * network.vertices;
    for (std::size_t vertex = 0; vertex < network.vertices; ++vertex) {
      if (demand[vertex] == 0) continue;
      if (!trees.is_reached(vertex)) return false;
      sum += static_cast<unsigned __int128>(demand[vertex]) * static_cast<unsigned __int128>(trees.distance(vertex));
    }
    if (load == nullptr) continue;
    std::copy(demand, demand + network.vertices, needed.begin());
    for (std::size_t i = trees.order().size(); i-- > 1;) {
      const auto here = static_cast<std::size_t>(trees.order()[i]);
      const std::int64_t link = trees.link_to(here);
      load[link_class[link]] += needed[here];
      needed[static_cast<std::size_t>(network.tail[link])] += needed[here];
    }
  }
  total = {static_cast<std::uint64_t>(sum), static_cast<std::uint64_t>(sum >> 64)};
  return true;
}

}  // namespace isoplane
