// Thin binding of the search for relabelled planes: converts and calls the library.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "bindings.hpp"
#include "isoplane/places_walk.hpp"
#include "isoplane/relabelled_distances.hpp"
#include "walk_binding.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

using isoplane::RelabellingTask;
using SharedTask = std::shared_ptr<RelabellingTask>;

SharedTask make_task(std::uint32_t vertices, std::uint32_t planes, const nb::bytes& distances) {
  const auto* first = static_cast<const std::uint8_t*>(distances.data());
  return std::make_shared<RelabellingTask>(vertices, planes, std::vector(first, first + distances.size()));
}

template <class Walk>
void bind_walk(nb::module_& m, const char* name, const char* doc) {
  WalkMaker<Walk, RelabellingTask, double, double, std::int64_t, double>::bind(
      m, name, doc, "The best places so far: those in plane 1, then in plane 2, and so on.", "hottest"_a, "coolest"_a,
      "first_leg"_a, "growth"_a);
}

}  // namespace

void bind_planes(nb::module_& m) {
  nb::class_<RelabellingTask>(m, "RelabellingTask", "Planes of one topology to relabel; immutable.")
      .def(nb::new_(&make_task), "vertices"_a, "planes"_a, "distances"_a,
           "Distances are the hops between every two vertices, a byte each.")
      .def_prop_ro("dimension", &RelabellingTask::dimension,
                   "n, if vertices are the vectors of GF(2)^n and distances depend on sums alone; else None.");
  bind_walk<isoplane::RelabellingWalk>(m, "RelabellingWalk",
                                       "One annealing walk over the places of vertices in planes.");
  bind_walk<isoplane::LinearWalk>(m, "LinearWalk",
                                  "One annealing walk over linear places of the vectors of GF(2)^n in planes.");
}
