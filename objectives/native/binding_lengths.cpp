// Thin binding of distances over links with lengths: checks arrays and calls the library.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>

#include "bindings.hpp"
#include "isoplane/link_lengths.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

using Longs = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Ints = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Loads = nb::ndarray<double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

void require(bool holds, const char* what) {
  if (!holds) throw nb::value_error(what);
}

// Offsets of lists: ascending from 0 to the number of values.
void require_lists(const Longs& start, std::size_t lists, std::size_t values) {
  require(start.size() == lists + 1 && start.data()[0] == 0, "offsets of wrong shape");
  for (std::size_t i = 0; i < lists; ++i) require(start.data()[i] <= start.data()[i + 1], "offsets are not ascending");
  require(start.data()[lists] == static_cast<std::int64_t>(values), "offsets of wrong shape");
}

void require_within(const Ints& values, std::int64_t limit, const char* what) {
  for (std::size_t i = 0; i < values.size(); ++i) require(values.data()[i] >= 0 && values.data()[i] <= limit, what);
}

std::int64_t weighted_distances(Longs start, Ints head, Ints length, Longs nodes, Longs group_start, Ints group_switch,
                                Longs sources, Loads load) {
  require(start.size() > 1, "offsets of wrong shape");
  const std::size_t switches = start.size() - 1;
  require_lists(start, switches, head.size());
  require_lists(group_start, nodes.size(), group_switch.size());
  require(length.size() == head.size(), "lengths of wrong shape");
  require(load.size() == 0 || load.size() == head.size(), "loads of wrong shape");
  for (std::size_t i = 0; i < sources.size(); ++i)
    require(sources.data()[i] >= 0 && sources.data()[i] < static_cast<std::int64_t>(nodes.size()),
            "a source is no group");
  const auto last = static_cast<std::int64_t>(switches) - 1;
  require_within(head, last, "a head is not a switch");
  require_within(group_switch, last, "the end of a link is not a switch");
  require_within(length, isoplane::kMaxLength, "a length is out of range");
  const isoplane::LengthGraph graph{switches, start.data(), head.data(), length.data()};
  const isoplane::Terminals groups{nodes.size(), nodes.data(), {group_start.data(), group_switch.data()}};
  const nb::gil_scoped_release release;
  return isoplane::weighted_distances(graph, groups, sources.data(), sources.size(),
                                      load.size() == 0 ? nullptr : load.data());
}

}  // namespace

void bind_lengths(nb::module_& m) {
  m.attr("MAX_LENGTH") = isoplane::kMaxLength;
  m.def("weighted_distances", &weighted_distances, "start"_a, "head"_a, "length"_a, "nodes"_a, "group_start"_a,
        "group_switch"_a, "sources"_a, "load"_a,
        "Sum over pairs of nodes, the first in one of the sources, which are groups, of the distance over links with "
        "lengths; -1 if a group is out of reach. Adds the loads of all links if shortest paths share the traffic "
        "evenly, unless this array is empty.");
}
