// The binding of walks, which all are made from a task, a start and settings, or restored from a state.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "isoplane/state.hpp"

// Binds a kind of walk; its settings are numbers of these types, with names in their order.
template <class Walk, class Task, class... Numeric>
struct WalkMaker {
  static void make(Walk* self, std::shared_ptr<Task> task, std::uint64_t seed, std::uint64_t stream,
                   const std::vector<std::uint32_t>& start, Numeric... settings) {
    new (self) Walk(std::move(task), typename Walk::Settings{settings...}, seed, stream, start);
  }
  static std::unique_ptr<Walk> restore(std::shared_ptr<Task> task, const isoplane::State& state, Numeric... settings) {
    return std::make_unique<Walk>(std::move(task), typename Walk::Settings{settings...}, state);
  }
  template <class... Names>
  static void bind(nanobind::module_& m, const char* name, const char* doc, const char* designs, Names... names) {
    using namespace nanobind::literals;
    nanobind::class_<Walk>(m, name, doc)
        .def("__init__", &make, "task"_a, "seed"_a, "stream"_a, "start"_a, names...)
        .def_static("restored", &restore, "task"_a, "state"_a, names...,
                    "Restore from a state, with the settings it was saved with; ValueError if damaged.")
        .def("state", &Walk::state, "The complete state, from which the run can be resumed, as 64-bit words.")
        .def("offer", &Walk::offer, "candidate"_a, "Accept a design from another walk.")
        .def("run", &Walk::run, "evaluations"_a, nanobind::call_guard<nanobind::gil_scoped_release>(),
             "Run a number of evaluations.")
        .def("designs", &Walk::designs, designs)
        .def_prop_ro("evaluations", &Walk::evaluations);
  }
};
