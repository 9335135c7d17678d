#include "isoplane/busy_times.hpp"

#include <numeric>

namespace isoplane {

BusyTimes::BusyTimes(const HybridPlan& plan, std::uint32_t ports) : nodes_(plan.nodes()) {
  if (ports > 1) {
    model_.emplace(plan);
    own_nodes_.resize(nodes_);
    std::iota(own_nodes_.begin(), own_nodes_.end(), 0u);
    return;
  }
  one_port_.emplace(plan);
  rate_.resize(one_port_->resources());
  for (std::size_t r = 0; r < rate_.size(); ++r) rate_[r] = one_port_->rate(r);
  times_.resize(rate_.size());
}

void BusyTimes::set(const Circuits& circuits) {
  if (model_) return read_all(circuits);
  OnePortLoads::Partners partner(nodes_, OnePortLoads::kNone);
  for (const auto& [a, b] : circuits) {
    partner[a] = b;
    partner[b] = a;
  }
  one_port_->set(partner);
  read();
}

void BusyTimes::change(const Circuits& circuits, const OnePortLoads::Changes& changes) {
  before_ = times_;
  if (model_) return read_all(circuits);
  one_port_->change(changes);
  read();
}

void BusyTimes::undo() {
  if (one_port_) one_port_->undo();
  times_.swap(before_);
}

void BusyTimes::read() {
  const auto& bits = one_port_->bits();
  for (std::size_t r = 0; r < bits.size(); ++r) times_[r] = bits[r] / rate_[r];
}

void BusyTimes::read_all(const Circuits& circuits) {
  model_->loads(circuits, own_nodes_);
  times_ = model_->resource_bits();
  for (std::size_t r = 0; r < times_.size(); ++r) times_[r] /= model_->capacity()[r];
}

}  // namespace isoplane
