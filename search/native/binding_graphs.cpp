// Thin binding of the search for graphs: converts and calls the library.
#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "bindings.hpp"
#include "isoplane/graph_walk.hpp"
#include "isoplane/host_walk.hpp"
#include "isoplane/measured_graphs.hpp"
#include "isoplane/placed_walk.hpp"
#include "isoplane/places_walk.hpp"
#include "python_score.hpp"
#include "walk_binding.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

using isoplane::GraphTask;
using isoplane::GraphWalk;
using isoplane::Group;
using isoplane::HostTask;
using isoplane::HostWalk;
using isoplane::MeasuredGraphTask;
using isoplane::MeasuredGraphWalk;
using isoplane::PlacedTask;
using isoplane::PlacedWalk;
using SharedTask = std::shared_ptr<GraphTask>;

SharedTask make_task(std::uint32_t vertices, std::uint32_t degree,
                     const std::vector<std::array<std::uint32_t, 7>>& groups, bool diameter_first) {
  auto task = std::make_shared<GraphTask>();
  *task = {vertices, degree, {}, diameter_first};
  for (const auto& [a, c, b, ii, il, li, ll] : groups)
    task->groups.emplace_back(a, c, b, Group::Matrix{ii, il, li, ll});
  task->check();
  return task;
}

std::shared_ptr<HostTask> make_host_task(std::uint32_t hosts, std::uint32_t ports, std::uint32_t planes,
                                         std::uint32_t cables, bool moves_hosts, std::vector<std::uint32_t> sizes) {
  auto task = std::make_shared<HostTask>();
  *task = {hosts, ports, planes, cables, moves_hosts, std::move(sizes)};
  task->check();
  return task;
}

std::shared_ptr<MeasuredGraphTask> make_measured_task(const HostTask& graphs, std::vector<std::uint32_t> first,
                                                      nb::object function) {
  auto task = std::make_shared<MeasuredGraphTask>(
      MeasuredGraphTask{graphs, std::move(first), isoplane::measuring(std::move(function))});
  task->check();
  return task;
}

std::shared_ptr<PlacedTask> make_placed_task(const GraphTask& graphs, std::int64_t nodes,
                                             std::vector<std::uint32_t> rack, std::vector<std::int64_t> needed_mm,
                                             std::vector<std::uint16_t> kind, std::vector<std::int64_t> length_mm,
                                             std::vector<std::int64_t> price_cents,
                                             const std::array<std::int64_t, 3>& delays, std::int64_t fixed_cents,
                                             std::int64_t node_cable_mm, const std::vector<isoplane::Terms>& components,
                                             const std::vector<isoplane::Terms>& limits) {
  auto task = std::make_shared<PlacedTask>(
      PlacedTask{graphs, nodes, std::move(rack), std::move(needed_mm), std::move(kind), std::move(length_mm),
                 std::move(price_cents), delays[0], delays[1], delays[2], fixed_cents, node_cable_mm,
                 isoplane::Scalarisation(isoplane::sums_of(components), isoplane::sums_of(limits), {})});
  task->check();
  return task;
}

}  // namespace

void bind_graphs(nb::module_& m) {
  nb::class_<GraphTask>(m, "GraphTask", "Regular graphs to search, and the groups of their symmetries; immutable.")
      .def(nb::new_(&make_task), "vertices"_a, "degree"_a, "groups"_a, "diameter_first"_a,
           "Groups are semidirect products (a, c, b, m0, m1, m2, m3) of Z_a x Z_c and Z_b by a matrix.");
  WalkMaker<GraphWalk, GraphTask, double, double, std::int64_t, double>::bind(
      m, "GraphWalk", "One annealing walk over regular graphs. A design is both ends of each edge.", "hottest"_a,
      "coolest"_a, "first_leg"_a, "growth"_a);
  nb::class_<PlacedTask, GraphTask>(m, "PlacedTask", "Regular graphs of vertices in racks to search; immutable.")
      .def(nb::new_(&make_placed_task), "graphs"_a, "nodes"_a, "rack"_a, "needed_mm"_a, "kind"_a, "length_mm"_a,
           "price_cents"_a, "delays"_a, "fixed_cents"_a, "node_cable_mm"_a, "components"_a, "limits"_a,
           "Kinds are those of the cables between any two racks; delays those of a switch, of 1 mm and of both ends.");
  WalkMaker<PlacedWalk, PlacedTask, double, double, std::int64_t, double>::bind(
      m, "PlacedWalk",
      "One annealing walk over regular graphs and the places of their vertices. A design is both ends of each edge, by "
      "their places.",
      "hottest"_a, "coolest"_a, "first_leg"_a, "growth"_a);
  nb::class_<HostTask>(m, "HostTask", "Switches with hosts to search; immutable.")
      .def(nb::new_(&make_host_task), "hosts"_a, "ports"_a, "planes"_a, "cables"_a, "moves_hosts"_a, "sizes"_a,
           "Sizes are numbers of switches; a plane has at most `cables` cables. Hosts that do not move are spread "
           "evenly.");
  WalkMaker<HostWalk, HostTask, double, double, std::int64_t, double>::bind(
      m, "HostWalk",
      "One annealing walk over host graphs. A design is the number of switches, the hosts of each, and of each plane "
      "the number of cables and both ends of each.",
      "hottest"_a, "coolest"_a, "first_leg"_a, "growth"_a);
  nb::class_<MeasuredGraphTask>(m, "MeasuredGraphTask", "Switches with hosts to search for any score; immutable.")
      .def(nb::new_(&make_measured_task), "graphs"_a, "first"_a, "function"_a,
           "The first graph is connected. The function takes a design, and returns what annealing minimises, a number, "
           "and the score, a tuple of integers.");
  WalkMaker<MeasuredGraphWalk, MeasuredGraphTask, double, double, std::int64_t, double>::bind(
      m, "MeasuredGraphWalk",
      "One annealing walk over host graphs whose score a function returns. A design is that of `HostWalk`, or if hosts "
      "do not move both ends of each cable of one plane.",
      "hottest"_a, "coolest"_a, "first_leg"_a, "growth"_a);
}
