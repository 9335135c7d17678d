// Thin binding: converts and calls the library.
#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bindings.hpp"
#include "isoplane/anneal.hpp"
#include "isoplane/bottleneck.hpp"
#include "isoplane/bottleneck_walk.hpp"
#include "isoplane/circuit_walk.hpp"
#include "isoplane/exact.hpp"
#include "isoplane/goal.hpp"
#include "isoplane/neighbourhood.hpp"
#include "isoplane/score.hpp"
#include "isoplane/tempering.hpp"
#include "python_score.hpp"
#include "walk_binding.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

using Numbers = std::vector<std::uint32_t>;

std::shared_ptr<isoplane::Evaluator> make_evaluator(
    int n, bool folded, const std::vector<isoplane::Terms>& components, const std::vector<isoplane::Terms>& limits,
    const std::vector<std::int64_t>& most, nb::object function, std::size_t parts, std::vector<std::int64_t> length_mm,
    std::vector<std::int64_t> price_cents, std::vector<std::int64_t> longest_mm, std::int64_t hop,
    std::int64_t cable_mm, std::int64_t endpoint, std::int64_t fixed_cents, std::int64_t rack_switches) {
  isoplane::ExactMetrics largest{};
  if (most.size() != largest.size()) throw nb::value_error("upper bounds need a value for each metric");
  std::copy(most.begin(), most.end(), largest.begin());
  isoplane::Scalarisation scalarisation(isoplane::sums_of(components), isoplane::sums_of(limits), largest);
  if (!function.is_none()) {
    auto score = std::make_shared<isoplane::PythonScore>(std::move(function));
    scalarisation = std::move(scalarisation)
                        .with(std::make_shared<const isoplane::Scalarisation::Function>(
                                  [score](const isoplane::ExactMetrics& metrics) { return (*score)(metrics); }),
                              parts);
  }
  isoplane::Site site{std::move(length_mm), std::move(price_cents), std::move(longest_mm), hop, cable_mm, endpoint,
                      fixed_cents,          rack_switches};
  return std::make_shared<isoplane::Evaluator>(n, folded, std::move(site), std::move(scalarisation));
}

isoplane::Columns columns_of(int n, const Numbers& generators) {
  if (generators.size() != static_cast<std::size_t>(n)) throw nb::value_error("a basis needs n generators");
  isoplane::Columns columns{};
  std::copy(generators.begin(), generators.end(), columns.begin());
  return columns;
}

std::vector<Numbers> numbers_of(int n, const std::vector<isoplane::Columns>& designs) {
  std::vector<Numbers> all;
  for (const isoplane::Columns& columns : designs) all.emplace_back(columns.begin(), columns.begin() + n);
  return all;
}

std::unique_ptr<isoplane::Goal> goal_of(const isoplane::Evaluator& evaluator, bool front) {
  if (front && evaluator.scalarisation().size() < 2) throw nb::value_error("a front needs two components");
  return front ? isoplane::pareto_front(evaluator) : isoplane::best_score(evaluator);
}

using SharedEvaluator = std::shared_ptr<isoplane::Evaluator>;

// Binds a kind of searcher, which is newly created or restored from a state; its settings are numbers of these types.
template <class Kind, class... Numeric>
struct Maker {
  static void make(Kind* self, SharedEvaluator evaluator, bool front, std::uint64_t seed, std::uint64_t stream,
                   const std::optional<Numbers>& start, Numeric... settings) {
    const int n = evaluator->n();
    auto goal = goal_of(*evaluator, front);
    std::optional<isoplane::Columns> columns;
    if (start) columns = columns_of(n, *start);
    new (self) Kind(std::move(evaluator), std::move(goal), typename Kind::Settings{settings...}, seed, stream, columns);
  }
  static std::unique_ptr<Kind> restore(SharedEvaluator evaluator, bool front, const isoplane::State& state,
                                       Numeric... settings) {
    auto goal = goal_of(*evaluator, front);
    return std::make_unique<Kind>(std::move(evaluator), std::move(goal), typename Kind::Settings{settings...}, state);
  }
  template <class... Names>
  static void bind(nb::module_& m, const char* name, const char* doc, Names... names) {
    nb::class_<Kind, isoplane::Searcher>(m, name, doc)
        .def("__init__", &make, "evaluator"_a, "front"_a, "seed"_a, "stream"_a, "start"_a.none(), names...)
        .def_static("restored", &restore, "evaluator"_a, "front"_a, "state"_a, names...,
                    "Restore from a state, with the settings it was saved with; ValueError if damaged.");
  }
};

void bind_searchers(nb::module_& m) {
  using isoplane::Searcher;
  nb::class_<Searcher>(m, "Searcher", "One heuristic search; its seed and stream determine its result.")
      .def("state", &Searcher::state, "The complete state, from which the run can be resumed, as 64-bit words.")
      .def(
          "offer", [](Searcher& one, const Numbers& generators) { one.offer(columns_of(one.n(), generators)); },
          "generators"_a, "Accept a basis from another searcher.")
      .def("run", &Searcher::run, "evaluations"_a, nb::call_guard<nb::gil_scoped_release>(),
           "Run a number of evaluations.")
      .def(
          "designs", [](const Searcher& one) { return numbers_of(one.n(), one.goal().designs()); },
          "The best basis so far, or the front; each as generators.")
      .def_prop_ro("evaluations", &Searcher::evaluations);
  Maker<isoplane::Chain, double, double, double, std::int64_t, double, bool>::bind(
      m, "Chain", "One annealing chain.", "coolest"_a, "hottest"_a, "fall"_a, "first_leg"_a, "growth"_a,
      "structured"_a);
  Maker<isoplane::Tempering, double, double, std::int64_t>::bind(m, "Tempering", "One ladder of replicas.", "coldest"_a,
                                                                 "hottest"_a, "replicas"_a);
  Maker<isoplane::Neighbourhood, std::int64_t, double>::bind(
      m, "Neighbourhood", "One walk that removes generators and replaces them by the best completion.", "most"_a,
      "temperature"_a);
}

void bind_walk(nb::module_& m) {
  using isoplane::Walk;
  nb::class_<Walk>(m, "Walk", "One annealing walk over designs, each a list of numbers; its seed and stream decide.")
      .def("state", &Walk::state, "The complete state, from which the run can be resumed, as 64-bit words.")
      .def("offer", &Walk::offer, "candidate"_a, "Accept a design from another walk.")
      .def("run", &Walk::run, "evaluations"_a, nb::call_guard<nb::gil_scoped_release>(), "Run a number of evaluations.")
      .def("designs", &Walk::designs, "The best design so far, then others that the walk keeps.")
      .def_prop_ro("evaluations", &Walk::evaluations);
}

using SharedTask = std::shared_ptr<isoplane::HybridTask>;

SharedTask make_task(std::uint32_t groups, std::uint32_t nodes_per_group, const std::vector<double>& rates,
                     const std::vector<std::int64_t>& costs, const std::array<double, 8>& units, Numbers source,
                     Numbers destination, std::vector<double> bits, Numbers wait_start, Numbers wait,
                     std::vector<double> begin_delay, const std::vector<int>& metrics, std::uint32_t ports,
                     std::uint32_t max_circuits, bool placement_is_free,
                     std::optional<isoplane::PacketWays::Lists> packet_ways) {
  if (rates.size() != 3 || costs.size() != 2) throw nb::value_error("a malformed network");
  auto task = std::make_shared<isoplane::HybridTask>();
  task->plan = {groups,
                nodes_per_group,
                rates[0],
                rates[1],
                rates[2],
                costs[0],
                costs[1],
                isoplane::FluidUnits::of(units),
                isoplane::Relay::kMessages,
                std::move(source),
                std::move(destination),
                std::move(bits),
                std::move(wait_start),
                std::move(wait),
                nullptr,
                std::move(begin_delay)};
  if (packet_ways)
    task->plan.packet = std::make_shared<const isoplane::PacketWays>(isoplane::PacketWays::of(*std::move(packet_ways)));
  for (const int metric : metrics) {
    if (metric < 0 || metric >= static_cast<int>(isoplane::kHybridMetricNames.size()))
      throw nb::value_error("unknown metric");
    task->metrics.push_back(static_cast<isoplane::HybridMetric>(metric));
  }
  task->ports = ports;
  task->max_circuits = max_circuits;
  task->placement_is_free = placement_is_free;
  task->check();
  return task;
}

void bind_circuits(nb::module_& m) {
  using isoplane::BottleneckWalk;
  using isoplane::CircuitWalk;
  m.def(
      "hybrid_metric_names",
      [] { return std::vector<std::string>(isoplane::kHybridMetricNames.begin(), isoplane::kHybridMetricNames.end()); },
      "The times that are score components of circuits, in the order of their indices.");
  nb::class_<isoplane::HybridTask>(m, "HybridTask", "A hybrid network, a workload and the objective; immutable.")
      .def(nb::new_(&make_task), "groups"_a, "nodes_per_group"_a, "rates"_a, "costs"_a, "units"_a, "source"_a,
           "destination"_a, "bits"_a, "wait_start"_a, "wait"_a, "begin_delay"_a, "metrics"_a, "ports"_a,
           "max_circuits"_a, "placement_is_free"_a, "packet_ways"_a = nb::none());
  WalkMaker<CircuitWalk, isoplane::HybridTask, double, double, double, std::int64_t, double>::bind(
      m, "CircuitWalk",
      "One annealing walk over circuits and placements. A design is nodes of processes, then ends of circuits.",
      "coolest"_a, "hottest"_a, "fall"_a, "first_leg"_a, "growth"_a);
  WalkMaker<BottleneckWalk, isoplane::HybridTask, std::int64_t, double>::bind(
      m, "BottleneckWalk", "One annealing walk over circuits that minimises the bottleneck time.", "first_leg"_a,
      "growth"_a);
}

using Ranges = std::vector<std::pair<std::int64_t, std::int64_t>>;

isoplane::ValidInequalities inequalities_of(const isoplane::Evaluator& evaluator,
                                            const std::vector<std::int64_t>& floor, const std::vector<Ranges>& loads) {
  const std::size_t links = static_cast<std::size_t>(evaluator.n() + (evaluator.folded() ? 1 : 0));
  if (floor.empty() && loads.empty()) return {evaluator.n(), evaluator.folded()};
  if (floor.size() != isoplane::kMetricCount) throw nb::value_error("lower bounds need a value for each metric");
  isoplane::ExactMetrics values{};
  std::copy(floor.begin(), floor.end(), values.begin());
  std::vector<isoplane::LoadRanges> all;
  for (const Ranges& ranges : loads) {
    if (ranges.size() != links + 1) throw nb::value_error("loads need a range for each number of links");
    all.emplace_back();
    for (const auto& [least, most] : ranges) all.back().push_back({least, most});
  }
  return {values, std::move(all)};
}

std::shared_ptr<isoplane::ExactSearch> make_exact(SharedEvaluator evaluator, bool front, bool everything,
                                                  const std::vector<Numbers>& incumbents,
                                                  const std::vector<std::int64_t>& floor,
                                                  const std::vector<Ranges>& loads) {
  goal_of(*evaluator, front);
  isoplane::ValidInequalities inequalities = inequalities_of(*evaluator, floor, loads);
  std::vector<isoplane::Columns> designs;
  for (const Numbers& generators : incumbents) designs.push_back(columns_of(evaluator->n(), generators));
  const nb::gil_scoped_release release;
  return std::make_shared<isoplane::ExactSearch>(std::move(evaluator), front, everything, std::move(designs),
                                                 std::move(inequalities));
}

nb::object integer(unsigned __int128 value) {
  const nb::object high = nb::int_(static_cast<std::uint64_t>(value >> 64)) << nb::int_(64);
  return high | nb::int_(static_cast<std::uint64_t>(value));
}

using Counts = nb::typed<nb::dict, nb::str, nb::any>;

Counts counts_of(const isoplane::ExactCounts& counts) {
  nb::list labelled;
  for (const auto value : counts.labelled) labelled.append(integer(value));
  nb::dict histogram;
  for (std::size_t sum = 0; sum < counts.histogram.size(); ++sum)
    if (counts.histogram[sum] != 0) histogram[nb::int_(sum)] = nb::int_(counts.histogram[sum]);
  nb::dict all;
  all["sets"] = nb::cast(counts.sets);
  all["labelled"] = labelled;
  all["cut"] = nb::cast(counts.cut);
  all["histogram"] = histogram;
  return Counts(all);
}

// Counts, evaluations of each unit, and the surviving designs, each with the number of its unit.
using Design = nb::typed<nb::tuple, std::size_t, Numbers>;
using Outcome = nb::typed<nb::tuple, Counts, std::vector<std::int64_t>, nb::typed<nb::list, Design>>;

Outcome run_exact(const isoplane::ExactSearch& search, std::size_t first, std::size_t last) {
  std::optional<isoplane::ExactSearch::Result> result;
  {
    const nb::gil_scoped_release release;
    result = search.run(first, last);
  }
  nb::list designs;
  for (const auto& [unit, columns] : result->designs)
    designs.append(nb::make_tuple(unit, Numbers(columns.begin(), columns.begin() + search.n())));
  return Outcome(nb::make_tuple(counts_of(result->counts), result->evaluations, designs));
}

std::vector<std::pair<double, double>> probe_exact(const isoplane::ExactSearch& search, std::uint64_t seed, int paths) {
  const nb::gil_scoped_release release;
  std::vector<std::pair<double, double>> all;
  for (const auto& [seconds, sets] : search.probe(seed, paths)) all.emplace_back(seconds, sets);
  return all;
}

std::unique_ptr<isoplane::BottleneckSearch> make_bottleneck(const std::array<std::uint32_t, 4>& sizes,
                                                            const std::array<double, 3>& rates,
                                                            const std::array<std::int64_t, 2>& costs,
                                                            const std::array<Numbers, 2>& ends,
                                                            std::vector<double> bits, std::uint64_t seed,
                                                            std::uint64_t stream) {
  isoplane::HybridPlan plan;
  plan.groups = sizes[0];
  plan.nodes_per_group = sizes[1];
  plan.node_rate = rates[0];
  plan.up_rate = rates[1];
  plan.circuit_rate = rates[2];
  plan.inside_cost = costs[0];
  plan.circuit_cost = costs[1];
  plan.source = ends[0];
  plan.destination = ends[1];
  plan.bits = std::move(bits);
  plan.wait_start.assign(plan.bits.size() + 1, 0);
  return std::make_unique<isoplane::BottleneckSearch>(std::move(plan), sizes[2], sizes[3], seed, stream);
}

void bind_bottleneck(nb::module_& m) {
  using isoplane::BottleneckSearch;
  const auto release = nb::call_guard<nb::gil_scoped_release>();
  nb::class_<BottleneckSearch>(m, "BottleneckSearch", "Annealing of circuits that minimises the bottleneck time.")
      .def(nb::new_(&make_bottleneck), "sizes"_a, "rates"_a, "costs"_a, "ends"_a, "bits"_a, "seed"_a, "stream"_a,
           "Sizes: groups, nodes per group, ports, maximum circuits; rates of nodes, uplinks and circuits.")
      .def("begin", &BottleneckSearch::begin, "start"_a, "limit_ns"_a = 0.0, release,
           "Restart; with a limit the total time is minimised.")
      .def("step", &BottleneckSearch::step, "start"_a, "end"_a, "schedule"_a, release,
           "Evaluate the neighbours start .. end - 1 of a cooling schedule of the given length.")
      .def_prop_ro("best", &BottleneckSearch::best)
      .def_prop_ro("bottleneck_ns", &BottleneckSearch::bottleneck_ns)
      .def_prop_ro("total_ns", &BottleneckSearch::total_ns);
}

}  // namespace

NB_MODULE(_native, m) {
  m.doc() = "Inner loops of the searches over connection sets and over circuits.";
  nb::class_<isoplane::Evaluator>(m, "Evaluator", "Evaluates bases of one dimension and family; immutable.")
      .def(nb::new_(&make_evaluator), "n"_a, "folded"_a, "components"_a, "limits"_a, "most"_a, "function"_a.none(),
           "parts"_a, "length_mm"_a, "price_cents"_a, "longest_mm"_a, "hop"_a, "cable_mm"_a, "endpoint"_a,
           "fixed_cents"_a, "rack_switches"_a);
  bind_searchers(m);
  bind_walk(m);
  bind_circuits(m);
  bind_bottleneck(m);
  bind_orders(m);
  bind_levels(m);
  bind_graphs(m);
  bind_planes(m);
  m.attr("EXACT_MAX_N") = isoplane::kExactMaxN;
  nb::class_<isoplane::ExactSearch>(m, "ExactSearch", "An exact search, divided into units.")
      .def(nb::new_(&make_exact), "evaluator"_a, "front"_a, "everything"_a, "incumbents"_a, "floor"_a, "loads"_a)
      .def_prop_ro("units", &isoplane::ExactSearch::units)
      .def_prop_ro("most", &isoplane::ExactSearch::most,
                   "The largest sum of distances of a basis that could beat the incumbents; -1 if none can.")
      .def_prop_ro(
          "above", [](const isoplane::ExactSearch& search) { return counts_of(search.above()); },
          "Counts of the search tree above the units.")
      .def("run", &run_exact, "first"_a, "last"_a,
           "Search units; return counts, evaluations by unit, and (unit, generators) of survivors.")
      .def("probe", &probe_exact, "seed"_a, "paths"_a,
           "Estimate (computation seconds, sets visited) of all units, once per random path below a unit.")
      .def("cancel", &isoplane::ExactSearch::cancel, "End all runs soon; their results are invalid.");
}
