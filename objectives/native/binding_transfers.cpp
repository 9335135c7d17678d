// Thin binding of the transfers of the fluid model: converts arrays and calls the library.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

#include "bindings.hpp"
#include "isoplane/transfer_runs.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

template <class Value>
using Array = nb::ndarray<const Value, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Numbers = Array<double>;
using Indices = Array<std::uint32_t>;
using Results = nb::ndarray<double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class Value>
std::vector<Value> to_vector(const Array<Value>& values) {
  return {values.data(), values.data() + values.size()};
}

}  // namespace

void bind_transfers(nb::module_& m) {
  using isoplane::TransferRuns;
  const auto release = nb::call_guard<nb::gil_scoped_release>();
  nb::class_<TransferRuns>(m, "TransferRuns", "Messages as transfers over links, by the fluid model.")
      .def(
          "__init__",
          [](TransferRuns* self, const Numbers& capacity, const Numbers& bits, const Numbers& delay,
             const Indices& use_start, const Indices& use, const Indices& next_start, const Indices& next,
             const Indices& message, const Numbers& begin_delay, std::uint32_t ticks_log2, std::uint32_t volume_log2,
             const Indices& weight, const Numbers& lead, const Indices& jitter) {
            isoplane::Transfers all;
            all.capacity = to_vector(capacity);
            all.volume_log2 = volume_log2;
            all.bits = to_vector(bits);
            all.delay = to_vector(delay);
            all.use_start = to_vector(use_start);
            all.use = to_vector(use);
            all.next_start = to_vector(next_start);
            all.next = to_vector(next);
            all.weight = to_vector(weight);
            new (self) TransferRuns(std::move(all), to_vector(message), to_vector(begin_delay), ticks_log2,
                                    to_vector(lead), to_vector(jitter));
          },
          "capacity"_a, "bits"_a, "delay"_a, "use_start"_a, "use"_a, "next_start"_a, "next"_a, "message"_a,
          "begin_delay"_a, "ticks_log2"_a, "volume_log2"_a, "weight"_a, "lead"_a, "jitter"_a)
      .def("run_ns", &TransferRuns::run_ns, "run"_a, release, "Completion time of a run.")
      .def("arrivals_ns", &TransferRuns::arrivals_ns, "run"_a, release, "Arrival time of each message in a run.")
      .def(
          "arrival_ticks",
          [](TransferRuns& self, std::uint32_t run, const Results& ticks) {
            const std::vector<double> arrivals = self.arrival_ticks(run);
            if (ticks.size() != arrivals.size()) throw std::invalid_argument("arrivals of other transfers");
            std::copy(arrivals.begin(), arrivals.end(), ticks.data());
          },
          "run"_a, "ticks"_a, release, "Arrival tick of each transfer in a run, written into an array.");
}
