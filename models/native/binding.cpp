// Thin binding: converts arrays and calls the library.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>

#include "isoplane/balancer.hpp"
#include "isoplane/minimal_table.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

using Peers = nb::ndarray<const std::int32_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Table = nb::ndarray<std::uint16_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

using Weights = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// Keeps the arrays, which the balancer refers to, alive.
class TableBalancer {
 public:
  TableBalancer(Peers peer, Weights weight, Table table, std::uint64_t seed)
      : peer_(peer),
        table_(table),
        balancer_({peer.data(), peer.shape(0), peer.shape(1)}, weight.data(), table.data(), seed) {}

  std::int64_t run(std::uint64_t moves) {
    nb::gil_scoped_release unlocked;
    balancer_.run(moves);
    return balancer_.heaviest();
  }

 private:
  Peers peer_;
  Table table_;
  isoplane::Balancer balancer_;
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

}  // namespace

NB_MODULE(_native, m) {
  m.doc() = "Native kernels of models.";
  m.def("minimal_columns", &minimal_columns, "peer"_a, "first"_a, "count"_a, "table"_a,
        "Fill columns first to first + count of a table of next ports along shortest paths: at each switch the lowest "
        "port that leads nearer. Entries without such a port are left unchanged.");
  nb::class_<TableBalancer>(m, "TableBalancer",
                            "Local search over a table of shortest paths, which it changes in place.")
      .def(nb::init<Peers, Weights, Table, std::uint64_t>(), "peer"_a, "weight"_a, "table"_a, "seed"_a,
           "Measure the loads if each switch sends weight[from] * weight[to] units to each other one.")
      .def("run", &TableBalancer::run, "moves"_a, "Try a number of moves, and return the load of the heaviest link.");
}
