// Thin binding: converts and calls the library.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "isoplane/anneal.hpp"
#include "isoplane/exact.hpp"
#include "isoplane/goal.hpp"
#include "isoplane/score.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

using Numbers = std::vector<std::uint32_t>;

std::shared_ptr<isoplane::Evaluator> make_evaluator(int n, bool folded, const std::vector<std::vector<int>>& components,
                                                    std::vector<std::int64_t> length_mm,
                                                    std::vector<std::int64_t> price_cents, std::int64_t hop,
                                                    std::int64_t cable_mm, std::int64_t endpoint,
                                                    std::int64_t fixed_cents) {
  std::vector<isoplane::Component> metrics;
  for (const auto& component : components) {
    metrics.emplace_back();
    for (const int metric : component) {
      if (metric < 0 || metric >= isoplane::kMetricCount) throw nb::value_error("unknown metric");
      metrics.back().push_back(static_cast<isoplane::Metric>(metric));
    }
  }
  isoplane::Surroundings surroundings{std::move(length_mm), std::move(price_cents), hop, cable_mm, endpoint,
                                      fixed_cents};
  return std::make_shared<isoplane::Evaluator>(n, folded, std::move(surroundings),
                                               isoplane::Scalarisation(std::move(metrics)));
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

void make_chain(isoplane::Chain* self, SharedEvaluator evaluator, bool front, double coolest, double hottest,
                double fall, std::int64_t first_leg, double growth, std::uint64_t seed, std::uint64_t stream,
                const std::optional<Numbers>& start) {
  const int n = evaluator->n();
  auto goal = goal_of(*evaluator, front);
  std::optional<isoplane::Columns> columns;
  if (start) columns = columns_of(n, *start);
  new (self) isoplane::Chain(std::move(evaluator), std::move(goal), {coolest, hottest, fall, first_leg, growth}, seed,
                             stream, columns);
}

std::unique_ptr<isoplane::Chain> restore_chain(SharedEvaluator evaluator, bool front, double coolest, double hottest,
                                               double fall, std::int64_t first_leg, double growth,
                                               const isoplane::State& state) {
  auto goal = goal_of(*evaluator, front);
  return std::make_unique<isoplane::Chain>(std::move(evaluator), std::move(goal),
                                           isoplane::Schedule{coolest, hottest, fall, first_leg, growth}, state);
}

std::vector<Numbers> run_lane(isoplane::ExactLane& lane, std::int64_t evaluations,
                              const std::vector<Numbers>& incumbents) {
  std::vector<isoplane::Columns> designs;
  for (const Numbers& generators : incumbents) designs.push_back(columns_of(lane.n(), generators));
  {
    const nb::gil_scoped_release release;
    designs = lane.run(evaluations, designs);
  }
  return numbers_of(lane.n(), designs);
}

}  // namespace

NB_MODULE(_native, m) {
  m.doc() = "Inner loops of the search over connection sets.";
  nb::class_<isoplane::Evaluator>(m, "Evaluator", "Judges bases of one dimension and family; immutable.")
      .def(nb::new_(&make_evaluator), "n"_a, "folded"_a, "components"_a, "length_mm"_a, "price_cents"_a, "hop"_a,
           "cable_mm"_a, "endpoint"_a, "fixed_cents"_a);
  nb::class_<isoplane::Chain>(m, "Chain", "One annealing chain; its seed and stream decide its course.")
      .def("__init__", &make_chain, "evaluator"_a, "front"_a, "coolest"_a, "hottest"_a, "fall"_a, "first_leg"_a,
           "growth"_a, "seed"_a, "stream"_a, "start"_a.none())
      .def_static("restored", &restore_chain, "evaluator"_a, "front"_a, "coolest"_a, "hottest"_a, "fall"_a,
                  "first_leg"_a, "growth"_a, "state"_a,
                  "The chain whose state this is, made as that one; ValueError if the state is damaged.")
      .def("state", &isoplane::Chain::state, "All that decides its course from here on, as words of 64 bits.")
      .def(
          "offer",
          [](isoplane::Chain& chain, const Numbers& generators) { chain.offer(columns_of(chain.n(), generators)); },
          "generators"_a, "Let it know a basis of another chain.")
      .def("run", &isoplane::Chain::run, "evaluations"_a, nb::call_guard<nb::gil_scoped_release>(),
           "Advance by so many evaluations.")
      .def(
          "designs", [](const isoplane::Chain& chain) { return numbers_of(chain.n(), chain.goal().designs()); },
          "The best basis so far, or the front; each as generators.")
      .def_prop_ro("evaluations", &isoplane::Chain::evaluations);
  m.attr("EXACT_MAX_N") = isoplane::kExactMaxN;
  nb::class_<isoplane::ExactSearch>(m, "ExactSearch", "What the lanes of an exact search share; immutable.")
      .def(nb::new_([](SharedEvaluator evaluator, bool front) {
             goal_of(*evaluator, front);
             return std::make_shared<isoplane::ExactSearch>(std::move(evaluator), front);
           }),
           "evaluator"_a, "front"_a)
      .def_prop_ro("units", &isoplane::ExactSearch::units);
  nb::class_<isoplane::ExactLane>(m, "ExactLane", "Walks every step-th unit of an exact search, from the first on.")
      .def(nb::init<std::shared_ptr<const isoplane::ExactSearch>, std::size_t, std::size_t>(), "search"_a, "first"_a,
           "step"_a)
      .def("run", &run_lane, "evaluations"_a, "incumbents"_a,
           "Walk on for so many evaluations; return the designs that survive, incumbents among them.")
      .def_prop_ro("done", &isoplane::ExactLane::done)
      .def_prop_ro("evaluations", &isoplane::ExactLane::evaluations);
}
