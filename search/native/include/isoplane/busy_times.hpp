// Busy times of the links and circuits of a hybrid network, updated incrementally.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "isoplane/hybrid.hpp"
#include "isoplane/one_port_loads.hpp"

namespace isoplane {

// Uses the routes of HybridModel; if nodes have one port, only the affected messages are rerouted.
class BusyTimes {
 public:
  using Circuits = HybridModel::Circuits;

  BusyTimes(const HybridPlan& plan, std::uint32_t ports);  // the plan must outlive it

  void set(const Circuits& circuits);
  // `changes` are the new partners of all nodes whose circuits differ from the last ones.
  void change(const Circuits& circuits, const OnePortLoads::Changes& changes);
  void undo();  // the last change, once

  // In ns; links of nodes come first: out, then in.
  const std::vector<double>& times() const { return times_; }

 private:
  void read();
  void read_all(const Circuits& circuits);

  std::uint32_t nodes_;
  std::optional<OnePortLoads> one_port_;
  std::optional<HybridModel> model_;  // with several ports
  std::vector<std::uint32_t> own_nodes_;
  std::vector<double> rate_, times_, before_;
};

}  // namespace isoplane
