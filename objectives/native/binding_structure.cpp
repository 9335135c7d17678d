// Thin binding of numbers of paths, of balanced cuts and of minimum cuts: checks arrays and calls the library.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>

#include "bindings.hpp"
#include "isoplane/minimum_cut.hpp"
#include "isoplane/path_diversity.hpp"
#include "isoplane/vertex_moves.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

using Longs = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Ints = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Counts = nb::ndarray<std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Sides = nb::ndarray<std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Limbs = nb::ndarray<std::uint64_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

void require(bool holds, const char* what) {
  if (!holds) throw nb::value_error(what);
}

// Offsets of lists: ascending from 0 to the number of values.
void require_lists(const Longs& start, std::size_t values) {
  require(start.size() > 1 && start.data()[0] == 0, "offsets of wrong shape");
  for (std::size_t i = 1; i < start.size(); ++i)
    require(start.data()[i - 1] <= start.data()[i], "offsets are not ascending");
  require(start.data()[start.size() - 1] == static_cast<std::int64_t>(values), "offsets of wrong shape");
}

template <class Values>
void require_below(const Values& values, std::size_t limit, const char* what) {
  for (std::size_t i = 0; i < values.size(); ++i) require(static_cast<std::uint64_t>(values.data()[i]) < limit, what);
}

// Arrays of a graph, of groups of switches and of pairs of groups.
struct Arguments {
  isoplane::CableGraph graph;
  isoplane::NodeLinks groups;
  isoplane::GroupPairs pairs;
};

Arguments checked(const Longs& start, const Ints& head, const Ints& cables, const Longs& opposite,
                  const Longs& group_start, const Ints& group_switch, const Longs& source, const Longs& target) {
  require_lists(start, head.size());
  require_lists(group_start, group_switch.size());
  const std::size_t switches = start.size() - 1, groups = group_start.size() - 1;
  require(cables.size() == head.size() && opposite.size() == head.size(), "links of wrong shape");
  require_below(head, switches, "a head is not a switch");
  require_below(group_switch, switches, "the end of a link is not a switch");
  require_below(opposite, head.size(), "an opposite link is not a link");
  for (std::size_t here = 0; here < switches; ++here) {
    for (std::int64_t link = start.data()[here]; link < start.data()[here + 1]; ++link) {
      const std::int64_t back = opposite.data()[link];
      require(cables.data()[link] > 0 && cables.data()[back] == cables.data()[link], "opposite links differ");
      require(head.data()[back] == static_cast<std::int32_t>(here), "an opposite link has another head");
    }
  }
  require(source.size() == target.size(), "pairs of wrong shape");
  require_below(source, groups, "a source is no group");
  require_below(target, groups, "a target is no group");
  return {{switches, start.data(), head.data(), cables.data(), opposite.data()},
          {group_start.data(), group_switch.data()},
          {source.size(), source.data(), target.data()}};
}

void disjoint_paths(Longs start, Ints head, Ints cables, Longs opposite, Longs group_start, Ints group_switch,
                    Longs source, Longs target, Counts found) {
  const Arguments all = checked(start, head, cables, opposite, group_start, group_switch, source, target);
  require(found.size() == source.size(), "numbers of wrong shape");
  const nb::gil_scoped_release release;
  isoplane::disjoint_paths(all.graph, all.groups, all.pairs, found.data());
}

bool shortest_paths(Longs start, Ints head, Ints cables, Longs opposite, Longs group_start, Ints group_switch,
                    Longs source, Longs target, Limbs found) {
  const Arguments all = checked(start, head, cables, opposite, group_start, group_switch, source, target);
  require(found.shape(0) == source.size() && found.shape(1) > 0, "numbers of wrong shape");
  const nb::gil_scoped_release release;
  return isoplane::shortest_paths(all.graph, all.groups, all.pairs, found.shape(1), found.data());
}

void move_vertices(Longs start, Ints head, Longs cost, Longs weight, Longs node_cost, std::int64_t patience,
                   Sides side) {
  const std::size_t vertices = weight.size();
  require_lists(start, head.size());
  require(start.size() == vertices + 1 && node_cost.size() == vertices && side.size() == vertices,
          "vertices of wrong shape");
  require(cost.size() == head.size(), "costs of wrong shape");
  require_below(head, vertices, "a head is not a vertex");
  require_below(side, 2, "a side is neither 0 nor 1");
  const isoplane::CutGraph graph{vertices, start.data(), head.data(), cost.data(), weight.data(), node_cost.data()};
  const nb::gil_scoped_release release;
  isoplane::move_vertices(graph, patience, side.data());
}

std::int64_t minimum_cut(Ints tail, Ints head, Longs capacity, std::int64_t source, std::int64_t sink, Sides side) {
  const std::size_t vertices = side.size();
  require(head.size() == tail.size() && capacity.size() == tail.size(), "links of wrong shape");
  require_below(tail, vertices, "a tail is not a vertex");
  require_below(head, vertices, "a head is not a vertex");
  std::uint64_t total = 0;
  for (std::size_t link = 0; link < capacity.size(); ++link) {
    require(capacity.data()[link] >= 0, "a capacity is negative");
    total += static_cast<std::uint64_t>(capacity.data()[link]);
    require(total < std::uint64_t{1} << 63, "capacities add up to more than 64 bits");
  }
  const auto from = static_cast<std::size_t>(source), to = static_cast<std::size_t>(sink);
  require(from < vertices && to < vertices && from != to, "source and sink are not two vertices");
  const isoplane::CutLinks graph{vertices, tail.size(), tail.data(), head.data(), capacity.data()};
  const nb::gil_scoped_release release;
  return isoplane::minimum_cut(graph, from, to, side.data());
}

}  // namespace

void bind_structure(nb::module_& m) {
  m.def("disjoint_paths", &disjoint_paths, "start"_a, "head"_a, "cables"_a, "opposite"_a, "group_start"_a,
        "group_switch"_a, "source"_a, "target"_a, "found"_a,
        "Fill in, for pairs of groups without a common switch, the number of paths of which no two take the same cable "
        "in the same direction.");
  m.def("shortest_paths", &shortest_paths, "start"_a, "head"_a, "cables"_a, "opposite"_a, "group_start"_a,
        "group_switch"_a, "source"_a, "target"_a, "found"_a,
        "Fill in, for pairs of groups, the number of shortest paths in words of 64 bits, the lowest first; false if "
        "some number needs more words.");
  m.def("move_vertices", &move_vertices, "start"_a, "head"_a, "cost"_a, "weight"_a, "node_cost"_a, "patience"_a,
        "side"_a,
        "Improve a cut by one pass of moves of single vertices, the one that lowers the cut most first; the best "
        "balanced cut on the way replaces the sides.");
  m.def(
      "minimum_cut", &minimum_cut, "tail"_a, "head"_a, "capacity"_a, "source"_a, "sink"_a, "side"_a,
      "Least capacity of links from the side of the source to that of the sink; marks the smallest side of the source "
      "with 1.");
}
