// Functions that add parts of the library to the module.
#pragma once

#include <nanobind/nanobind.h>

// The general evaluator.
void bind_general(nanobind::module_& m);

// The transfers of the fluid model.
void bind_transfers(nanobind::module_& m);

// Distances over links with lengths.
void bind_lengths(nanobind::module_& m);

// Numbers of paths between groups of nodes, and balanced cuts.
void bind_structure(nanobind::module_& m);

// Maximum concurrent flows.
void bind_flows(nanobind::module_& m);
