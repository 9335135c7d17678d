// Binding of the simulated system.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "bindings.hpp"
#include "isoplane/sim/plan.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace isoplane::sim;

namespace {

Group group_named(const std::string& name) {
  if (name == "xor") return Group::kXor;
  if (name == "torus") return Group::kTorus;
  if (name == "table") return Group::kTable;
  throw nb::value_error(("unknown group " + name).c_str());
}

void add_plane(Plan& plan, const In<std::int32_t>& peer, const In<std::int32_t>& peer_port,
               const In<std::int32_t>& cable, const In<std::uint32_t>& node_switch) {
  if (peer.ndim() != 2) throw nb::value_error("peer: expected two axes");
  PlanePlan plane;
  plane.switches = static_cast<std::uint32_t>(peer.shape(0));
  plane.ports = static_cast<std::uint32_t>(peer.shape(1));
  plane.peer = to_vector(peer);
  plane.peer_port = to_vector(peer_port);
  plane.cable = to_vector(cable);
  plane.node_switch = to_vector(node_switch);
  plan.planes.push_back(std::move(plane));
}

void set_nodes(Plan& plan, const In<std::uint32_t>& start, const In<std::int32_t>& cable,
               const In<std::int32_t>& flit_ticks) {
  PlanePlan& plane = plan.planes.back();
  plane.node_start = to_vector(start);
  plane.node_cable = to_vector(cable);
  plane.node_flit_ticks = to_vector(flit_ticks);
}

void set_timing(Plan& plan, const In<std::int32_t>& flit_ticks, const In<std::int32_t>& switch_delay) {
  PlanePlan& plane = plan.planes.back();
  plane.flit_ticks = to_vector(flit_ticks);
  plane.switch_delay = to_vector(switch_delay);
}

void set_routes(Plan& plan, const std::string& group, std::vector<std::uint32_t> shape, const In<std::int32_t>& row,
                const In<std::uint32_t>& column, const In<std::int32_t>& hops, const In<std::uint16_t>& next_port,
                const In<std::uint32_t>& path_starts, const In<std::uint16_t>& path_ports) {
  RoutePlan& routes = plan.planes.back().routes;
  routes.group = group_named(group);
  routes.shape = std::move(shape);
  routes.row = to_vector(row);
  routes.column = to_vector(column);
  routes.hops = to_vector(hops);
  routes.next_port = to_vector(next_port);
  routes.path_starts = to_vector(path_starts);
  routes.path_ports = to_vector(path_ports);
}

void set_channel_rule(Plan& plan, const In<std::int32_t>& dimension, const In<std::uint8_t>& dateline, int classes,
                      int start, bool ordered) {
  RoutePlan& routes = plan.planes.back().routes;
  routes.dimension = to_vector(dimension);
  routes.dateline = to_vector(dateline);
  routes.channel_classes = classes;
  routes.start_class = start;
  routes.ordered_dimensions = ordered;
}

void set_look_ups(Plan& plan, Tick miss_delay, Tick table_interval) {
  plan.look_ups.miss_delay = miss_delay;
  plan.look_ups.table_interval = table_interval;
}

void set_caches(Plan& plan, std::uint32_t sets, std::uint32_t ways, isoplane::Replacement replacement,
                std::uint64_t seed, const In<std::uint32_t>& set_of, CacheStart start) {
  plan.look_ups.cached = true;
  plan.look_ups.cache = {sets, ways, replacement, seed, to_vector(set_of)};
  plan.look_ups.start = start;
}

void set_detours(Plan& plan, const In<std::uint16_t>& region, const In<std::uint16_t>& next_port,
                 const In<std::uint32_t>& entry, const In<std::uint16_t>& hops) {
  if (next_port.ndim() != 2) throw nb::value_error("next_port: expected two axes");
  DetourPlan& detours = plan.planes.back().detours;
  detours.regions = static_cast<std::uint32_t>(next_port.shape(1));
  detours.region = to_vector(region);
  detours.next_port = to_vector(next_port);
  detours.entry = to_vector(entry);
  detours.hops = to_vector(hops);
}

}  // namespace

void bind_plan(nb::module_& m) {
  nb::enum_<PathSelection>(m, "PathSelection")
      .value("MINIMAL", PathSelection::kMinimal)
      .value("VALIANT", PathSelection::kValiant)
      .value("UGAL", PathSelection::kUgal);
  nb::enum_<FlowControl>(m, "FlowControl")
      .value("STORE_AND_FORWARD", FlowControl::kStoreAndForward)
      .value("VIRTUAL_CUT_THROUGH", FlowControl::kCutThrough)
      .value("WORMHOLE", FlowControl::kWormhole);
  nb::enum_<Policy>(m, "Policy")
      .value("NEAREST", Policy::kNearest)
      .value("SPRAY", Policy::kSpray)
      .value("ADAPTIVE", Policy::kAdaptive)
      .value("SHARES", Policy::kShares)
      .value("SPILL", Policy::kSpill);
  nb::enum_<isoplane::Replacement>(m, "Replacement")
      .value("LRU", isoplane::Replacement::kLru)
      .value("FIFO", isoplane::Replacement::kFifo)
      .value("RANDOM", isoplane::Replacement::kRandom);
  nb::enum_<CacheStart>(m, "CacheStart")
      .value("COLD", CacheStart::kCold)
      .value("WARM", CacheStart::kWarm)
      .value("EXCHANGE", CacheStart::kExchange);
  nb::class_<Plan>(m, "Plan", "The simulated system: see plan.hpp; times in ticks.")
      .def(nb::init<>())
      .def_rw("policy", &Plan::policy)
      .def_rw("shares", &Plan::shares)
      .def_rw("direct", &Plan::direct)
      .def_rw("node_cable", &Plan::node_cable)
      .def_rw("switch_delay", &Plan::switch_delay)
      .def_rw("routing_delay", &Plan::routing_delay)
      .def_rw("flit_ticks", &Plan::flit_ticks)
      .def_rw("channels", &Plan::channels)
      .def_rw("buffer_flits", &Plan::buffer_flits)
      .def_rw("output_flits", &Plan::output_flits)
      .def_rw("flow_control", &Plan::flow_control)
      .def_rw("flit_bits", &Plan::flit_bits)
      .def_rw("header_bits", &Plan::header_bits)
      .def_rw("payload_bits", &Plan::payload_bits)
      .def_rw("padded", &Plan::padded)
      .def_rw("shorter_queue", &Plan::shorter_queue)
      .def_rw("spill_flits", &Plan::spill_flits)
      .def_rw("path_selection", &Plan::path_selection)
      .def_rw("ugal_bias", &Plan::ugal_bias)
      .def_rw("drop_deadlocked", &Plan::drop_deadlocked)
      .def_rw("deadlock_interval", &Plan::deadlock_interval)
      .def("add_plane", &add_plane, "peer"_a, "peer_port"_a, "cable"_a, "node_switch"_a,
           "Add a plane: three arrays int32[switches, ports], and the switch of every node link.")
      .def("set_nodes", &set_nodes, "start"_a, "cable"_a, "flit_ticks"_a,
           "Set the first link of each node, and delays and flit times of node links, in the last plane; each may be "
           "empty.")
      .def("set_timing", &set_timing, "flit_ticks"_a, "switch_delay"_a,
           "Set flit times of links and delays of switches in the last plane; each may be empty.")
      .def("set_routes", &set_routes, "group"_a, "shape"_a, "row"_a, "column"_a, "hops"_a, "next_port"_a,
           "path_starts"_a, "path_ports"_a,
           "Set the routes of the last plane; either next_port or both path arrays are empty; column and hops may be.")
      .def("set_channel_rule", &set_channel_rule, "dimension"_a, "dateline"_a, "classes"_a, "start"_a, "ordered"_a,
           "Set the rule for virtual channels of the last plane.")
      .def("set_look_ups", &set_look_ups, "miss_delay"_a, "table_interval"_a,
           "Set what a miss adds to the switch delay, and the least time between two look-ups in a table.")
      .def("set_caches", &set_caches, "sets"_a, "ways"_a, "replacement"_a, "seed"_a, "set_of"_a, "start"_a,
           "Set the caches of input ports: the set of every node, and what they hold at the start.")
      .def("set_detours", &set_detours, "region"_a, "next_port"_a, "entry"_a, "hops"_a,
           "Set the routes to regions in the last plane: the region of every switch, then by switch and region the "
           "next port, the first switch of the region, and the links to it.");
}
