// Thin binding of the search for graphs: converts and calls the library.
#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "bindings.hpp"
#include "isoplane/graph_walk.hpp"

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
  nb::class_<GraphWalk>(m, "GraphWalk", "One annealing walk over regular graphs.")
      .def(
          "__init__",
          [](GraphWalk* self, SharedTask task, std::uint64_t seed, std::uint64_t stream, const GraphWalk::Ends& start,
             double hottest, double coolest, std::int64_t first_leg, double growth) {
            new (self) GraphWalk(std::move(task), {hottest, coolest, first_leg, growth}, seed, stream, start);
          },
          "task"_a, "seed"_a, "stream"_a, "start"_a, "hottest"_a, "coolest"_a, "first_leg"_a, "growth"_a)
      .def_static(
          "restored",
          [](SharedTask task, const isoplane::State& state, double hottest, double coolest, std::int64_t first_leg,
             double growth) {
            return std::make_unique<GraphWalk>(std::move(task),
                                               GraphWalk::Settings{hottest, coolest, first_leg, growth}, state);
          },
          "task"_a, "state"_a, "hottest"_a, "coolest"_a, "first_leg"_a, "growth"_a,
          "Restore from a state, with the settings it was saved with; ValueError if damaged.")
      .def("state", &GraphWalk::state, "The complete state, from which the run can be resumed, as 64-bit words.")
      .def("offer", &GraphWalk::offer, "candidate"_a, "Accept a graph from another walk.")
      .def("run", &GraphWalk::run, "evaluations"_a, nb::call_guard<nb::gil_scoped_release>(),
           "Run a number of evaluations.")
      .def("designs", &GraphWalk::designs, "The best graph so far: both ends of each edge.")
      .def_prop_ro("evaluations", &GraphWalk::evaluations);
}
