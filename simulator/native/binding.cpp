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

#include "bindings.hpp"
#include "isoplane/sim/engine.hpp"
#include "isoplane/sim/packets.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace isoplane::sim;

namespace {

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

Table look_ups(const Engine& engine) {
  const std::size_t ports = engine.look_ups() == nullptr ? 0 : engine.look_ups()->counts().size();
  constexpr std::size_t kColumns = isoplane::kLookUps + 2;
  auto* data = new std::uint64_t[kColumns * ports + 1];
  std::uint64_t* next = data;
  for (std::size_t port = 0; port < ports; ++port) {
    const PortCounts& counts = engine.look_ups()->counts()[port];
    next = std::copy(counts.of_kind.begin(), counts.of_kind.end(), next);
    *next++ = counts.table;
    *next++ = counts.waited;
  }
  return Table(data, {ports, kColumns}, owner_of(data));
}

Table input_ports(const Engine& engine) {
  const std::size_t ports = engine.look_ups() == nullptr ? 0 : engine.look_ups()->ports().size();
  auto* data = new std::uint64_t[3 * ports + 1];
  for (std::size_t i = 0; i < ports; ++i) {
    const InputPort& port = engine.look_ups()->ports()[i];
    data[3 * i] = port.element;
    data[3 * i + 1] = port.number;
    data[3 * i + 2] = port.from;
  }
  return Table(data, {ports, 3}, owner_of(data));
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
      .def("input_ports", &input_ports,
           "Input ports of switches: element, port, and the element at the other end, or the own one for the node of a "
           "direct network; empty if look-ups only take a constant time.")
      .def("look_ups", &look_ups,
           "By input port: hits, extra hits, cold, conflict and capacity misses of its cache, look-ups in the table, "
           "and ticks that these waited for it.")
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
