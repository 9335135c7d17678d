// Conversion of the state of a chain to words and back.
#include <utility>

#include "isoplane/anneal.hpp"

namespace isoplane {
namespace {

// Increment when the order or meaning of the words changes; unique among the kinds of searchers.
constexpr std::uint64_t kVersion = 2;

}  // namespace

// One function for writing and reading, so that the order agrees. Rows, loads, the inverse and the orbits are derived.
template <class Archive, class Self>
void Chain::serialise(Archive& archive, Self& chain) {
  archive.put(chain.symmetry_drawn_);
  archive.put(chain.symmetry_left_);
  archive.put(chain.symmetric_best_);
  archive.put(chain.symmetric_energy_);
  archive.put(chain.columns_);
  archive.put(chain.current_energy_);
  archive.put(chain.cycle_);
  archive.put(chain.cycle_length_);
  archive.put(chain.cycle_done_);
  archive.put(chain.temperature_);
  archive.put(chain.cooling_);
}

State Chain::state() const {
  StateWriter writer = begin_state(kVersion);
  writer.put(current_.generators());
  serialise(writer, *this);
  return std::move(writer).finish();
}

Chain::Chain(std::shared_ptr<const Evaluator> evaluator, std::unique_ptr<Goal> goal, Schedule schedule,
             StateReader&& reader)
    : Searcher(std::move(evaluator), std::move(goal), kVersion, reader),
      schedule_(schedule),
      current_(n()),
      symmetry_drawn_(random_) {
  Columns generators{};
  reader.put(generators);
  current_ = Basis(n(), generators.data());
  serialise(reader, *this);
  reader.end();
  Random drawn = symmetry_drawn_;
  symmetry_ = Symmetry::random(n(), drawn);
  transpose(columns_.data(), n(), rows_.data());
  if (cycle() == Cycle::kExchange) loads_ = evaluator_->loads(rows_.data());
}

}  // namespace isoplane
