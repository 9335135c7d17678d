// Conversion of arrays, and functions that add parts of the library to the module.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <vector>

template <class T>
using In = nanobind::ndarray<const T, nanobind::c_contig, nanobind::device::cpu>;

template <class T>
std::vector<T> to_vector(const In<T>& array) {
  return std::vector<T>(array.data(), array.data() + array.size());
}

// The simulated system.
void bind_plan(nanobind::module_& m);
