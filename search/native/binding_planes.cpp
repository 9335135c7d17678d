// Thin binding of the search for relabelled planes: converts and calls the library.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "bindings.hpp"
#include "isoplane/linear_loads.hpp"
#include "isoplane/measured_places.hpp"
#include "isoplane/places_walk.hpp"
#include "isoplane/relabelled_distances.hpp"
#include "python_score.hpp"
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

std::shared_ptr<isoplane::LinearLoadTask> make_load_task(const RelabellingTask& planes,
                                                         const std::vector<std::uint64_t>& links,
                                                         const std::vector<std::vector<int>>& components,
                                                         const std::vector<std::int64_t>& times) {
  std::vector<isoplane::Component> products;
  for (const std::vector<int>& factors : components) {
    products.emplace_back();
    for (const int factor : factors) {
      if (factor != 0 && factor != 1) throw std::invalid_argument("expected 0, the sum of distances, or 1, the load");
      products.back().push_back(factor == 0 ? isoplane::Metric::kSumOfDistances : isoplane::Metric::kMaxLoad);
    }
  }
  return std::make_shared<isoplane::LinearLoadTask>(planes, links, products, times);
}

std::shared_ptr<isoplane::MeasuredTask> make_measured_task(const RelabellingTask& planes, nb::object function) {
  return std::make_shared<isoplane::MeasuredTask>(planes, isoplane::measuring(std::move(function)));
}

template <class Kind>
void bind_walk(nb::module_& m, const char* name, const char* doc) {
  WalkMaker<Kind, typename Kind::Task, double, double, std::int64_t, double>::bind(
      m, name, doc, "hottest"_a, "coolest"_a, "first_leg"_a, "growth"_a);
}

}  // namespace

void bind_planes(nb::module_& m) {
  nb::class_<RelabellingTask>(m, "RelabellingTask", "Planes of one topology, or of one each, to relabel; immutable.")
      .def(nb::new_(&make_task), "vertices"_a, "planes"_a, "distances"_a,
           "Distances are the hops between every two vertices, a byte each, once or for each plane.")
      .def_prop_ro("dimension", &RelabellingTask::dimension,
                   "n, if vertices are the vectors of GF(2)^n and distances depend on sums alone; else None.");
  nb::class_<isoplane::LinearLoadTask, RelabellingTask>(
      m, "LinearLoadTask", "Planes over GF(2)^n of which also the load of the busiest link is minimised; immutable.")
      .def(nb::new_(&make_load_task), "planes"_a, "links"_a, "components"_a, "times"_a,
           "Links are, for each vector, a bit for each link of the route there from 0, once or for each of mixed "
           "planes; components are products of the sum of distances, 0, and the load, 1; times are those of a packet "
           "on a link of each plane.");
  nb::class_<isoplane::MeasuredTask, RelabellingTask>(m, "MeasuredTask", "Planes to relabel for any score; immutable.")
      .def(nb::new_(&make_measured_task), "planes"_a, "function"_a,
           "The function takes the places in plane 1, then in plane 2, and so on, and returns what annealing "
           "minimises, a "
           "number, and the score, a tuple of integers.");
  bind_walk<isoplane::RelabellingWalk>(m, "RelabellingWalk",
                                       "One annealing walk over the places of vertices in planes. A design is those in "
                                       "plane 1, then in plane 2, and so on.");
  bind_walk<isoplane::LinearWalk>(m, "LinearWalk",
                                  "One annealing walk over linear places of the vectors of GF(2)^n in planes.");
  bind_walk<isoplane::AdditiveWalk>(m, "AdditiveWalk",
                                    "One annealing walk over places that are linear over Z4 and GF(2).");
  bind_walk<isoplane::LinearLoadWalk>(m, "LinearLoadWalk",
                                      "One annealing walk over the same that minimises loads, too.");
  bind_walk<isoplane::MeasuredWalk>(m, "MeasuredWalk",
                                    "One annealing walk over places whose score a function returns.");
  bind_walk<isoplane::MeasuredLinearWalk>(m, "MeasuredLinearWalk", "One annealing walk over linear ones among them.");
}
