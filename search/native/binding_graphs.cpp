// Thin binding of the search for graphs: converts and calls the library.
#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "bindings.hpp"
#include "isoplane/graph_walk.hpp"
#include "walk_binding.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

using isoplane::GraphTask;
using isoplane::GraphWalk;
using SharedTask = std::shared_ptr<GraphTask>;

SharedTask make_task(std::uint32_t vertices, std::uint32_t degree,
                     const std::vector<std::array<std::uint32_t, 3>>& groups, bool diameter_first) {
  auto task = std::make_shared<GraphTask>();
  *task = {vertices, degree, {}, diameter_first};
  for (const auto& [a, b, k] : groups) task->groups.emplace_back(a, b, k);
  task->check();
  return task;
}

}  // namespace

void bind_graphs(nb::module_& m) {
  nb::class_<GraphTask>(m, "GraphTask", "Regular graphs to search, and the groups of their symmetries; immutable.")
      .def(nb::new_(&make_task), "vertices"_a, "degree"_a, "groups"_a, "diameter_first"_a,
           "Groups are semidirect products (a, b, k) of cyclic groups of the orders a and b.");
  WalkMaker<GraphWalk, GraphTask, double, double, std::int64_t, double>::bind(
      m, "GraphWalk", "One annealing walk over regular graphs.", "The best graph so far: both ends of each edge.",
      "hottest"_a, "coolest"_a, "first_leg"_a, "growth"_a);
}
