// Thin binding: converts arrays and calls the library.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>

#include <cstdint>
#include <optional>
#include <utility>

#include "bindings.hpp"
#include "isoplane/balancer.hpp"
#include "isoplane/minimal_table.hpp"
#include "isoplane/rack_search.hpp"
#include "isoplane/rerouter.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

using Peers = nb::ndarray<const std::int32_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Table = nb::ndarray<std::uint16_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

using Shares = nb::ndarray<const std::uint16_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Targets = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Weights = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Positions = nb::ndarray<const std::int64_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using PairPlane = nb::ndarray<std::uint8_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Places = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using WritablePlaces = nb::ndarray<std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// Keeps the arrays, which the balancer refers to, alive.
class TableBalancer {
 public:
  TableBalancer(Peers peer, Weights senders, Targets target, Weights receivers, Table table, std::uint64_t seed,
                std::optional<Places> depth, std::optional<PairPlane> plane, std::size_t planes, std::uint16_t detour,
                std::optional<std::uint8_t> descents)
      : peer_(peer),
        senders_(senders),
        target_(target),
        receivers_(receivers),
        table_(table),
        depth_(depth),
        plane_(plane),
        balancer_(unlocked({peer.data(), peer.shape(0), peer.shape(1)},
                           {table.shape(1), target.data(), receivers.data(), table.data()}, senders.data(),
                           depth ? depth->data() : nullptr, seed, {planes, plane ? plane->data() : nullptr, detour},
                           descents.value_or(isoplane::Balancer::kAnyDescents))) {}

  void measure(std::size_t first, std::size_t count) {
    if (first + count > table_.shape(1)) throw nb::value_error("columns are out of range");
    nb::gil_scoped_release unlocked;
    balancer_.measure(first, count);
  }

  void run(std::uint64_t moves, double threshold) {
    nb::gil_scoped_release unlocked;
    balancer_.run(moves, threshold);
  }

  void shorten() {
    nb::gil_scoped_release unlocked;
    balancer_.shorten();
  }

  std::int64_t heaviest() const { return balancer_.heaviest(); }
  std::int64_t total() const { return balancer_.total(); }

 private:
  // For the largest tables, memory takes seconds to get.
  static isoplane::Balancer unlocked(isoplane::Cables cables, isoplane::Columns columns, const std::int64_t* senders,
                                     const std::int32_t* depth, std::uint64_t seed, isoplane::PairPlanes planes,
                                     std::uint8_t descents) {
    const nb::gil_scoped_release release;
    return {cables, columns, senders, depth, seed, planes, descents};
  }

  Peers peer_;
  Weights senders_;
  Targets target_;
  Weights receivers_;
  Table table_;
  std::optional<Places> depth_;
  std::optional<PairPlane> plane_;
  isoplane::Balancer balancer_;
};

// Keeps the array of peers, which the search refers to, alive.
class RackSearch {
 public:
  RackSearch(Peers peer, Weights nodes, Places place, Positions positions,
             std::pair<std::int64_t, std::int64_t> lengths, std::pair<std::size_t, std::int64_t> capacity,
             std::uint64_t seed)
      : peer_(peer),
        search_({peer.data(), peer.shape(0), peer.shape(1)}, nodes.data(), checked(peer, nodes, place, positions),
                floor_of(positions, lengths, capacity), seed) {}

  std::int64_t run(std::uint64_t moves, std::int64_t threshold) {
    nb::gil_scoped_release unlocked;
    search_.run(moves, threshold);
    return search_.length();
  }

  void write(WritablePlaces place) const {
    if (place.shape(0) != peer_.shape(0)) throw nb::value_error("expected one place per switch");
    for (std::size_t switch_id = 0; switch_id < place.shape(0); ++switch_id)
      place.data()[switch_id] = static_cast<std::int32_t>(search_.place(switch_id));
  }

 private:
  static const std::int32_t* checked(const Peers& peer, const Weights& nodes, const Places& place,
                                     const Positions& positions) {
    const std::size_t switches = peer.shape(0);
    if (switches == 0 || nodes.shape(0) != switches || place.shape(0) != switches)
      throw nb::value_error("expected nodes and a place for each switch");
    if (positions.shape(1) != 2) throw nb::value_error("expected two coordinates per place");
    for (std::size_t i = 0; i < peer.size(); ++i)
      if (peer.data()[i] >= static_cast<std::int64_t>(switches)) throw nb::value_error("a peer is not a switch");
    for (std::size_t switch_id = 0; switch_id < switches; ++switch_id)
      if (place.data()[switch_id] < 0 || static_cast<std::size_t>(place.data()[switch_id]) >= positions.shape(0))
        throw nb::value_error("a place is out of range");
    return place.data();
  }

  static isoplane::Floor floor_of(const Positions& positions, std::pair<std::int64_t, std::int64_t> lengths,
                                  std::pair<std::size_t, std::int64_t> capacity) {
    isoplane::Floor floor{{}, {}, lengths.first, lengths.second, capacity.first, capacity.second};
    for (std::size_t place = 0; place < positions.shape(0); ++place) {
      floor.across.push_back(positions(place, 0));
      floor.deep.push_back(positions(place, 1));
    }
    return floor;
  }

  Peers peer_;
  isoplane::RackSearch search_;
};

// Keeps the arrays, which the rerouter refers to, alive.
class TableRerouter {
 public:
  TableRerouter(Peers peer, Targets target, Weights senders, Weights receivers, std::optional<Shares> share,
                Table table)
      : peer_(peer),
        target_(target),
        senders_(senders),
        receivers_(receivers),
        share_(share),
        table_(table),
        rerouter_(cables_of(peer, target, senders, receivers, share, table), target.data(), senders.data(),
                  receivers.data(), share ? share->data() : nullptr, target.shape(0), table.data()) {}

  void run(std::size_t first, std::size_t count) {
    if (first + count > target_.shape(0)) throw nb::value_error("columns are out of range");
    nb::gil_scoped_release unlocked;
    rerouter_.run(first, count);
  }

  void relieve(std::size_t first, std::size_t count, std::int64_t limit) {
    if (first + count > target_.shape(0)) throw nb::value_error("columns are out of range");
    nb::gil_scoped_release unlocked;
    rerouter_.relieve(first, count, limit);
  }

  std::int64_t heaviest() const { return rerouter_.heaviest(); }
  std::uint64_t tried() const { return rerouter_.tried(); }
  std::size_t longest() const { return rerouter_.longest(); }

 private:
  static isoplane::Cables cables_of(const Peers& peer, const Targets& target, const Weights& senders,
                                    const Weights& receivers, const std::optional<Shares>& share, const Table& table) {
    const std::size_t switches = peer.shape(0), columns = target.shape(0);
    if (senders.shape(0) != switches || receivers.shape(0) != columns || table.shape(0) != columns ||
        table.shape(1) != switches || (share && (share->shape(0) != columns || share->shape(1) != switches)))
      throw nb::value_error("arrays have the wrong shape");
    for (std::size_t i = 0; i < peer.size(); ++i)
      if (peer.data()[i] >= static_cast<std::int64_t>(switches)) throw nb::value_error("a peer is not a switch");
    for (std::size_t i = 0; i < columns; ++i)
      if (target.data()[i] < 0 || target.data()[i] >= static_cast<std::int64_t>(switches))
        throw nb::value_error("a target is not a switch");
    return {peer.data(), switches, peer.shape(1)};
  }

  Peers peer_;
  Targets target_;
  Weights senders_, receivers_;
  std::optional<Shares> share_;
  Table table_;
  isoplane::Rerouter rerouter_;
};

void minimal_columns(Peers peer, std::size_t first, std::size_t count, Table table) {
  const std::size_t switches = peer.shape(0);
  if (table.shape(0) != switches || table.shape(1) != switches) throw nb::value_error("the table has the wrong shape");
  if (first + count > switches) throw nb::value_error("columns are out of range");
  for (std::size_t i = 0; i < peer.size(); ++i)
    if (peer.data()[i] >= static_cast<std::int64_t>(switches)) throw nb::value_error("a peer is not a switch");
  const isoplane::Cables cables{peer.data(), switches, peer.shape(1)};
  nb::gil_scoped_release unlocked;
  isoplane::minimal_columns(cables, first, count, table.data());
}

void shortest_hops(Peers peer, Table hops) {
  const std::size_t switches = peer.shape(0);
  if (hops.shape(0) != switches || hops.shape(1) != switches) throw nb::value_error("the array has the wrong shape");
  for (std::size_t i = 0; i < peer.size(); ++i)
    if (peer.data()[i] >= static_cast<std::int64_t>(switches)) throw nb::value_error("a peer is not a switch");
  nb::gil_scoped_release unlocked;
  isoplane::shortest_hops({peer.data(), switches, peer.shape(1)}, hops.data());
}

}  // namespace

NB_MODULE(_native, m) {
  m.doc() = "Native kernels of models.";
  bind_routing_cache(m);
  m.def("minimal_columns", &minimal_columns, "peer"_a, "first"_a, "count"_a, "table"_a,
        "Fill columns first to first + count of a table of next ports along shortest paths: at each switch the lowest "
        "port that leads nearer. Entries without such a port are left unchanged.");
  nb::class_<TableBalancer>(m, "TableBalancer",
                            "Local search over a table of shortest paths, which it changes in place.")
      .def(nb::init<Peers, Weights, Targets, Weights, Table, std::uint64_t, std::optional<Places>,
                    std::optional<PairPlane>, std::size_t, std::uint16_t, std::optional<std::uint8_t>>(),
           "peer"_a, "senders"_a, "target"_a, "receivers"_a, "table"_a, "seed"_a, "depth"_a = nb::none(),
           "plane"_a = nb::none(), "planes"_a = 1, "detour"_a = 0, "descents"_a = nb::none(),
           "Measure the loads if each switch sends senders[from] * receivers[column] units along each column to its "
           "target. With depths, the table is one of up*/down* routes, and remains so. With several planes, the rows "
           "are the switches of one plane after the other, and plane[source, column] is that of each pair, which is "
           "changed in place: it may have routes of `detour` more hops than the shortest. With a limit no route gets "
           "more `descents`, from a port to one with a lower number at the next switch.")
      .def("measure", &TableBalancer::measure, "first"_a, "count"_a,
           "Add the loads of the routes in some columns; once for each column, before any move.")
      .def_prop_ro("total", &TableBalancer::total, "The sum of the loads of all links, which only detours change.")
      .def_prop_ro("heaviest", &TableBalancer::heaviest, "The load of the heaviest link.")
      .def("run", &TableBalancer::run, "moves"_a, "threshold"_a,
           "Try a number of moves, and keep those that increase the cost by at most the threshold.")
      .def("shorten", &TableBalancer::shorten,
           "Give pairs with a detour the plane with the shortest route, where that raises no load above the heaviest.");
  nb::class_<RackSearch>(m, "RackSearch", "Local search over assignments of switches to racks, for short cables.")
      .def(nb::init<Peers, Weights, Places, Positions, std::pair<std::int64_t, std::int64_t>,
                    std::pair<std::size_t, std::int64_t>, std::uint64_t>(),
           "peer"_a, "nodes"_a, "place"_a, "positions"_a, "lengths"_a, "capacity"_a, "seed"_a,
           "Start from the place of each switch, with the lengths of a cable within a rack and of the slack between "
           "racks, and the switches and nodes that a rack holds.")
      .def("run", &RackSearch::run, "moves"_a, "threshold"_a,
           "Try a number of moves, keep those that lengthen the cables by at most the threshold, and return the total "
           "length.")
      .def("write", &RackSearch::write, "place"_a, "Write the place of each switch.");
  m.def("shortest_hops", &shortest_hops, "peer"_a, "hops"_a,
        "Fill the number of hops of a shortest path between all switches; entries without a path are left unchanged.");
  nb::class_<TableRerouter>(m, "TableRerouter",
                            "Repair of a table of next ports by column and switch, which it changes in place.")
      .def(nb::init<Peers, Targets, Weights, Weights, std::optional<Shares>, Table>(), "peer"_a, "target"_a,
           "senders"_a, "receivers"_a, "share"_a.none(), "table"_a,
           "Column c leads to switch target[c]; switch s sends senders[s] * receivers[c] * share[c][s] units along "
           "it; share is None if it is 1 everywhere. Every switch must have a path to every target.")
      .def("run", &TableRerouter::run, "first"_a, "count"_a,
           "Repair some columns, by the loads of the columns before; once for every column, in order.")
      .def("relieve", &TableRerouter::relieve, "first"_a, "count"_a, "limit"_a,
           "Move routes of some columns away from links whose load exceeds a limit.")
      .def_prop_ro("heaviest", &TableRerouter::heaviest, "Load of the heaviest link.")
      .def_prop_ro("tried", &TableRerouter::tried, "Number of entries for which relieve has compared ports.")
      .def_prop_ro("longest", &TableRerouter::longest, "Hops of the longest route.");
}
