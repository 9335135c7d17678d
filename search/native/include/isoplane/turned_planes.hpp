// Linear planes of which a linear map makes each from the one before, so that links have the same loads in all of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

#include "isoplane/basis.hpp"
#include "isoplane/linear_loads.hpp"
#include "isoplane/linear_planes.hpp"
#include "isoplane/random.hpp"
#include "isoplane/score.hpp"

namespace isoplane {

// Vertex x has the place A^p x in plane p of k, where A^k = 1. A is B^-1 J B: J stays, and a move changes the basis B.
class TurnedLoads {
 public:
  using Words = LinearPlanes::Words;

  // From J and a basis. Throws std::invalid_argument unless J^k = 1, and planes are of one topology.
  TurnedLoads(std::shared_ptr<const LinearLoadTask> task, const Words& turn, const Words& basis);

  Score score() const { return task_->score(sum_, load_); }
  const Words& turn() const { return turn_; }
  Words basis() const { return {basis_.columns(), basis_.columns() + task_->n()}; }
  const Words& columns() const { return columns_; }  // of the matrices of planes 1, 2, ...
  double propose(Random& random);                    // returns the change of the energy
  void accept();

 private:
  void measure();  // the proposed planes

  std::shared_ptr<const LinearLoadTask> task_;
  LoadMeter meter_;
  Words turn_;
  Basis basis_, proposed_;
  Words columns_, proposed_columns_;
  std::vector<std::uint8_t> distances_;    // of each offset in each plane
  std::vector<const std::uint8_t*> hops_;  // in each plane
  std::vector<std::uint16_t> images_;
  std::int64_t sum_ = 0, load_ = 0, proposed_sum_ = 0, proposed_load_ = 0;
};

// Planes as walks use them: those at random are turned unless they are mixed, and any linear ones from the best planes.
class LinearLoads {
 public:
  static constexpr std::uint64_t kVersion = 0x604;  // unique among the kinds of searchers
  using Task = LinearLoadTask;
  using Words = LinearPlanes::Words;

  // Words are the columns of the matrices of planes 1, 2, ..., or zeros before those of J and of B if planes are
  // turned.
  LinearLoads(std::shared_ptr<const Task> task, const Words& words);
  static std::optional<Words> words_of(const Task& task, const Places& places);
  static std::size_t word_count(const Task& task);
  static Words random(const Task& task, Random& random);

  Score score() const;
  Words words() const;
  Places places() const;
  double propose(Random& random);
  void accept();
  void release();  // turned planes become any linear ones

 private:
  std::shared_ptr<const Task> task_;
  std::variant<FreeLoads, TurnedLoads> planes_;
};

}  // namespace isoplane
