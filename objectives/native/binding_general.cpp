// Thin binding of the general evaluator: converts arrays and calls the library.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "bindings.hpp"
#include "isoplane/fault_distances.hpp"
#include "isoplane/general.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

template <class Value, std::size_t Axes>
using Array = nb::ndarray<Value, nb::ndim<Axes>, nb::c_contig, nb::device::cpu>;
using Counts = Array<const std::int64_t, 1>;
using Switches = Array<const std::int32_t, 1>;
using Sums = std::vector<Array<std::int64_t, 1>>;

void require(bool holds, const char* what) {
  if (!holds) throw nb::value_error(what);
}

template <class Values>
void require_within(const Values& values, std::int64_t low, std::size_t limit, const char* what) {
  for (std::size_t i = 0; i < values.size(); ++i)
    require(values.data()[i] >= low && values.data()[i] < static_cast<std::int64_t>(limit), what);
}

// Routes as arrays: next ports or paths.
struct RouteArrays {
  RouteArrays(isoplane::RouteKey group, std::vector<std::int64_t> sizes, Switches rows, std::size_t width,
              std::optional<Array<const std::uint16_t, 2>> next, std::optional<Array<const std::uint32_t, 1>> begins,
              std::optional<Array<const std::uint16_t, 1>> taken, std::optional<Array<const bool, 2>> pairs)
      : key(group),
        shape(std::move(sizes)),
        row(std::move(rows)),
        columns(width),
        next_port(std::move(next)),
        starts(std::move(begins)),
        path_ports(std::move(taken)),
        carried(std::move(pairs)) {
    require(next_port.has_value() != (starts && path_ports), "expected either next ports or paths");
    const std::size_t row_count =
        next_port ? next_port->shape(0) : (starts->size() - 1) / std::max<std::size_t>(1, columns);
    require_within(row, 0, row_count, "a row is out of range");
    require(!next_port || next_port->shape(1) == columns, "next ports of wrong shape");
    require(!carried || (key == isoplane::RouteKey::kTable && row_count == row.size() &&
                         carried->shape(0) == row.size() && carried->shape(1) == columns),
            "pairs of wrong shape");
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
    if (carried) found.carried = carried->data();
    return found;
  }

  isoplane::RouteKey key;
  std::vector<std::int64_t> shape;
  Switches row;
  std::size_t columns;
  std::optional<Array<const std::uint16_t, 2>> next_port;
  std::optional<Array<const std::uint32_t, 1>> starts;
  std::optional<Array<const std::uint16_t, 1>> path_ports;
  std::optional<Array<const bool, 2>> carried;
};

// Links of groups of nodes or of ends: list offsets, switches or targets, and end switches.
struct LinkArrays {
  LinkArrays(Counts begins, Switches places, Switches ends)
      : start(std::move(begins)), at(std::move(places)), target_switch(std::move(ends)) {
    require(start.size() > 0 && start.data()[0] == 0, "links of wrong shape");
    for (std::size_t i = 0; i + 1 < start.size(); ++i)
      require(start.data()[i] <= start.data()[i + 1], "links end before they begin");
    require(start.data()[start.size() - 1] == static_cast<std::int64_t>(at.size()) && at.size() == target_switch.size(),
            "links of wrong shape");
  }

  Counts start;
  Switches at, target_switch;  // for groups, both are switches
};

// A plane and the links of groups and ends in it.
struct PlaneArrays {
  Array<const std::int32_t, 2> peer;
  RouteArrays routes;
  Switches label;
  LinkArrays groups, ends;

  PlaneArrays(Array<const std::int32_t, 2> peers, RouteArrays given, Switches labels, LinkArrays of_groups,
              LinkArrays of_ends)
      : peer(std::move(peers)),
        routes(std::move(given)),
        label(std::move(labels)),
        groups(std::move(of_groups)),
        ends(std::move(of_ends)) {
    const std::size_t switches = peer.shape(0);
    require_within(peer, -1, switches, "a peer is not a switch");
    require_within(label, 0, switches, "a label is out of range");
    require_within(groups.at, 0, switches, "a group's switch is out of range");
    require_within(ends.at, 0, routes.columns, "a target is out of range");
    require_within(ends.target_switch, 0, switches, "an end's switch is out of range");
    require(label.size() == switches && routes.row.size() == switches, "arrays of wrong shape");
  }

  isoplane::Cables cables() const { return {peer.data(), peer.shape(0), peer.shape(1)}; }
};

isoplane::NodeGroups groups_of(const std::vector<PlaneArrays>& planes, const Counts& nodes) {
  isoplane::NodeGroups groups{nodes.size(), nodes.data(), {}};
  for (const PlaneArrays& plane : planes) {
    require(plane.groups.start.size() == nodes.size() + 1, "arrays of wrong shape");
    groups.links.push_back({plane.groups.start.data(), plane.groups.at.data()});
  }
  return groups;
}

std::vector<std::int64_t> pairs_beyond(const std::vector<PlaneArrays>& planes, const Counts& group_nodes,
                                       const Counts& sources, std::size_t far) {
  const isoplane::NodeGroups groups = groups_of(planes, group_nodes);
  require_within(sources, 0, groups.count, "a source is not a group");
  std::vector<isoplane::Cables> cables;
  for (const PlaneArrays& plane : planes) cables.push_back(plane.cables());
  const nb::gil_scoped_release release;
  return isoplane::pairs_beyond(cables, groups, sources.data(), sources.size(), far);
}

// Adds the hops by which each lost cable makes distances longer, unless `longer` is empty; returns the largest distance
// that a loss makes longer.
std::int64_t fault_distances(const std::vector<PlaneArrays>& planes, const Counts& group_nodes, const Counts& sources,
                             bool of_switches, std::int64_t far, const Array<std::int64_t, 1>& longer) {
  const isoplane::NodeGroups groups = groups_of(planes, group_nodes);
  require_within(sources, 0, groups.count, "a source is not a group");
  std::vector<isoplane::Cables> cables;
  for (const PlaneArrays& plane : planes) cables.push_back(plane.cables());
  const nb::gil_scoped_release release;
  isoplane::FaultDistances distances(cables, groups, far);
  require(longer.size() == 0 || (!of_switches && longer.size() == distances.links()), "arrays of wrong shape");
  isoplane::FaultSums sums;
  for (std::size_t i = 0; i < sources.size(); ++i)
    distances.add(static_cast<std::size_t>(sources.data()[i]),
                  of_switches ? isoplane::Fault::kSwitch : isoplane::Fault::kCable, far, sums,
                  longer.size() == 0 ? nullptr : longer.data(), std::numeric_limits<std::int64_t>::max());
  return sums.diameter;
}

isoplane::LoadTask task_of(const std::vector<PlaneArrays>& planes, const Counts& group_nodes, const Counts& end_nodes,
                           std::size_t first, std::size_t count, std::vector<std::int64_t> weights) {
  require(first + count <= end_nodes.size() && (weights.empty() || weights.size() == planes.size()),
          "arrays of wrong shape");
  isoplane::LoadTask task{{}, groups_of(planes, group_nodes), {count, end_nodes.data() + first, {}}, {}};
  task.policy.weight = std::move(weights);
  for (const PlaneArrays& plane : planes) {
    require(plane.ends.start.size() == end_nodes.size() + 1, "arrays of wrong shape");
    task.ends.links.push_back({plane.ends.start.data() + first, plane.ends.at.data(), plane.ends.target_switch.data()});
    task.planes.push_back({plane.cables(), plane.routes.plan(), plane.label.data()});
  }
  return task;
}

std::int64_t packet_parts(const std::vector<PlaneArrays>& planes, const Counts& group_nodes, const Counts& end_nodes,
                          std::size_t first, std::size_t count, std::vector<std::int64_t> weights, std::int64_t parts) {
  const isoplane::LoadTask task = task_of(planes, group_nodes, end_nodes, first, count, std::move(weights));
  require(parts > 0, "parts must be positive");
  const nb::gil_scoped_release release;
  return isoplane::packet_parts(task, parts);
}

void add_loads(const std::vector<PlaneArrays>& planes, const Counts& group_nodes, const Counts& end_nodes,
               std::size_t first, std::size_t count, std::vector<std::int64_t> weights, std::int64_t whole,
               const std::vector<Array<std::int64_t, 2>>& loads, const Sums& sent, const Sums& received) {
  const isoplane::LoadTask task = task_of(planes, group_nodes, end_nodes, first, count, std::move(weights));
  require(loads.size() == planes.size() && sent.size() == received.size(), "arrays of wrong shape");
  require(sent.empty() || sent.size() == planes.size(), "arrays of wrong shape");
  isoplane::LoadSums sums;
  for (std::size_t i = 0; i < planes.size(); ++i) {
    require(loads[i].shape(1) == planes[i].peer.shape(1), "arrays of wrong shape");
    require_within(planes[i].label, 0, loads[i].shape(0), "a label is out of range");
    sums.link.push_back(loads[i].data());
    if (sent.empty()) continue;
    require(sent[i].size() == planes[i].groups.at.size() && received[i].size() == planes[i].ends.at.size(),
            "arrays of wrong shape");
    sums.sent.push_back(sent[i].data());
    sums.received.push_back(received[i].data());
  }
  const nb::gil_scoped_release release;
  isoplane::add_loads(task, whole, sums);
}

}  // namespace

void bind_general(nb::module_& m) {
  nb::exception<isoplane::BadRoute>(m, "BadRoute", PyExc_ValueError);
  nb::exception<isoplane::TooManyParts>(m, "TooManyParts", PyExc_ValueError);
  nb::enum_<isoplane::RouteKey>(m, "RouteKey")
      .value("TABLE", isoplane::RouteKey::kTable)
      .value("XOR", isoplane::RouteKey::kXor)
      .value("TORUS", isoplane::RouteKey::kTorus);
  nb::class_<RouteArrays>(m, "RouteArrays", "Routes of a plane: next ports or whole paths.")
      .def(nb::init<isoplane::RouteKey, std::vector<std::int64_t>, Switches, std::size_t,
                    std::optional<Array<const std::uint16_t, 2>>, std::optional<Array<const std::uint32_t, 1>>,
                    std::optional<Array<const std::uint16_t, 1>>, std::optional<Array<const bool, 2>>>(),
           "key"_a, "shape"_a, "row"_a, "columns"_a, "next_port"_a.none(), "starts"_a.none(), "path_ports"_a.none(),
           "carried"_a.none());
  nb::class_<LinkArrays>(m, "LinkArrays",
                         "Links of groups or ends in a plane: list offsets, switches or targets, and end switches.")
      .def(nb::init<Counts, Switches, Switches>(), "start"_a, "at"_a, "target_switch"_a);
  nb::class_<PlaneArrays>(m, "PlaneArrays", "A plane, and the links of groups of nodes and of ends of routes in it.")
      .def(nb::init<Array<const std::int32_t, 2>, RouteArrays, Switches, LinkArrays, LinkArrays>(), "peer"_a,
           "routes"_a, "label"_a, "groups"_a, "ends"_a);
  m.def("pairs_beyond", &pairs_beyond, "planes"_a, "group_nodes"_a, "sources"_a, "far"_a,
        "Numbers of pairs, of a node in the given groups and any node, that are farther apart than 0, 1, ... hops: "
        "`far` if no plane connects them.");
  m.def("fault_distances", &fault_distances, "planes"_a, "group_nodes"_a, "sources"_a, "of_switches"_a, "far"_a,
        "longer"_a,
        "The largest distance, from a node in the given groups to any node, that the loss of a cable or of a switch "
        "makes longer, `far` if there is no path. Adds the hops by which each lost cable makes distances longer.");
  m.def("packet_parts", &packet_parts, "planes"_a, "group_nodes"_a, "end_nodes"_a, "first"_a, "count"_a, "weights"_a,
        "parts"_a, "Least multiple of `parts` for which all ways to some ends carry whole parts.");
  m.def("add_loads", &add_loads, "planes"_a, "group_nodes"_a, "end_nodes"_a, "first"_a, "count"_a, "weights"_a,
        "whole"_a, "loads"_a, "sent"_a, "received"_a,
        "Add the loads of all links, by label and port, if every node sends `whole` parts to every node of some ends; "
        "and the loads of the links of groups and ends, unless these lists are empty.");
}
