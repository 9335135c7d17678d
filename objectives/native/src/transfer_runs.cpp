#include "isoplane/transfer_runs.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace isoplane {
namespace {

void require(bool holds, const char* what) {
  if (!holds) throw std::invalid_argument(what);
}

// Checks lists of lists: ascending offsets of the inner lists, and entries below a limit.
void require_lists(const std::vector<std::uint32_t>& starts, const std::vector<std::uint32_t>& entries,
                   std::size_t lists, std::size_t limit, const char* what) {
  require(starts.size() == lists + 1 && starts.front() == 0 && starts.back() == entries.size(), what);
  require(std::is_sorted(starts.begin(), starts.end()), what);
  require(std::all_of(entries.begin(), entries.end(), [&](std::uint32_t entry) { return entry < limit; }), what);
}

// Checks that no share rounds to 0, whichever of the transfers are active.
void require_weights(const Transfers& transfers) {
  if (transfers.weight.empty()) return;
  require(transfers.weight.size() == transfers.size(), "lists of different lengths");
  std::vector<std::uint64_t> sums(transfers.capacity.size(), 0);
  for (std::size_t i = 0; i < transfers.size(); ++i) {
    require(transfers.weight[i] >= 1, "a transfer without weight");
    for (std::uint32_t k = transfers.use_start[i]; k < transfers.use_start[i + 1]; ++k)
      sums[transfers.use[k]] += transfers.weight[i];
  }
  for (std::size_t r = 0; r < sums.size(); ++r)
    require(sums[r] < (std::uint64_t{1} << 32) && static_cast<double>(sums[r]) <= transfers.capacity[r],
            "weights out of range");
}

}  // namespace

// The top bits of SplitMix64 (Steele, Lea and Flood, 2014) for a state composed of the run and the message.
double hold_of(std::uint32_t run, std::uint32_t message) {
  static_assert(Completion::kMaxHold == 15);
  std::uint64_t z = (std::uint64_t{run} << 32 | message) + 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return static_cast<double>((z ^ (z >> 31)) >> 60);
}

std::int64_t nearest_ns(double ticks, std::uint32_t ticks_log2) {
  return (static_cast<std::int64_t>(ticks) + (std::int64_t{1} << ticks_log2) / 2) >> ticks_log2;
}

TransferRuns::TransferRuns(Transfers transfers, std::vector<std::uint32_t> message, std::vector<double> begin_delay,
                           std::uint32_t ticks_log2, std::vector<double> lead, std::vector<std::uint32_t> jitter)
    : transfers_(std::move(transfers)),
      message_(std::move(message)),
      begin_delay_(std::move(begin_delay)),
      ticks_log2_(ticks_log2),
      lead_(std::move(lead)),
      jitter_(std::move(jitter)) {
  const std::size_t count = transfers_.size();
  require(count > 0 && message_.size() == count && message_.front() == 0, "transfers without a message");
  for (std::size_t i = 1; i < count; ++i) require(message_[i] - message_[i - 1] <= 1, "messages out of order");
  require(transfers_.delay.size() == count && (lead_.empty() || lead_.size() == count), "lists of different lengths");
  for (const double ticks : lead_) require(ticks >= 0 && ticks < 0x1p52, "a delay out of range");
  require(begin_delay_.size() == message_.back() + std::size_t{1}, "delays of other messages");
  require(jitter_.empty() || jitter_.size() == begin_delay_.size(), "jitter of other messages");
  for (const double delay : begin_delay_) require(delay >= 0 && delay < 0x1p52, "a delay out of range");
  require_lists(transfers_.use_start, transfers_.use, count, transfers_.capacity.size(), "links out of range");
  require_lists(transfers_.next_start, transfers_.next, count, count, "dependent transfers out of range");
  transfers_.waits.assign(count, 0);
  for (const std::uint32_t next : transfers_.next) ++transfers_.waits[next];
  for (const double rate : transfers_.capacity) require(rate >= 0x1p31 && rate < 0x1p52, "a rate out of range");
  for (std::size_t i = 0; i < count; ++i) {
    const bool linked = transfers_.use_start[i] < transfers_.use_start[i + 1];
    require(linked == (transfers_.bits[i] >= 1) && transfers_.delay[i] >= 0, "a transfer out of range");
  }
  require_weights(transfers_);
}

double TransferRuns::ticks_of(std::uint32_t run, std::vector<double>* arrival_ticks) {
  transfers_.hold.resize(transfers_.size());
  for (std::size_t i = 0; i < message_.size(); ++i) {
    const std::uint32_t number = jitter_.empty() ? message_[i] : jitter_[message_[i]];
    transfers_.hold[i] = begin_delay_[message_[i]] + (run > 0 ? hold_of(run, number) : 0);
  }
  for (std::size_t i = 0; i < lead_.size(); ++i) transfers_.hold[i] += lead_[i];
  if (!transfers_.weight.empty()) return weighted_.completion(transfers_, arrival_ticks);
  return fluid_.completion(transfers_, arrival_ticks);
}

std::vector<double> TransferRuns::arrivals_ns(std::uint32_t run) {
  std::vector<double> arrival_ticks, arrivals(message_.back() + std::size_t{1}, 0);
  ticks_of(run, &arrival_ticks);
  for (std::size_t i = 0; i < arrival_ticks.size(); ++i)
    arrivals[message_[i]] =
        std::max(arrivals[message_[i]], std::ldexp(arrival_ticks[i], -static_cast<int>(ticks_log2_)));
  return arrivals;
}

std::vector<double> TransferRuns::arrival_ticks(std::uint32_t run) {
  std::vector<double> arrivals;
  ticks_of(run, &arrivals);
  return arrivals;
}

}  // namespace isoplane
