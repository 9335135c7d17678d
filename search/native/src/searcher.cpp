#include "isoplane/searcher.hpp"

#include <array>
#include <cmath>
#include <utility>
#include <vector>

namespace isoplane {
namespace {

// -ln u at the midpoints of 4096 equal slices of (0, 1): the Metropolis rule without a logarithm in the loop.
std::array<double, 4096> make_exponential() {
  std::array<double, 4096> table{};
  for (std::size_t i = 0; i < table.size(); ++i) table[i] = -std::log((static_cast<double>(i) + 0.5) / 4096.0);
  return table;
}
const std::array<double, 4096> kExponential = make_exponential();

}  // namespace

Searcher::Searcher(std::shared_ptr<const Evaluator> evaluator, std::unique_ptr<Goal> goal, std::uint64_t seed,
                   std::uint64_t stream)
    : evaluator_(std::move(evaluator)), goal_(std::move(goal)), random_(seed, stream) {}

Searcher::Searcher(std::shared_ptr<const Evaluator> evaluator, std::unique_ptr<Goal> goal, std::uint64_t version,
                   StateReader& reader)
    : evaluator_(std::move(evaluator)), goal_(std::move(goal)), random_(0, 0) {
  std::uint64_t written = 0, count = 0;
  std::int64_t dimension = 0;
  double direction = 0;
  reader.put(written);
  reader.put(dimension);
  if (written != version || dimension != n())
    throw std::invalid_argument("the saved state of a chain has another version or dimension");
  reader.put(direction);
  goal_->set_direction(direction);
  reader.put(count);
  Columns generators{};
  for (std::uint64_t k = 0; k < count; ++k) {
    reader.put(generators);
    goal_->note(evaluate(generators), generators);
  }
  reader.put(random_);
  reader.put(evaluations_);
}

StateWriter Searcher::begin_state(std::uint64_t version) const {
  StateWriter writer;
  writer.put(version);
  writer.put(static_cast<std::int64_t>(n()));
  writer.put(goal_->direction());
  const std::vector<Columns> designs = goal_->designs();
  writer.put(static_cast<std::uint64_t>(designs.size()));
  for (const Columns& generators : designs) writer.put(generators);
  writer.put(random_);
  writer.put(evaluations_);
  return writer;
}

ExactMetrics Searcher::evaluate(const Columns& generators) const {
  const Basis basis(n(), generators.data());
  ExactMetrics found;
  evaluator_->exact_metrics(basis.rows(), basis.columns(), found);
  return found;
}

void Searcher::offer(const Columns& generators) { goal_->note(evaluate(generators), generators); }

double Searcher::exponential() { return kExponential[random_() >> 52]; }

}  // namespace isoplane
