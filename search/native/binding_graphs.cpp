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
#include "walk_binding.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

using isoplane::GraphTask;
using isoplane::GraphWalk;
using isoplane::Group;
using isoplane::HostTask;
using isoplane::HostWalk;
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

}  // namespace

void bind_graphs(nb::module_& m) {
  nb::class_<GraphTask>(m, "GraphTask", "Regular graphs to search, and the groups of their symmetries; immutable.")
      .def(nb::new_(&make_task), "vertices"_a, "degree"_a, "groups"_a, "diameter_first"_a,
           "Groups are semidirect products (a, c, b, m0, m1, m2, m3) of Z_a x Z_c and Z_b by a matrix.");
  WalkMaker<GraphWalk, GraphTask, double, double, std::int64_t, double>::bind(
      m, "GraphWalk", "One annealing walk over regular graphs.", "The best graph so far: both ends of each edge.",
      "hottest"_a, "coolest"_a, "first_leg"_a, "growth"_a);
  nb::class_<HostTask>(m, "HostTask", "Switches with hosts to search; immutable.")
      .def(nb::new_(&make_host_task), "hosts"_a, "ports"_a, "planes"_a, "cables"_a, "moves_hosts"_a, "sizes"_a,
           "Sizes are numbers of switches; a plane has at most `cables` cables. Hosts that do not move are spread "
           "evenly.");
  WalkMaker<HostWalk, HostTask, double, double, std::int64_t, double>::bind(
      m, "HostWalk", "One annealing walk over host graphs.",
      "The best graph so far: the number of switches, the hosts of each, and of each plane the number of cables "
      "and both ends of each.",
      "hottest"_a, "coolest"_a, "first_leg"_a, "growth"_a);
}
