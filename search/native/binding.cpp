// Thin binding: converts and calls the library.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "isoplane/anneal.hpp"
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
  isoplane::Surroundings surroundings{std::move(length_mm), std::move(price_cents), hop, cable_mm, endpoint, fixed_cents};
  return std::make_shared<isoplane::Evaluator>(n, folded, std::move(surroundings),
                                               isoplane::Scalarisation(std::move(metrics)));
}

std::optional<isoplane::Columns> columns_of(int n, const std::optional<Numbers>& generators) {
  if (!generators) return std::nullopt;
  if (generators->size() != static_cast<std::size_t>(n)) throw nb::value_error("a start needs n generators");
  isoplane::Columns columns{};
  std::copy(generators->begin(), generators->end(), columns.begin());
  return columns;
}

Numbers numbers(int n, const isoplane::Columns& columns) { return {columns.begin(), columns.begin() + n}; }

}  // namespace

NB_MODULE(_native, m) {
  m.doc() = "Inner loops of the search over connection sets.";
  nb::class_<isoplane::Evaluator>(m, "Evaluator", "Judges bases of one dimension and family; immutable.")
      .def(nb::new_(&make_evaluator), "n"_a, "folded"_a, "components"_a, "length_mm"_a, "price_cents"_a, "hop"_a,
           "cable_mm"_a, "endpoint"_a, "fixed_cents"_a);
  nb::class_<isoplane::Chain>(m, "Chain", "One annealing chain; its seed and stream decide its course.")
      .def("__init__",
           [](isoplane::Chain* self, std::shared_ptr<isoplane::Evaluator> evaluator, double hot, double cold,
              double reheat, std::int64_t first_leg, double growth, std::uint64_t seed, std::uint64_t stream,
              const std::optional<Numbers>& start) {
             const int n = evaluator->n();
             new (self) isoplane::Chain(std::move(evaluator), {hot, cold, reheat, first_leg, growth}, seed, stream,
                                        columns_of(n, start));
           },
           "evaluator"_a, "hot"_a, "cold"_a, "reheat"_a, "first_leg"_a, "growth"_a, "seed"_a, "stream"_a, "start"_a)
      .def("run", &isoplane::Chain::run, "evaluations"_a, nb::call_guard<nb::gil_scoped_release>(),
           "Advance by so many evaluations.")
      .def("best", [](const isoplane::Chain& chain) { return numbers(chain.n(), chain.best()); },
           "Generators of the best basis so far.")
      .def_prop_ro("evaluations", &isoplane::Chain::evaluations);
}
