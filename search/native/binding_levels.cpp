// Thin binding of the search for connection sets under a workload: converts and calls the library.
#include <nanobind/nanobind.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

#include "bindings.hpp"
#include "isoplane/level_loads.hpp"
#include "isoplane/level_walk.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

using isoplane::LevelTask;
using isoplane::LevelWalk;
using Numbers = std::vector<std::uint32_t>;
using Bytes = std::vector<std::int64_t>;
using SharedTask = std::shared_ptr<LevelTask>;

SharedTask make_task(int n, bool folded, std::uint32_t nodes_per_switch, Numbers level_start, Bytes repetitions,
                     Numbers source, Numbers destination, Bytes bytes, Bytes half) {
  auto task = std::make_shared<LevelTask>(LevelTask{n, folded, nodes_per_switch, std::move(level_start),
                                                    std::move(repetitions), std::move(source), std::move(destination),
                                                    std::move(bytes), std::move(half)});
  task->check();
  return task;
}

std::tuple<std::int64_t, std::int64_t, std::int64_t> totals(const SharedTask& task, const Numbers& generators) {
  if (generators.size() != static_cast<std::size_t>(task->n)) throw nb::value_error("a basis needs n generators");
  const auto found = isoplane::LevelLoads(task)(isoplane::Basis(task->n, generators.data()));
  return {found.levels, found.busiest, found.total};
}

// The settings of a walk, in the order of its fields.
template <class... Numeric>
struct Maker {
  static void make(LevelWalk* self, SharedTask task, std::uint64_t seed, std::uint64_t stream, const Numbers& start,
                   Numeric... settings) {
    new (self) LevelWalk(std::move(task), {settings...}, seed, stream, start);
  }
  static std::unique_ptr<LevelWalk> restore(SharedTask task, const isoplane::State& state, Numeric... settings) {
    return std::make_unique<LevelWalk>(std::move(task), LevelWalk::Settings{settings...}, state);
  }
  template <class... Names>
  static void bind(nb::class_<LevelWalk>& walk, Names... names) {
    walk.def("__init__", &make, "task"_a, "seed"_a, "stream"_a, "start"_a, names...)
        .def_static("restored", &restore, "task"_a, "state"_a, names...,
                    "Restore from a state, with the settings it was saved with; ValueError if damaged.");
  }
};

}  // namespace

void bind_levels(nb::module_& m) {
  nb::class_<LevelTask>(m, "LevelTask", "Messages by level over two planes of cubes; immutable.")
      .def(nb::new_(&make_task), "n"_a, "folded"_a, "nodes_per_switch"_a, "level_start"_a, "repetitions"_a, "source"_a,
           "destination"_a, "bytes"_a, "half"_a)
      .def("totals", &totals, "generators"_a,
           "Bytes of the busiest link summed over levels, of the busiest link over all levels, and of all links.");
  nb::class_<LevelWalk> walk(m, "LevelWalk", "One annealing walk over connection sets under a workload.");
  Maker<double, double, double, std::int64_t, double, std::int64_t, std::int64_t, std::int64_t, std::int64_t,
        bool>::bind(walk, "coolest"_a, "hottest"_a, "fall"_a, "first_leg"_a, "growth"_a, "levels"_a, "busiest"_a,
                    "total"_a, "kept"_a, "needs_times"_a);
  walk.def("state", &LevelWalk::state, "The complete state, from which the run can be resumed, as 64-bit words.")
      .def("offer", &LevelWalk::offer, "candidate"_a, "Accept a design from another walk.")
      .def("run", &LevelWalk::run, "evaluations"_a, nb::call_guard<nb::gil_scoped_release>(),
           "Run a number of evaluations.")
      .def("designs", &LevelWalk::designs, "The best design so far, then the others kept; each as generators.")
      .def("unmeasured", &LevelWalk::unmeasured, "The designs kept whose times are unknown, if times decide.")
      .def("set_time", &LevelWalk::set_time, "candidate"_a, "time"_a, "Set the time of a design that is kept.")
      .def_prop_ro("evaluations", &LevelWalk::evaluations);
}
