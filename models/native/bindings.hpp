// Functions that add parts of the library to the module.
#pragma once

#include <nanobind/nanobind.h>

// Routing-table caches, and the checksums that select their sets.
void bind_routing_cache(nanobind::module_& m);
