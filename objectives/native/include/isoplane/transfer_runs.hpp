// Repeated runs of the fluid model with jittered starts, whose spread measures the uncertainty of the completion time.
#pragma once

#include <cstdint>
#include <vector>

#include "isoplane/fluid.hpp"

namespace isoplane {

// Completion times of a workload in the fluid model, over several runs. Run 0 begins each message as soon as possible;
// in all others each is delayed by up to kMaxHold ticks, drawn per run and message.
struct Completion {
  static constexpr std::uint32_t kRuns = 9, kMaxHold = 15;
  std::int64_t min_ns = 0, median_ns = 0, max_ns = 0;  // to the nearest ns
};

// Start delay of a message in a run, in ticks.
double hold_of(std::uint32_t run, std::uint32_t message);

// A time in ticks of 2^-ticks_log2 ns, rounded to the nearest ns, with halves rounded up.
std::int64_t nearest_ns(double ticks, std::uint32_t ticks_log2);

// Messages divided into transfers that begin together, such as one per way.
class TransferRuns {
 public:
  // `message`: the message of each transfer, ascending, each at least once; `begin_delay`: by message, from the arrival
  // of the last that it waits for to its beginning, in ticks; `lead`: by transfer, from there to its first bit, or
  // empty if that takes no time; `jitter`: by message, the number for which its jitter is drawn, or empty for its own.
  // Overwrites the waits and, in every run, the holds.
  TransferRuns(Transfers transfers, std::vector<std::uint32_t> message, std::vector<double> begin_delay,
               std::uint32_t ticks_log2, std::vector<double> lead = {}, std::vector<std::uint32_t> jitter = {});

  std::int64_t run_ns(std::uint32_t run) { return nearest_ns(ticks_of(run, nullptr), ticks_log2_); }
  // Arrival time of the last transfer of each message in a run, in ns.
  std::vector<double> arrivals_ns(std::uint32_t run);
  // Arrival of each transfer in a run, in ticks.
  std::vector<double> arrival_ticks(std::uint32_t run);

 private:
  double ticks_of(std::uint32_t run, std::vector<double>* arrival_ticks);

  Transfers transfers_;
  std::vector<std::uint32_t> message_;
  std::vector<double> begin_delay_;
  std::uint32_t ticks_log2_;
  std::vector<double> lead_;
  std::vector<std::uint32_t> jitter_;
  Fluid fluid_;
  WeightedFluid weighted_;
};

}  // namespace isoplane
