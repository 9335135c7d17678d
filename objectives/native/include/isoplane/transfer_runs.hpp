// Transfers of messages, run several times: how certain a completion by the fluid model is.
#pragma once

#include <cstdint>
#include <vector>

#include "isoplane/fluid.hpp"

namespace isoplane {

// How long a workload takes by the fluid model, over several runs. Run 0 begins each message as soon as it may; in all
// others each waits for up to kMostHold ticks more, drawn for the run and the message.
struct Completion {
  static constexpr std::uint32_t kRuns = 9, kMostHold = 15;
  std::int64_t least_ns = 0, median_ns = 0, most_ns = 0;  // to the nearest ns
};

// By how many ticks a message begins later in a run.
double hold_of(std::uint32_t run, std::uint32_t message);

// A moment that is ticks_log2 below a ns, to the nearest ns; halves upwards.
std::int64_t nearest_ns(double ticks, std::uint32_t ticks_log2);

// Messages as transfers that begin together and are parts of them, such as one for each of several ways.
class TransferRuns {
 public:
  // `message`: that of every transfer, ascending, each at least once. Holds and waits are set here.
  TransferRuns(Transfers transfers, std::vector<std::uint32_t> message, std::uint32_t ticks_log2);

  std::int64_t run_ns(std::uint32_t run) { return nearest_ns(ticks_of(run, nullptr), ticks_log2_); }
  // When the last transfer of each message is over in a run, in ns.
  std::vector<double> arrivals_ns(std::uint32_t run);

 private:
  double ticks_of(std::uint32_t run, std::vector<double>* over);

  Transfers transfers_;
  std::vector<std::uint32_t> message_;
  std::uint32_t ticks_log2_;
  Fluid fluid_;
};

}  // namespace isoplane
