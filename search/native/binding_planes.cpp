// Thin binding of the search for relabelled planes: converts and calls the library.
#include <nanobind/nanobind.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "bindings.hpp"
#include "isoplane/relabelling_walk.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

using isoplane::RelabellingTask;
using isoplane::RelabellingWalk;
using SharedTask = std::shared_ptr<RelabellingTask>;

SharedTask make_task(std::uint32_t vertices, std::uint32_t planes, const nb::bytes& distances) {
  const auto* first = static_cast<const std::uint8_t*>(distances.data());
  return std::make_shared<RelabellingTask>(vertices, planes, std::vector(first, first + distances.size()));
}

}  // namespace

void bind_planes(nb::module_& m) {
  nb::class_<RelabellingTask>(m, "RelabellingTask", "Planes of one topology to relabel; immutable.")
      .def(nb::new_(&make_task), "vertices"_a, "planes"_a, "distances"_a,
           "Distances are the hops between every two vertices, a byte each.");
  nb::class_<RelabellingWalk>(m, "RelabellingWalk", "One annealing walk over the places of vertices in planes.")
      .def(
          "__init__",
          [](RelabellingWalk* self, SharedTask task, std::uint64_t seed, std::uint64_t stream,
             const RelabellingWalk::Places& start, double hottest, double coolest, std::int64_t first_leg,
             double growth) {
            new (self) RelabellingWalk(std::move(task), {hottest, coolest, first_leg, growth}, seed, stream, start);
          },
          "task"_a, "seed"_a, "stream"_a, "start"_a, "hottest"_a, "coolest"_a, "first_leg"_a, "growth"_a)
      .def_static(
          "restored",
          [](SharedTask task, const isoplane::State& state, double hottest, double coolest, std::int64_t first_leg,
             double growth) {
            return std::make_unique<RelabellingWalk>(
                std::move(task), RelabellingWalk::Settings{hottest, coolest, first_leg, growth}, state);
          },
          "task"_a, "state"_a, "hottest"_a, "coolest"_a, "first_leg"_a, "growth"_a,
          "Restore from a state, with the settings it was saved with; ValueError if damaged.")
      .def("state", &RelabellingWalk::state, "The complete state, from which the run can be resumed, as 64-bit words.")
      .def("offer", &RelabellingWalk::offer, "candidate"_a, "Accept places from another walk.")
      .def("run", &RelabellingWalk::run, "evaluations"_a, nb::call_guard<nb::gil_scoped_release>(),
           "Run a number of evaluations.")
      .def("designs", &RelabellingWalk::designs,
           "The best places so far: those in plane 1, then in plane 2, and so on.")
      .def_prop_ro("evaluations", &RelabellingWalk::evaluations);
}
