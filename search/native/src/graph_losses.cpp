#include "isoplane/graph_losses.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace isoplane {
namespace {

constexpr std::int64_t kNoLimit = std::numeric_limits<std::int64_t>::max() / 4;

template <class Value>
std::vector<Value> numbers(std::size_t count) {
  std::vector<Value> all(count);
  std::iota(all.begin(), all.end(), Value{0});
  return all;
}

}  // namespace

GraphRacks::GraphRacks(std::size_t degree, const std::vector<std::uint32_t>& rack)
    : degree_(degree), rack_(rack), number_(rack.size()), held_(rack.back() + std::size_t{1}) {
  for (const std::uint32_t each : rack) ++held_[each];
  for (const std::int64_t held : held_) {
    const std::size_t left = rack.size() - static_cast<std::size_t>(held);
    pairs_ += static_cast<std::int64_t>(left * left);
    distances_.try_emplace(left, left, degree, numbers<std::uint32_t>(left));
  }
}

// The loss of at most two racks loses an end of a pair, and no loss makes a distance shorter. The largest mean is at
// least that over the pairs of all losses.
RackLoss GraphRacks::least(const DistanceSums& whole) const {
  return {0, billionths((static_cast<std::int64_t>(held_.size()) - 2) * whole.hops, pairs_)};
}

void GraphRacks::lose(const std::uint32_t* next, const std::vector<std::uint32_t>& places, std::int64_t aim,
                      Losses& losses) {
  losses.rack = {};
  losses.rack_beyond = 0;
  for (std::uint32_t lost = 0; lost < held_.size(); ++lost) {
    left_.clear();
    for (std::uint32_t vertex = 0; vertex < places.size(); ++vertex) {
      if (rack_[places[vertex]] == lost) continue;
      number_[vertex] = static_cast<std::uint32_t>(left_.size());
      left_.push_back(vertex);
    }
    next_.clear();
    for (const std::uint32_t vertex : left_)
      for (std::size_t port = 0; port < degree_; ++port) {
        const std::uint32_t peer = next[vertex * degree_ + port];
        next_.push_back(number_[rack_[places[peer]] == lost ? vertex : peer]);  // a lost cable leads nowhere else
      }
    const auto left = static_cast<std::int64_t>(left_.size()), all = static_cast<std::int64_t>(places.size());
    const DistanceSums sums = distances_.at(left_.size())(next_.data(), aim, 0, kNoLimit);
    const bool parts = sums.apart > 0;  // vertices without a path are as far apart as there are vertices
    losses.rack.add({parts      ? all
                     : left > 1 ? sums.diameter
                                : 0,
                     billionths(sums.hops + sums.apart * all - sums.apart_hops, left * left)});
    losses.rack_beyond += sums.beyond;
  }
}

// The vertices are switches with a node each, in one plane. Both kinds of integers have 32 bits.
GraphLosses::GraphLosses(std::size_t vertices, std::size_t degree, const std::uint32_t* next,
                         const Scalarisation& score)
    : edges_(score.uses(Metric::kCableFaultDiameter) || score.uses(Metric::kCableFaultHops)),
      edge_hops_(score.uses(Metric::kCableFaultHops)),
      vertices_lost_(score.uses(Metric::kSwitchFaultDiameter)),
      nodes_(vertices, 1),
      starts_(numbers<std::int64_t>(vertices + 1)),
      at_(numbers<std::int32_t>(vertices)),
      distances_({{reinterpret_cast<const std::int32_t*>(next), vertices, degree}},
                 {vertices, nodes_.data(), {{starts_.data(), at_.data()}}}, static_cast<std::int64_t>(vertices)) {}

Losses GraphLosses::operator()(const DistanceSums& whole, const Losses& aims, std::int64_t most) {
  Losses found = least(whole);
  const std::size_t vertices = nodes_.size();
  const auto search = [&](Fault fault, std::int64_t aim, std::int64_t& diameter, std::int64_t* longer) {
    FaultSums sums{0, found.beyond};
    for (std::size_t vertex = 0; vertex < vertices && sums.beyond <= most; ++vertex)
      distances_.add(vertex, fault, aim, sums, longer, most);
    diameter = std::max(diameter, sums.diameter);
    found.beyond = sums.beyond;
  };
  if (edges_) {
    if (edge_hops_) {
      distances_.recable();
      longer_.assign(distances_.links(), 0);
    }
    search(Fault::kCable, aims.edge_diameter, found.edge_diameter, edge_hops_ ? longer_.data() : nullptr);
    if (edge_hops_) found.edge_hops += *std::max_element(longer_.begin(), longer_.end());
  }
  if (vertices_lost_) search(Fault::kSwitch, aims.vertex_diameter, found.vertex_diameter, nullptr);
  return found;
}

}  // namespace isoplane
