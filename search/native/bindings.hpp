// Functions that add parts of the library to the module.
#pragma once

#include <nanobind/nanobind.h>

// The phases of all-to-all exchanges.
void bind_orders(nanobind::module_& m);
// Connection sets under a workload.
void bind_levels(nanobind::module_& m);
// Regular graphs.
void bind_graphs(nanobind::module_& m);
// Relabelled planes.
void bind_planes(nanobind::module_& m);
