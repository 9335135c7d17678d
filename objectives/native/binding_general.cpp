// Thin binding of the general evaluator: converts arrays and calls the library.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "bindings.hpp"
#include "isoplane/general.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

template <class Value, std::size_t Axes>
using Array = nb::ndarray<Value, nb::ndim<Axes>, nb::c_contig, nb::device::cpu>;
using Counts = Array<const std::int64_t, 1>;
using Switches = Array<const std::int32_t, 1>;

void require(bool holds, const char* what) {
  if (!holds) throw nb::value_error(what);
}

template <class Values>
void require_within(const Values& values, std::int64_t low, std::size_t limit, const char* what) {
  for (std::size_t i = 0; i < values.size(); ++i)
    require(values.data()[i] >= low && values.data()[i] < static_cast<std::int64_t>(limit), what);
}

// Routes as arrays; next ports or paths.
struct RouteArrays {
  RouteArrays(isoplane::RouteKey group, std::vector<std::int64_t> sizes, Switches rows, std::size_t width,
              std::optional<Array<const std::uint16_t, 2>> next, std::optional<Array<const std::uint32_t, 1>> begins,
              std::optional<Array<const std::uint16_t, 1>> taken)
      : key(group),
        shape(std::move(sizes)),
        row(std::move(rows)),
        columns(width),
        next_port(std::move(next)),
        starts(std::move(begins)),
        path_ports(std::move(taken)) {
    require(next_port.has_value() != (starts && path_ports), "either next ports or paths");
    const std::size_t rows_there =
        next_port ? next_port->shape(0) : (starts->size() - 1) / std::max<std::size_t>(1, columns);
    require_within(row, 0, rows_there, "a row is out of range");
    require(!next_port || next_port->shape(1) == columns, "next ports of wrong shape");
    if (!starts) return;
    for (std::size_t i = 0; i + 1 < starts->size(); ++i)
      require(starts->data()[i] <= starts->data()[i + 1], "paths end before they begin");
    require(starts->data()[starts->size() - 1] <= path_ports->size(), "paths of wrong length");
  }

  isoplane::RoutePlan plan() const {
    isoplane::RoutePlan found;
    found.key = key;
    found.shape = shape;
    found.row = row.data();
    found.columns = columns;
    if (next_port) found.next_port = next_port->data();
    if (starts) found.starts = starts->data();
    if (path_ports) found.path_ports = path_ports->data();
    return found;
  }

  isoplane::RouteKey key;
  std::vector<std::int64_t> shape;
  Switches row;
  std::size_t columns;
  std::optional<Array<const std::uint16_t, 2>> next_port;
  std::optional<Array<const std::uint32_t, 1>> starts;
  std::optional<Array<const std::uint16_t, 1>> path_ports;
};

// A plane and where groups of nodes and ends are in it.
struct PlaneArrays {
  Array<const std::int32_t, 2> peer;
  RouteArrays routes;
  Switches label, group_switch, end_target, end_goal;

  PlaneArrays(Array<const std::int32_t, 2> peers, RouteArrays given, Switches labels, Switches groups, Switches targets,
              Switches goals)
      : peer(std::move(peers)),
        routes(std::move(given)),
        label(std::move(labels)),
        group_switch(std::move(groups)),
        end_target(std::move(targets)),
        end_goal(std::move(goals)) {
    const std::size_t switches = peer.shape(0);
    require_within(peer, -1, switches, "a peer is no switch");
    require_within(label, 0, switches, "a label is out of range");
    require_within(group_switch, 0, switches, "a group is at no switch");
    require_within(end_target, 0, routes.columns, "a target is out of range");
    require_within(end_goal, 0, switches, "an end is at no switch");
    require(label.size() == switches && routes.row.size() == switches && end_goal.size() == end_target.size(),
            "arrays of wrong shape");
  }

  isoplane::Cables cables() const { return {peer.data(), peer.shape(0), peer.shape(1)}; }
};

isoplane::NodeGroups groups_of(const std::vector<PlaneArrays>& planes, const Counts& nodes) {
  isoplane::NodeGroups groups{nodes.size(), nodes.data(), {}};
  for (const PlaneArrays& plane : planes) {
    require(plane.group_switch.size() == nodes.size(), "arrays of wrong shape");
    groups.switch_of.push_back(plane.group_switch.data());
  }
  return groups;
}

std::vector<std::int64_t> pairs_beyond(const std::vector<PlaneArrays>& planes, const Counts& group_nodes,
                                       const Counts& sources) {
  const isoplane::NodeGroups groups = groups_of(planes, group_nodes);
  require_within(sources, 0, groups.count, "a source is no group");
  std::vector<isoplane::Cables> cables;
  for (const PlaneArrays& plane : planes) cables.push_back(plane.cables());
  const nb::gil_scoped_release release;
  return isoplane::pairs_beyond(cables, groups, sources.data(), sources.size());
}

void add_loads(const std::vector<PlaneArrays>& planes, const Counts& group_nodes, const Counts& end_nodes,
               std::size_t first, std::size_t count, std::int64_t whole,
               const std::vector<Array<std::int64_t, 2>>& loads) {
  const isoplane::NodeGroups groups = groups_of(planes, group_nodes);
  require(first + count <= end_nodes.size() && loads.size() == planes.size(), "arrays of wrong shape");
  isoplane::Ends ends{count, end_nodes.data() + first, {}, {}};
  std::vector<isoplane::RoutedPlane> routed;
  std::vector<std::int64_t*> sums;
  for (std::size_t i = 0; i < planes.size(); ++i) {
    const PlaneArrays& plane = planes[i];
    require(plane.end_target.size() == end_nodes.size(), "arrays of wrong shape");
    require(loads[i].shape(1) == plane.peer.shape(1), "arrays of wrong shape");
    require_within(plane.label, 0, loads[i].shape(0), "a label is out of range");
    ends.target.push_back(plane.end_target.data() + first);
    ends.goal.push_back(plane.end_goal.data() + first);
    routed.push_back({plane.cables(), plane.routes.plan(), plane.label.data()});
    sums.push_back(loads[i].data());
  }
  const nb::gil_scoped_release release;
  isoplane::add_loads(routed, groups, ends, whole, sums);
}

}  // namespace

void bind_general(nb::module_& m) {
  nb::exception<isoplane::BadRoute>(m, "BadRoute", PyExc_ValueError);
  nb::enum_<isoplane::RouteKey>(m, "RouteKey")
      .value("TABLE", isoplane::RouteKey::kTable)
      .value("XOR", isoplane::RouteKey::kXor)
      .value("TORUS", isoplane::RouteKey::kTorus);
  nb::class_<RouteArrays>(m, "RouteArrays", "Routes of a plane: next ports or whole paths.")
      .def(nb::init<isoplane::RouteKey, std::vector<std::int64_t>, Switches, std::size_t,
                    std::optional<Array<const std::uint16_t, 2>>, std::optional<Array<const std::uint32_t, 1>>,
                    std::optional<Array<const std::uint16_t, 1>>>(),
           "key"_a, "shape"_a, "row"_a, "columns"_a, "next_port"_a.none(), "starts"_a.none(), "path_ports"_a.none());
  nb::class_<PlaneArrays>(m, "PlaneArrays", "A plane, and where groups of nodes and ends of routes are in it.")
      .def(nb::init<Array<const std::int32_t, 2>, RouteArrays, Switches, Switches, Switches, Switches>(), "peer"_a,
           "routes"_a, "label"_a, "group_switch"_a, "end_target"_a, "end_goal"_a);
  m.def("pairs_beyond", &pairs_beyond, "planes"_a, "group_nodes"_a, "sources"_a,
        "How many pairs of a node of some groups and any node are farther apart than 0, 1, ... hops.");
  m.def(
      "add_loads", &add_loads, "planes"_a, "group_nodes"_a, "end_nodes"_a, "first"_a, "count"_a, "whole"_a, "loads"_a,
      "Add the loads of all links, by label and port, when every node sends `whole` units to the nodes of some ends.");
}
