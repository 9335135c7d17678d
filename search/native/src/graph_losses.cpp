#include "isoplane/graph_losses.hpp"

#include <algorithm>
#include <numeric>

namespace isoplane {
namespace {

template <class Value>
std::vector<Value> numbers(std::size_t count) {
  std::vector<Value> all(count);
  std::iota(all.begin(), all.end(), Value{0});
  return all;
}

}  // namespace

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
