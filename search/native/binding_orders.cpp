// Thin binding of the search for the phases of an exchange: checks arrays and calls the library.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/unique_ptr.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "bindings.hpp"
#include "isoplane/phase_search.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

using isoplane::PhaseSearch;
using Starts = nb::ndarray<const std::uint32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Phases = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Found = nb::ndarray<nb::numpy, std::int32_t, nb::ndim<1>>;

std::unique_ptr<PhaseSearch> make(std::uint32_t resources, const Starts& start, const Starts& resource,
                                  const Phases& given, std::uint64_t seed, std::uint64_t stream) {
  isoplane::ExchangeProblem problem;
  problem.resources = resources;
  problem.start.assign(start.data(), start.data() + start.size());
  problem.resource.assign(resource.data(), resource.data() + resource.size());
  const std::vector<std::int32_t> phases(given.data(), given.data() + given.size());
  const nb::gil_scoped_release release;
  return std::make_unique<PhaseSearch>(std::move(problem), phases, seed, stream);
}

Found best(const PhaseSearch& search) {
  auto copy = std::make_unique<std::vector<std::int32_t>>(search.best());
  std::int32_t* data = copy->data();
  const std::size_t size = copy->size();
  nb::capsule owner(copy.release(), [](void* each) noexcept { delete static_cast<std::vector<std::int32_t>*>(each); });
  return Found(data, {size}, owner);
}

}  // namespace

void bind_orders(nb::module_& m) {
  nb::class_<PhaseSearch>(m, "PhaseSearch", "Local search for the phases of messages that share no link in a phase.")
      .def(nb::new_(&make), "resources"_a, "start"_a, "resource"_a, "given"_a, "seed"_a, "stream"_a,
           "Message i occupies resource[start[i]:start[i + 1]]; given has its first phase, -1 for none.")
      .def("run", &PhaseSearch::run, "evaluations"_a, nb::call_guard<nb::gil_scoped_release>(),
           "Run a number of evaluations; return earlier once there is one phase less, or the bound is reached.")
      .def("best", &best, "The phase of each message in the best assignment.")
      .def_prop_ro("phases", &PhaseSearch::phases)
      .def_prop_ro("bound", &PhaseSearch::bound, "Messages of the heaviest resource.")
      .def_prop_ro("open_messages", &PhaseSearch::open_messages, "Messages without a phase in the current assignment.")
      .def_prop_ro("evaluations", &PhaseSearch::evaluations);
}
