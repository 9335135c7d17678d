// Thin binding: converts arrays and calls the library.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bindings.hpp"
#include "isoplane/hybrid.hpp"
#include "isoplane/kernel.hpp"
#include "isoplane/score.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

using Generators = nb::ndarray<const std::uint32_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Row = nb::ndarray<std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using LoadArray = nb::ndarray<std::int32_t, nb::ndim<3>, nb::c_contig, nb::device::cpu>;

isoplane::Kernel kernel_of(std::size_t n, bool folded, const std::optional<std::string>& isa) {
  if (n < isoplane::kMinN || n > isoplane::kMaxN) throw nb::value_error("n is out of range");
  if (!isa) return isoplane::kernel_for(static_cast<int>(n), folded, isoplane::chosen_isa());
  for (int i = 0; i < isoplane::kIsaCount; ++i) {
    const auto candidate = static_cast<isoplane::Isa>(i);
    if (*isa == isoplane::isa_name(candidate) && isoplane::isa_available(candidate))
      return isoplane::kernel_for(static_cast<int>(n), folded, candidate);
  }
  throw nb::value_error(("instruction set " + *isa + " is unknown or not available").c_str());
}

std::pair<std::int64_t, std::int64_t> rack_loss(const std::vector<std::uint32_t>& generators, bool folded,
                                                std::int64_t rack_switches) {
  const auto n = static_cast<int>(generators.size());
  if (n < isoplane::kMinN || n > isoplane::kMaxN || rack_switches < 1) throw nb::value_error("out of range");
  const isoplane::RackLoss lost = isoplane::CubeRacks(n, folded, rack_switches)(generators.data());
  return {lost.diameter, lost.mean};
}

// Fills the arrays; returns the first row that is not a basis, or -1. `loads` may be empty.
std::int64_t evaluate(Generators generators, bool folded, Row sums, Row max_loads, LoadArray loads,
                      const std::optional<std::string>& isa) {
  const std::size_t batch = generators.shape(0);
  const std::size_t n = generators.shape(1);
  const std::size_t links = n + (folded ? 1 : 0);
  const bool wants_loads = loads.size() != 0;
  const isoplane::Kernel kernel = kernel_of(n, folded, isa);
  if (sums.shape(0) != batch || max_loads.shape(0) != batch ||
      (wants_loads && (loads.shape(0) != batch || loads.shape(1) != 2 || loads.shape(2) != links)))
    throw nb::value_error("arrays of wrong shape");
  const isoplane::BatchResults out{sums.data(), max_loads.data(), wants_loads ? loads.data() : nullptr};
  const nb::gil_scoped_release release;
  return isoplane::evaluate_rows(kernel, generators.data(), batch, n, links, out);
}

// Fills the largest distances in the nearer plane; -1 for rows that are not a basis.
void diameters(Generators generators, bool folded, Row out) {
  const std::size_t batch = generators.shape(0), n = generators.shape(1);
  const isoplane::Kernel kernel = kernel_of(n, folded, std::nullopt);
  if (out.shape(0) != batch) throw nb::value_error("arrays of wrong shape");
  const nb::gil_scoped_release release;
  for (std::size_t b = 0; b < batch; ++b) {
    std::uint32_t rows[isoplane::kMaxN];
    isoplane::transpose(generators.data() + b * n, static_cast<int>(n), rows);
    out.data()[b] = kernel.diameter(rows);
  }
}

// Nanoseconds per candidate without Python, from generators to sums and max loads: the fastest of `repeats`
// passes.
double time_kernel(Generators generators, bool folded, int repeats, const std::optional<std::string>& isa) {
  const std::size_t batch = generators.shape(0);
  const std::size_t n = generators.shape(1);
  const isoplane::Kernel kernel = kernel_of(n, folded, isa);
  std::vector<std::int64_t> sums(batch), max_loads(batch);
  const isoplane::BatchResults out{sums.data(), max_loads.data(), nullptr};
  double best = std::numeric_limits<double>::infinity();
  for (int repeat = 0; repeat < repeats; ++repeat) {
    const auto start = std::chrono::steady_clock::now();
    if (isoplane::evaluate_rows(kernel, generators.data(), batch, n, 0, out) >= 0)
      throw nb::value_error("a row is not a basis");
    const std::chrono::duration<double, std::nano> elapsed = std::chrono::steady_clock::now() - start;
    best = std::min(best, elapsed.count() / static_cast<double>(batch));
  }
  return best;
}

void bind_hybrid(nb::module_& m) {
  using isoplane::HybridModel;
  using isoplane::HybridPlan;
  using isoplane::HybridTimes;
  nb::enum_<isoplane::Relay>(m, "Relay")
      .value("MESSAGES", isoplane::Relay::kMessages)
      .value("PACKETS", isoplane::Relay::kPackets);
  nb::class_<HybridPlan>(m, "HybridPlan", "A hybrid network and a workload, as plain data.")
      .def(nb::init<>())
      .def_rw("groups", &HybridPlan::groups)
      .def_rw("nodes_per_group", &HybridPlan::nodes_per_group)
      .def_rw("node_rate", &HybridPlan::node_rate)
      .def_rw("up_rate", &HybridPlan::up_rate)
      .def_rw("circuit_rate", &HybridPlan::circuit_rate)
      .def_rw("inside_cost", &HybridPlan::inside_cost)
      .def_rw("circuit_cost", &HybridPlan::circuit_cost)
      .def(
          "set_units",
          [](HybridPlan& plan, const std::array<double, 8>& numbers) {
            plan.units = isoplane::FluidUnits::of(numbers);
          },
          "numbers"_a, "Sets the units of the fluid model.")
      .def_rw("relay", &HybridPlan::relay)
      .def_rw("source", &HybridPlan::source)
      .def_rw("destination", &HybridPlan::destination)
      .def_rw("bits", &HybridPlan::bits)
      .def_rw("wait_start", &HybridPlan::wait_start)
      .def_rw("wait", &HybridPlan::wait)
      .def_rw("begin_delay", &HybridPlan::begin_delay)
      .def(
          "set_packet_ways",
          [](HybridPlan& plan, isoplane::PacketWays::Lists lists) {
            plan.packet = std::make_shared<const isoplane::PacketWays>(isoplane::PacketWays::of(std::move(lists)));
          },
          "lists"_a, "Sets the ways of a packet network other than the tree: the fields of `PacketWays`.");
  m.attr("RUNS") = isoplane::Completion::kRuns;
  nb::class_<HybridTimes>(m, "HybridTimes", "Times of a workload on a design.")
      .def_ro("bottleneck_ns", &HybridTimes::bottleneck_ns)
      .def_ro("total_ns", &HybridTimes::total_ns)
      .def_ro("hops", &HybridTimes::hops);
  const auto release = nb::call_guard<nb::gil_scoped_release>();
  nb::class_<HybridModel>(m, "HybridModel", "The fluid model of a hybrid network under a workload.")
      .def(nb::init<HybridPlan>(), "plan"_a)
      .def("loads", &HybridModel::loads, "circuits"_a, "node_of"_a, release, "All times of a design except completion.")
      .def("synchronised_ns", &HybridModel::synchronised_ns, release,
           "The time of the last design level by level, with its busiest link at full rate in each.")
      .def("run_ns", &HybridModel::run_ns, "run"_a, release, "Completion time of a run of the last design.")
      .def("arrivals_ns", &HybridModel::arrivals_ns, release, "Arrival time of each message of the last design.")
      .def("resource_bits", &HybridModel::resource_bits, "Bits over every resource of the last design.")
      .def("capacity", &HybridModel::capacity, "Bits per ns of every resource of the last design.")
      .def("route_starts", &HybridModel::route_starts, "Offset of each message's route in `route_nodes`.")
      .def("route_nodes", &HybridModel::route_nodes, "Nodes on the routes of all messages, concatenated.");
}

}  // namespace

NB_MODULE(_native, m) {
  m.doc() =
      "Exact kernels for two hypercube planes, the general evaluator, the fluid model of any network, distances "
      "over links with lengths, numbers of paths, balanced cuts, and concurrent flows.";
  bind_general(m);
  bind_hybrid(m);
  bind_transfers(m);
  bind_lengths(m);
  bind_structure(m);
  bind_flows(m);
  m.def("evaluate", &evaluate, "generators"_a, "folded"_a, "sums"_a, "max_loads"_a, "loads"_a, "isa"_a = nb::none(),
        "Fill sums, max_loads and, unless it is empty, loads; return the first row that is not a basis, or -1.");
  m.def("diameters", &diameters, "generators"_a, "folded"_a, "out"_a,
        "Fill the diameter of each row; -1 if it is not a basis.");
  m.def("rack_loss", &rack_loss, "generators"_a, "folded"_a, "rack_switches"_a,
        nb::call_guard<nb::gil_scoped_release>(),
        "The largest distance, and the largest mean in 10^-9 hops, after the loss of any one rack.");
  m.def("time_kernel", &time_kernel, "generators"_a, "folded"_a, "repeats"_a, "isa"_a = nb::none(),
        "Nanoseconds per candidate in the kernel alone: the fastest pass.");
  m.def(
      "metric_names",
      [] { return std::vector<std::string>(isoplane::kMetricNames.begin(), isoplane::kMetricNames.end()); },
      "The exact metrics of cubes, in enum order.");
  m.def(
      "chosen_isa", [] { return std::string(isoplane::isa_name(isoplane::chosen_isa())); },
      "The instruction set in use: the one named by ISOPLANE_ISA, by default the widest available.");
  m.def(
      "available_isas",
      [] {
        std::vector<std::string> names;
        for (int i = 0; i < isoplane::kIsaCount; ++i)
          if (isoplane::isa_available(static_cast<isoplane::Isa>(i)))
            names.emplace_back(isoplane::isa_name(static_cast<isoplane::Isa>(i)));
        return names;
      },
      "The instruction sets available on this processor.");
}
