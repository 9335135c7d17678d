// Thin binding of concurrent flows: checks arrays and calls the library.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include "bindings.hpp"
#include "isoplane/concurrent_flow.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

template <class Value, std::size_t Axes>
using Array = nb::ndarray<Value, nb::ndim<Axes>, nb::c_contig, nb::device::cpu>;
using Longs = Array<const std::int64_t, 1>;
using Ints = Array<const std::int32_t, 1>;
using Demands = Array<const std::int64_t, 2>;

void require(bool holds, const char* what) {
  if (!holds) throw nb::value_error(what);
}

void require_within(const Ints& values, std::size_t limit, const char* what) {
  for (std::size_t i = 0; i < values.size(); ++i)
    require(values.data()[i] >= 0 && static_cast<std::size_t>(values.data()[i]) < limit, what);
}

void require_natural(const std::int64_t* values, std::size_t count, const char* what) {
  for (std::size_t i = 0; i < count; ++i) require(values[i] >= 0, what);
}

// The arrays of a network, which outlive it.
struct FlowArrays {
  FlowArrays(Ints tails, Ints heads, Longs capacities, Ints sources, Demands demands)
      : tail(std::move(tails)),
        head(std::move(heads)),
        capacity(std::move(capacities)),
        source(std::move(sources)),
        demand(std::move(demands)) {
    require(head.size() == tail.size() && capacity.size() == tail.size(), "links of wrong shape");
    require(source.size() > 0 && demand.shape(0) == source.size() && demand.shape(1) > 0, "demands of wrong shape");
    require_within(tail, demand.shape(1), "a tail is not a vertex");
    require_within(head, demand.shape(1), "a head is not a vertex");
    require_within(source, demand.shape(1), "a source is not a vertex");
    require_natural(capacity.data(), capacity.size(), "a capacity is negative");
    require_natural(demand.data(), demand.size(), "a demand is negative");
    bool is_any_limited = false;
    for (std::size_t link = 0; link < tail.size(); ++link) {
      require(tail.data()[link] != head.data()[link], "a link ends where it begins");
      is_any_limited |= capacity.data()[link] > 0;
    }
    require(is_any_limited, "no link has a capacity");
    for (std::size_t i = 0; i < source.size(); ++i)
      require(demand.data()[i * demand.shape(1) + static_cast<std::size_t>(source.data()[i])] == 0,
              "a source sends to itself");
  }

  isoplane::FlowNetwork network() const {
    return {demand.shape(1), tail.size(),     source.size(), tail.data(),
            head.data(),     capacity.data(), source.data(), demand.data()};
  }

  Ints tail, head;
  Longs capacity;
  Ints source;
  Demands demand;
};

void require_lengths(const FlowArrays& arrays, const Longs& length) {
  require(length.size() == arrays.tail.size(), "lengths of wrong shape");
  require_natural(length.data(), length.size(), "a length is negative");
}

class Iterations {
 public:
  explicit Iterations(FlowArrays arrays) : arrays_(std::move(arrays)), iterations_(arrays_.network()) {}

  void run(std::size_t periods) {
    const nb::gil_scoped_release release;
    iterations_.run(periods);
  }

  void lengths(const Array<double, 1>& filled) const {
    require(filled.size() == arrays_.tail.size(), "lengths of wrong shape");
    std::copy(iterations_.lengths().begin(), iterations_.lengths().end(), filled.data());
  }

  void feasible_flow(const Longs& length, std::int64_t scale, const Array<std::int64_t, 2>& flow) const {
    require_lengths(arrays_, length);
    require(scale > 0, "the scale is not positive");
    require(flow.shape(0) == arrays_.source.size() && flow.shape(1) == arrays_.tail.size(), "flows of wrong shape");
    const nb::gil_scoped_release release;
    isoplane::feasible_flow(arrays_.network(), iterations_, length.data(), scale, flow.data());
  }

 private:
  FlowArrays arrays_;
  isoplane::FlowIterations iterations_;
};

using Sum = std::pair<std::uint64_t, std::uint64_t>;

std::optional<Sum> demand_distances(const FlowArrays& arrays, const Longs& length, const Ints& link_class,
                                    const Array<std::int64_t, 1>& load) {
  require_lengths(arrays, length);
  require(load.size() == 0 || link_class.size() == arrays.tail.size(), "classes of wrong shape");
  if (load.size() != 0) require_within(link_class, load.size(), "a class is out of range");
  const nb::gil_scoped_release release;
  isoplane::WideSum total;
  const bool is_reached = isoplane::demand_distances(arrays.network(), length.data(), link_class.data(),
                                                     load.size() == 0 ? nullptr : load.data(), total);
  return is_reached ? std::optional<Sum>({total.low, total.high}) : std::nullopt;
}

}  // namespace

void bind_flows(nb::module_& m) {
  nb::class_<FlowArrays>(m, "FlowArrays", "Links with capacities, 0 if unlimited, and what each source sends.")
      .def(nb::init<Ints, Ints, Longs, Ints, Demands>(), "tail"_a, "head"_a, "capacity"_a, "source"_a, "demand"_a);
  nb::class_<Iterations>(m, "FlowIterations", "Iterations towards the maximum concurrent flow.")
      .def(nb::init<FlowArrays>(), "arrays"_a)
      .def("run", &Iterations::run, "periods"_a, "Iterate FLOW_PERIOD times per period.")
      .def("lengths", &Iterations::lengths, "filled"_a, "Fill in the lengths of links, of mean 1 by capacity.")
      .def("feasible_flow", &Iterations::feasible_flow, "length"_a, "scale"_a, "flow"_a,
           "Fill in exact flows of all sources that deliver `scale` times the demand.");
  m.attr("FLOW_PERIOD") = isoplane::FlowIterations::kPeriod;
  m.def("demand_distances", &demand_distances, "arrays"_a, "length"_a, "link_class"_a, "load"_a,
        "Sum of demand times distance over links with lengths, in words of 64 bits, the lower one first; None if a "
        "vertex with demand is out of reach. Adds the demand on each class of links, along a tree of each source, "
        "unless this array is empty.");
}
