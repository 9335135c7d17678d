// Thin binding: converts arrays and calls the library.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "isoplane/sim/engine.hpp"
#include "isoplane/sim/packets.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace isoplane::sim;

namespace {

template <class T>
using In = nb::ndarray<const T, nb::c_contig, nb::device::cpu>;

template <class T>
std::vector<T> to_vector(const In<T>& array) {
  return std::vector<T>(array.data(), array.data() + array.size());
}

using Column = nb::ndarray<nb::numpy, std::uint64_t, nb::ndim<1>>;
using Table = nb::ndarray<nb::numpy, std::uint64_t, nb::ndim<2>>;
using Times = nb::ndarray<nb::numpy, std::int64_t, nb::ndim<1>>;

template <class T>
nb::capsule owner_of(T* data) {
  return nb::capsule(data, [](void* p) noexcept { delete[] static_cast<T*>(p); });
}

Column column(const std::uint64_t* values, std::size_t count) {
  auto* data = new std::uint64_t[count + 1];
  std::copy(values, values + count, data);
  return Column(data, {count}, owner_of(data));
}

Column column(const std::vector<std::uint64_t>& values) { return column(values.data(), values.size()); }

Times times(const std::vector<Tick>& ticks) {
  auto* data = new std::int64_t[ticks.size() + 1];
  std::copy(ticks.begin(), ticks.end(), data);
  return Times(data, {ticks.size()}, owner_of(data));
}

Table table(const std::vector<Latencies>& rows) {
  constexpr std::size_t kColumns = 7;
  auto* data = new std::uint64_t[kColumns * rows.size() + 1];
  std::uint64_t* next = data;
  for (const Latencies& row : rows)
    for (const std::uint64_t value :
         {row.packets, row.network_sum, row.total_sum, row.messages, row.message_sum, row.longest, row.longest_message})
      *next++ = value;
  return Table(data, {rows.size(), kColumns}, owner_of(data));
}

Table links(const Engine& engine) {
  const auto found = engine.links();
  auto* data = new std::uint64_t[3 * found.size() + 1];
  for (std::size_t i = 0; i < found.size(); ++i) {
    data[3 * i] = found[i].from;
    data[3 * i + 1] = found[i].to;
    data[3 * i + 2] = found[i].port;
  }
  return Table(data, {found.size(), 3}, owner_of(data));
}

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
      .value("SHARES", Policy::kShares);
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
      .def("set_detours", &set_detours, "region"_a, "next_port"_a, "entry"_a, "hops"_a,
           "Set the routes to regions in the last plane: the region of every switch, then by switch and region the "
           "next port, the first switch of the region, and the links to it.");
}

void bind_traffic(nb::module_& m) {
  nb::enum_<Pattern>(m, "Pattern")
      .value("UNIFORM", Pattern::kUniform)
      .value("TABLE", Pattern::kTable)
      .value("HOT_SPOT", Pattern::kHotSpot)
      .value("ALL_TO_ALL", Pattern::kAllToAll)
      .value("GROUP_SHIFT", Pattern::kGroupShift)
      .value("LIST", Pattern::kList);
  nb::class_<TrafficPlan>(m, "TrafficPlan", "The traffic: see traffic.hpp; times in ticks.")
      .def(nb::init<>())
      .def_rw("pattern", &TrafficPlan::pattern)
      .def_rw("hot_chance", &TrafficPlan::hot_chance)
      .def_rw("group_nodes", &TrafficPlan::group_nodes)
      .def_rw("group_shift", &TrafficPlan::group_shift)
      .def_rw("chance", &TrafficPlan::chance)
      .def_rw("certain", &TrafficPlan::certain)
      .def_rw("period", &TrafficPlan::period)
      .def_rw("period_parts", &TrafficPlan::period_parts)
      .def_rw("shortest_bits", &TrafficPlan::shortest_bits)
      .def_rw("longest_bits", &TrafficPlan::longest_bits)
      .def_rw("max_created", &TrafficPlan::max_created)
      .def_rw("max_in_flight", &TrafficPlan::max_in_flight)
      .def(
          "set_table", [](TrafficPlan& plan, const In<std::uint32_t>& nodes) { plan.table = to_vector(nodes); },
          "nodes"_a, "Set the destination of every node (2^32 - 1: none), or the hot nodes.")
      .def(
          "set_list",
          [](TrafficPlan& plan, const In<std::uint32_t>& source, const In<std::uint32_t>& destination,
             const In<std::uint64_t>& bits, const In<std::int64_t>& delay, const In<std::uint32_t>& predecessors,
             const In<std::uint32_t>& successor_starts, const In<std::uint32_t>& successors) {
            plan.source = to_vector(source);
            plan.destination = to_vector(destination);
            plan.bits = to_vector(bits);
            plan.delay = to_vector(delay);
            plan.predecessors = to_vector(predecessors);
            plan.successor_starts = to_vector(successor_starts);
            plan.successors = to_vector(successors);
          },
          "source"_a, "destination"_a, "bits"_a, "delay"_a, "predecessors"_a, "successor_starts"_a, "successors"_a,
          "Set the list of messages.");
}

std::map<std::string, std::uint64_t> totals(const Engine& engine) {
  const Counters& c = engine.counters();
  return {{"messages_created", c.messages_created},
          {"bits_created", c.bits_created},
          {"packets_created", c.packets_created},
          {"ticks_waiting", c.ticks_waiting},
          {"messages_arrived", c.all.messages},
          {"bits_arrived", c.bits_arrived},
          {"messages_dropped", c.messages_dropped},
          {"bits_dropped", c.bits_dropped},
          {"message_latency", c.all.message_sum},
          {"longest_message_latency", c.all.longest_message},
          {"packets_injected", c.packets_injected},
          {"flits_injected", c.flits_injected},
          {"flits_arrived", c.flits_arrived},
          {"packets_dropped", c.packets_dropped},
          {"flits_dropped", c.flits_dropped},
          {"flit_hops", c.flit_hops},
          {"collisions", c.collisions},
          {"collided_packets", c.collided_packets},
          {"deadlocks", c.deadlocks},
          {"packets_arrived", c.all.packets},
          {"network_latency", c.all.network_sum},
          {"total_latency", c.all.total_sum},
          {"longest_latency", c.all.longest},
          {"messages_alive", engine.messages_alive()},
          {"bits_alive", engine.bits_alive()},
          {"packets_in_network", engine.packets_in_network()}};
}

using ChannelPlace = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>;

std::vector<ChannelPlace> deadlock(const Engine& engine) {
  std::vector<ChannelPlace> found;
  for (const WaitingChannel& w : engine.deadlock()) found.emplace_back(w.plane, w.element, w.port, w.channel);
  return found;
}

void bind_engine(nb::module_& m) {
  nb::class_<Engine>(m, "Engine", "A simulation; sums of latencies in ticks.")
      .def(nb::init<Plan, TrafficPlan, std::uint64_t, const Engine::Pairs&>(), "plan"_a, "traffic"_a, "seed"_a,
           "tracked_pairs"_a)
      .def("run", &Engine::run, "until"_a, nb::call_guard<nb::gil_scoped_release>(),
           "Advance to this tick, or until all messages have arrived or a deadlock ends the run.")
      .def_prop_ro("now", &Engine::now)
      .def_prop_ro("ended", &Engine::ended)
      .def("audit", &Engine::audit, "The first violated law of conservation, or None.")
      .def("totals", &totals, "All scalar counters.")
      .def("deadlock", &deadlock,
           "The cycle that ended the run: plane, switch, port and channel of each waiting channel.")
      .def(
          "by_distance", [](const Engine& e) { return table(e.counters().by_distance); },
          "By hops: number of packets, sums of their latencies in the network and from creation; number of messages, "
          "sum of "
          "their latencies; longest latency of a packet in the network, and of a message.")
      .def(
          "by_pair", [](const Engine& e) { return table(e.counters().by_pair); },
          "The columns of by_distance by tracked pair.")
      .def(
          "histogram",
          [](const Engine& e) {
            const auto& counts = e.counters().histogram.counts();
            return column(counts.data(), counts.size());
          },
          "Number of packets by class of latency in the network.")
      .def(
          "sent", [](const Engine& e) { return column(e.counters().sent); }, "Number of messages by source.")
      .def(
          "received", [](const Engine& e) { return column(e.counters().received); },
          "Number of messages by destination.")
      .def(
          "collisions_at", [](const Engine& e) { return column(e.counters().collisions_at); },
          "Collisions by element: switches of plane 0, of plane 1, ..., nodes.")
      .def(
          "link_busy", [](const Engine& e) { return column(e.link_busy()); },
          "Number of ticks in which each link carried a flit.")
      .def("links", &links, "Source element, destination element and port of every link.")
      .def(
          "listed_created", [](const Engine& e) { return times(e.listed_created()); },
          "Creation time by listed message; -1: not yet.")
      .def(
          "listed_arrived", [](const Engine& e) { return times(e.listed_arrived()); },
          "Arrival time by listed message; -1: not yet.");
}

void bind_packets(nb::module_& m) {
  using Longs = In<std::int64_t>;
  using Words = In<std::uint32_t>;
  nb::class_<TransferPlan>(m, "TransferPlan", "Links and transfers over them: see packets.hpp; times in ticks.")
      .def(nb::init<>())
      .def_rw("packet_bytes", &TransferPlan::packet_bytes)
      .def_rw("window", &TransferPlan::window)
      .def(
          "set_links",
          [](TransferPlan& plan, const Longs& byte_ticks, const Longs& delay, const Longs& credit_delay) {
            plan.byte_ticks = to_vector(byte_ticks);
            plan.delay = to_vector(delay);
            plan.credit_delay = to_vector(credit_delay);
          },
          "byte_ticks"_a, "delay"_a, "credit_delay"_a, "Set the links.")
      .def(
          "set_transfers",
          [](TransferPlan& plan, const In<std::uint64_t>& bytes, const Longs& begin_delay, const Words& path_start,
             const Words& path, const Words& waits, const Words& next_start, const Words& next) {
            plan.bytes = to_vector(bytes);
            plan.begin_delay = to_vector(begin_delay);
            plan.path_start = to_vector(path_start);
            plan.path = to_vector(path);
            plan.predecessors = to_vector(waits);
            plan.next_start = to_vector(next_start);
            plan.next = to_vector(next);
          },
          "bytes"_a, "begin_delay"_a, "path_start"_a, "path"_a, "waits"_a, "next_start"_a, "next"_a,
          "Set the transfers.");
  nb::class_<PacketNetwork>(m, "PacketNetwork", "Event-driven simulation of the packets of transfers.")
      .def(nb::init<TransferPlan>(), "plan"_a)
      .def("run", &PacketNetwork::run, "events"_a, nb::call_guard<nb::gil_scoped_release>(),
           "Process at least `events` events, or all; return whether none are left.")
      .def("audit", &PacketNetwork::audit, "The first violated law of conservation, or None.")
      .def(
          "arrived", [](const PacketNetwork& n) { return times(n.arrived()); },
          "Arrival time by transfer; -1: not yet.")
      .def(
          "link_bytes", [](const PacketNetwork& n) { return column(n.link_bytes()); },
          "Number of bytes carried by each link.");
}

}  // namespace

NB_MODULE(_native, m) {
  m.doc() = "The flit-level simulator.";
  bind_plan(m);
  bind_traffic(m);
  bind_engine(m);
  bind_packets(m);
  m.def("least_of_class", &Histogram::lower_end, "index"_a, "The lower end of a class of the histogram.");
}
