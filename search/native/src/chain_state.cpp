// A chain's state as words, and back.
#include <utility>

#include "isoplane/anneal.hpp"

namespace isoplane {
namespace {

// Another order or meaning of the words is another version; no other kind of searcher has it.
constexpr std::uint64_t kVersion = 2;

}  // namespace

// Written and read in one order by one function. Rows, loads, the inverse and the orbits follow from what is here.
template <class Record, class Self>
void Chain::transfer(Record& record, Self& chain) {
  record.put(chain.symmetry_drawn_);
  record.put(chain.symmetry_left_);
  record.put(chain.symmetric_best_);
  record.put(chain.symmetric_energy_);
  record.put(chain.columns_);
  record.put(chain.current_energy_);
  record.put(chain.leg_);
  record.put(chain.leg_length_);
  record.put(chain.leg_done_);
  record.put(chain.temperature_);
  record.put(chain.cooling_);
}

State Chain::state() const {
  StateWriter writer = begun(kVersion);
  writer.put(current_.generators());
  transfer(writer, *this);
  return std::move(writer).sealed();
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
  transfer(reader, *this);
  reader.end();
  Random drawn = symmetry_drawn_;
  symmetry_ = Symmetry::random(n(), drawn);
  transpose(columns_.data(), n(), rows_.data());
  if (leg() == Leg::kExchange) loads_ = evaluator_->loads(rows_.data());
}

}  // namespace isoplane
