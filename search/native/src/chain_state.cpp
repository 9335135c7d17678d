// A chain's state as words, and back.
#include <utility>

#include "isoplane/anneal.hpp"

namespace isoplane {
namespace {

// Another order or meaning of the words is another version.
constexpr std::uint64_t kVersion = 1;

}  // namespace

// Written and read in one order by one function. Rows, loads, the inverse and the orbits follow from what is here.
template <class Record, class Self>
void Chain::transfer(Record& record, Self& chain) {
  record.put(chain.random_);
  record.put(chain.symmetry_drawn_);
  record.put(chain.symmetry_left_);
  record.put(chain.symmetric_best_);
  record.put(chain.symmetric_energy_);
  record.put(chain.columns_);
  record.put(chain.current_energy_);
  record.put(chain.evaluations_);
  record.put(chain.leg_);
  record.put(chain.leg_length_);
  record.put(chain.leg_done_);
  record.put(chain.temperature_);
  record.put(chain.cooling_);
}

State Chain::state() const {
  StateWriter writer;
  writer.put(kVersion);
  writer.put(static_cast<std::int64_t>(n()));
  writer.put(goal_->direction());
  const std::vector<Columns> designs = goal_->designs();
  writer.put(static_cast<std::uint64_t>(designs.size()));
  for (const Columns& generators : designs) writer.put(generators);
  writer.put(current_.generators());
  transfer(writer, *this);
  return std::move(writer).sealed();
}

Chain::Chain(std::shared_ptr<const Evaluator> evaluator, std::unique_ptr<Goal> goal, Schedule schedule,
             const State& saved)
    : evaluator_(std::move(evaluator)),
      goal_(std::move(goal)),
      schedule_(schedule),
      random_(0, 0),
      current_(n()),
      symmetry_drawn_(random_) {
  StateReader reader(saved);
  std::uint64_t version = 0, count = 0;
  std::int64_t dimension = 0;
  double direction = 0;
  reader.put(version);
  reader.put(dimension);
  if (version != kVersion || dimension != n())
    throw std::invalid_argument("the saved state of a chain is of another version or dimension");
  reader.put(direction);
  goal_->set_direction(direction);
  reader.put(count);
  Columns generators{};
  for (std::uint64_t k = 0; k < count; ++k) {
    reader.put(generators);
    offer(generators);
  }
  reader.put(generators);
  current_ = Basis(n(), generators.data());
  transfer(reader, *this);
  reader.end();
  Random drawn = symmetry_drawn_;
  symmetry_ = Symmetry::random(n(), drawn);
  transpose(columns_.data(), n(), rows_.data());
  if (leg() == Leg::kExchange) loads_ = evaluator_->loads(rows_.data());
}

}  // namespace isoplane
