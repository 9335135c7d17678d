// Thin binding of the search for connection sets under a workload: converts and calls the library.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "bindings.hpp"
#include "isoplane/level_loads.hpp"
#include "isoplane/level_walk.hpp"
#include "walk_binding.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

using isoplane::LevelTask;
using isoplane::LevelWalk;
using Numbers = std::vector<std::uint32_t>;
using Bytes = std::vector<std::int64_t>;
using SharedTask = std::shared_ptr<LevelTask>;
using Bases = nb::ndarray<const std::uint32_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Totals = nb::ndarray<nb::numpy, std::int64_t, nb::ndim<2>>;

constexpr std::size_t kTotals = 3;

SharedTask make_task(int n, bool folded, std::uint32_t nodes_per_switch, Numbers level_start, Bytes repetitions,
                     Numbers source, Numbers destination, Bytes bytes, Bytes half) {
  auto task = std::make_shared<LevelTask>(LevelTask{n, folded, nodes_per_switch, std::move(level_start),
                                                    std::move(repetitions), std::move(source), std::move(destination),
                                                    std::move(bytes), std::move(half)});
  task->check();
  return task;
}

Totals totals(const SharedTask& task, const Bases& generators) {
  const auto n = static_cast<std::size_t>(task->n);
  if (generators.shape(1) != n) throw nb::value_error("a basis needs n generators");
  auto sums = std::make_unique<std::vector<std::int64_t>>();
  {
    const nb::gil_scoped_release release;
    isoplane::LevelLoads loads(task);
    sums->reserve(kTotals * generators.shape(0));
    for (std::size_t row = 0; row < generators.shape(0); ++row) {
      const auto found = loads(isoplane::Basis(task->n, generators.data() + row * n));
      sums->insert(sums->end(), {found.levels, found.busiest, found.total});
    }
  }
  std::int64_t* data = sums->data();
  nb::capsule owner(sums.release(), [](void* each) noexcept { delete static_cast<std::vector<std::int64_t>*>(each); });
  return Totals(data, {generators.shape(0), kTotals}, owner);
}

}  // namespace

void bind_levels(nb::module_& m) {
  nb::class_<LevelTask>(m, "LevelTask", "Messages by level over two planes of cubes; immutable.")
      .def(nb::new_(&make_task), "n"_a, "folded"_a, "nodes_per_switch"_a, "level_start"_a, "repetitions"_a, "source"_a,
           "destination"_a, "bytes"_a, "half"_a)
      .def("totals", &totals, "generators"_a,
           "For each row, a basis: bytes of the busiest link summed over levels, of the busiest link over all levels, "
           "and of all links.");
  WalkMaker<LevelWalk, LevelTask, double, double, double, std::int64_t, double, std::int64_t, std::int64_t,
            std::int64_t, std::int64_t, bool>::bind(m, "LevelWalk",
                                                    "One annealing walk over connection sets under a workload. A "
                                                    "design is generators.",
                                                    "coolest"_a, "hottest"_a, "fall"_a, "first_leg"_a, "growth"_a,
                                                    "levels"_a, "busiest"_a, "total"_a, "kept"_a, "needs_times"_a)
      .def("unmeasured", &LevelWalk::unmeasured, "The designs kept whose times are unknown, if times decide.")
      .def("set_time", &LevelWalk::set_time, "candidate"_a, "time"_a, "Set the time of a design that is kept.");
}
