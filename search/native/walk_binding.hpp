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
#include "isoplane/walk.hpp"

// Binds a kind of walk; its settings are numbers of these types, with names in their order.
template <class Kind, class Task, class... Numeric>
struct WalkMaker {
  static void make(Kind* self, std::shared_ptr<Task> task, std::uint64_t seed, std::uint64_t stream,
                   const std::vector<std::uint32_t>& start, Numeric... settings) {
    new (self) Kind(std::move(task), typename Kind::Settings{settings...}, seed, stream, start);
  }
  static std::unique_ptr<Kind> restore(std::shared_ptr<Task> task, const isoplane::State& state, Numeric... settings) {
    return std::make_unique<Kind>(std::move(task), typename Kind::Settings{settings...}, state);
  }
  template <class... Names>
  static nanobind::class_<Kind, isoplane::Walk> bind(nanobind::module_& m, const char* name, const char* doc,
                                                     Names... names) {
    using namespace nanobind::literals;
    nanobind::class_<Kind, isoplane::Walk> walk(m, name, doc);
    walk.def("__init__", &make, "task"_a, "seed"_a, "stream"_a, "start"_a, names...)
        .def_static("restored", &restore, "task"_a, "state"_a, names...,
                    "Restore from a state, with the settings it was saved with; ValueError if damaged.");
    return walk;
  }
};
