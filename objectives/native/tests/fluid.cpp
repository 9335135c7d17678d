// The fluid model: max-min fairness at every tick, bit for bit.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <utility>
#include <vector>

#include "check.hpp"
#include "isoplane/fluid.hpp"
#include "isoplane/transfer_runs.hpp"

namespace {

using isoplane::Fluid;
using isoplane::TransferRuns;
using isoplane::Transfers;
using isoplane::WeightedFluid;

using check::below;
using check::Generator;

// Few sizes and rates, so that many events coincide and many shares are equal; or so many that almost none do.
Transfers transfers_of(Generator& random, std::uint32_t resources, std::uint32_t count) {
  Transfers all;
  const bool few = below(random, 2) == 0;
  const auto drawn = [&](std::uint32_t limit) { return 1 + below(random, few ? 3 : limit); };
  all.volume_log2 = 40 + below(random, 20);
  for (std::uint32_t r = 0; r < resources; ++r)
    all.capacity.push_back((few ? 0x1p45 : 0x1p31) * drawn(1 << 20) + below(random, 2));
  all.use_start.push_back(0);
  std::vector<std::vector<std::uint32_t>> next(count);
  const bool weighted = below(random, 2) == 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (weighted) all.weight.push_back(drawn(1 << 20));
    const bool linked = below(random, 6) != 0;
    all.bits.push_back(linked ? drawn(1 << 20) : 0);
    all.delay.push_back(below(random, 50));
    all.hold.push_back(below(random, 4) == 0 ? below(random, 16) : 0);
    std::vector<std::uint32_t> shuffled(resources);
    std::iota(shuffled.begin(), shuffled.end(), 0u);
    std::shuffle(shuffled.begin(), shuffled.end(), random);
    shuffled.resize(linked ? 1 + below(random, std::min(resources, 6u)) : 0);
    all.use.insert(all.use.end(), shuffled.begin(), shuffled.end());
    all.use_start.push_back(static_cast<std::uint32_t>(all.use.size()));
    all.waits.push_back(0);
    for (std::uint32_t before = 0; before < i; ++before) {
      if (below(random, std::max(8u, count / 2)) != 0) continue;
      next[before].push_back(i);
      ++all.waits[i];
    }
  }
  all.next_start.push_back(0);
  for (const auto& own : next) {
    all.next.insert(all.next.end(), own.begin(), own.end());
    all.next_start.push_back(static_cast<std::uint32_t>(all.next.size()));
  }
  return all;
}

using Integer = __int128;

// Rates by progressive filling over all transfers from scratch, round by round.
std::vector<Integer> fill_from_scratch(const Transfers& all, const std::vector<bool>& active) {
  std::vector<Integer> rate(all.size(), 0), free(all.capacity.begin(), all.capacity.end());
  const auto weight = [&](std::uint32_t i) { return Integer{all.weight.empty() ? 1 : all.weight[i]}; };
  std::vector<bool> open = active;
  for (;;) {
    std::vector<Integer> users(free.size(), 0), share(free.size(), 0);
    for (std::uint32_t i = 0; i < all.size(); ++i)
      for (std::uint32_t k = all.use_start[i]; open[i] && k < all.use_start[i + 1]; ++k) users[all.use[k]] += weight(i);
    Integer least = -1;
    for (std::size_t r = 0; r < free.size(); ++r) {
      if (users[r] == 0) continue;
      share[r] = free[r] / users[r];
      if (least < 0 || share[r] < least) least = share[r];
    }
    if (least < 0) return rate;
    for (std::uint32_t i = 0; i < all.size(); ++i) {
      const auto first = all.use.begin() + all.use_start[i], last = all.use.begin() + all.use_start[i + 1];
      if (!open[i] || std::none_of(first, last, [&](std::uint32_t r) { return share[r] == least; })) continue;
      open[i] = false;
      rate[i] = least * weight(i);
      for (auto resource = first; resource != last; ++resource) free[*resource] -= rate[i];
    }
  }
}

// Event by event, keeping the remaining volume of every transfer.
std::vector<double> simulate(const Transfers& all) {
  constexpr Integer kNever = -1;
  const std::size_t count = all.size();
  std::vector<Integer> left, start(count, kNever), arrival(count, kNever);
  std::vector<std::uint32_t> waits = all.waits;
  std::vector<bool> active(count, false), announced(count, false);
  for (const double bits : all.bits) left.push_back(static_cast<Integer>(bits) << all.volume_log2);
  for (std::size_t i = 0; i < count; ++i)
    if (waits[i] == 0) start[i] = static_cast<Integer>(all.hold[i]);
  for (Integer now = 0;;) {
    for (bool more = true; more;) {  // all events of this tick, with their immediate consequences
      more = false;
      for (std::size_t i = 0; i < count; ++i) {
        if (start[i] == now && left[i] > 0) active[i] = true;
        if (start[i] == now && all.bits[i] == 0 && arrival[i] == kNever)
          arrival[i] = now + static_cast<Integer>(all.delay[i]);
        if (announced[i] || arrival[i] != now) continue;
        announced[i] = more = true;
        for (std::uint32_t k = all.next_start[i]; k < all.next_start[i + 1]; ++k)
          if (--waits[all.next[k]] == 0) start[all.next[k]] = now + static_cast<Integer>(all.hold[all.next[k]]);
      }
    }
    const std::vector<Integer> rate = fill_from_scratch(all, active);
    Integer next = kNever;
    const auto consider = [&](Integer tick) { next = tick > now && (next == kNever || tick < next) ? tick : next; };
    for (std::size_t i = 0; i < count; ++i) {
      if (active[i]) consider(now + (left[i] + rate[i] - 1) / rate[i]);
      consider(start[i]);
      consider(arrival[i]);
    }
    if (next == kNever) break;
    for (std::size_t i = 0; i < count; ++i) {
      if (!active[i]) continue;
      left[i] -= rate[i] * (next - now);
      if (left[i] > 0) continue;
      active[i] = false;
      arrival[i] = next + static_cast<Integer>(all.delay[i]);
    }
    now = next;
  }
  return {arrival.begin(), arrival.end()};
}

double completion(const Transfers& all, std::vector<double>* arrival) {
  static Fluid fluid;  // used again, as by all runs of a workload
  static WeightedFluid weighted;
  return all.weight.empty() ? fluid.completion(all, arrival) : weighted.completion(all, arrival);
}

void check_against_simulation(const Transfers& all) {
  std::vector<double> arrival;
  const double last = completion(all, &arrival);
  const std::vector<double> expected = simulate(all);
  CHECK(arrival == expected);
  CHECK(last == *std::max_element(expected.begin(), expected.end()));
}

void transfers_end_as_in_a_simulation_from_scratch() {
  Generator random(1);
  for (int repeat = 0; repeat < 400; ++repeat) {
    const std::uint32_t resources = 1 + below(random, 6), count = 1 + below(random, 20);
    check_against_simulation(transfers_of(random, resources, count));
  }
  for (int repeat = 0; repeat < 10; ++repeat)  // more than one block of active transfers and of resources
    check_against_simulation(transfers_of(random, 20 + below(random, 60), 200));
  for (int repeat = 0; repeat < 20; ++repeat)  // many users of a resource, and few once most have ended
    check_against_simulation(transfers_of(random, 2 + below(random, 8), 80));
}

// Two transfers of weights a and b share a resource as a : b until the heavier one, of as many bits, has ended.
void weights_divide_a_resource() {
  for (const auto& [a, b] : {std::pair{1u, 3u}, {5u, 6u}, {7u, 65536u}, {1u, (1u << 31) - 1}}) {
    Transfers both;
    const double unit = std::ceil(0x1p31 / (a + b)), volume = 0x1p40;  // in the last case a share is one unit of rate
    both.capacity = {unit * (a + b)};
    both.weight = {a, b};
    both.volume_log2 = 40;
    both.bits = {1, 1};
    both.delay = both.hold = {0, 0};
    both.use_start = {0, 1, 2};
    both.use = both.waits = {0, 0};
    both.next_start = {0, 0, 0};
    std::vector<double> arrival;
    completion(both, &arrival);
    const double heavier = std::ceil(volume / (unit * b));
    CHECK(arrival[1] == heavier);
    CHECK(arrival[0] == heavier + std::ceil((volume - heavier * unit * a) / both.capacity[0]));
  }
}

// A hundred thousand transfers without links follow each other within a tick, without recursion.
void a_chain_of_local_transfers_takes_the_sum_of_its_delays() {
  constexpr std::uint32_t kCount = 100000;
  Transfers chain;
  chain.capacity = {0x1p40};
  chain.bits.assign(kCount, 0);
  chain.delay.assign(kCount, 0);
  chain.hold.assign(kCount, 0);
  chain.use_start.assign(kCount + 1, 0);
  chain.waits.assign(kCount, 1);
  chain.waits[0] = 0;
  chain.hold[7] = 3;
  chain.delay[kCount - 1] = 5;
  for (std::uint32_t i = 0; i <= kCount; ++i) chain.next_start.push_back(std::min(i, kCount - 1));
  for (std::uint32_t i = 1; i < kCount; ++i) chain.next.push_back(i);
  std::vector<double> arrival;
  CHECK(Fluid().completion(chain, &arrival) == 8);
  CHECK(arrival[6] == 0 && arrival[7] == 3 && arrival[kCount - 2] == 3);
}

// Messages of one or more transfers: those of a message begin together, and the message arrives with the last of them.
void transfers_of_a_message_begin_and_arrive_together() {
  Generator random(4);
  for (int trial = 0; trial < 50; ++trial) {
    Transfers all = transfers_of(random, 1 + below(random, 6), 1 + below(random, 20));
    const auto count = static_cast<std::uint32_t>(all.size());
    std::vector<std::uint32_t> message(count, 0);
    for (std::uint32_t i = 1; i < count; ++i) message[i] = message[i - 1] + below(random, 2);
    std::vector<double> begin_delay;
    for (std::uint32_t m = 0; m <= message.back(); ++m) begin_delay.push_back(below(random, 100));
    std::vector<double> lead(trial % 2 == 0 ? 0 : count, 7);
    TransferRuns runs(all, message, begin_delay, 10, lead);
    for (std::uint32_t run = 0; run < 3; ++run) {
      for (std::uint32_t i = 0; i < count; ++i)
        all.hold[i] =
            begin_delay[message[i]] + (run == 0 ? 0 : isoplane::hold_of(run, message[i])) + (lead.empty() ? 0 : 7);
      std::vector<double> arrival;
      CHECK(runs.run_ns(run) == isoplane::nearest_ns(completion(all, &arrival), 10));
      const std::vector<double> arrivals = runs.arrivals_ns(run);
      CHECK(arrivals.size() == message.back() + std::size_t{1});
      for (std::uint32_t m = 0; m < arrivals.size(); ++m) {
        double last = 0;
        for (std::uint32_t i = 0; i < count; ++i)
          if (message[i] == m) last = std::max(last, arrival[i]);
        CHECK(arrivals[m] == last / 1024);
      }
    }
  }
}

void invalid_transfers_are_rejected() {
  Generator random(5);
  Transfers all = transfers_of(random, 3, 4);
  while (std::count(all.bits.begin(), all.bits.end(), 0) > 0) all = transfers_of(random, 3, 4);
  const auto rejected = [&](auto change, std::vector<std::uint32_t> message) {
    Transfers wrong = all;
    change(wrong);
    const std::vector<double> begin_delay(message.back() + std::size_t{1}, 0);
    return check::throws<std::invalid_argument>([&] { TransferRuns runs(wrong, message, begin_delay, 10); });
  };
  const std::vector<std::uint32_t> one_each{0, 1, 2, 3};
  CHECK(!rejected([](Transfers&) {}, one_each));
  CHECK(rejected([](Transfers&) {}, {0, 1, 2}));
  CHECK(rejected([](Transfers&) {}, {0, 2, 3, 4}));
  CHECK(rejected([](Transfers&) {}, {1, 1, 2, 3}));
  CHECK(rejected([](Transfers& t) { t.use[0] = 3; }, one_each));
  CHECK(rejected([](Transfers& t) { t.capacity[1] = 1; }, one_each));
  CHECK(rejected([](Transfers& t) { t.bits[2] = 0; }, one_each));
  CHECK(rejected([](Transfers& t) { t.delay.pop_back(); }, one_each));
  CHECK(rejected([](Transfers& t) { t.use_start[1] = 0; }, one_each));
  CHECK(rejected([](Transfers& t) { t.next_start.back() += 1; }, one_each));
  CHECK(!rejected([](Transfers& t) { t.weight = {1, 2, 3, 4}; }, one_each));
  CHECK(rejected([](Transfers& t) { t.weight = {1, 2, 3}; }, one_each));
  CHECK(rejected([](Transfers& t) { t.weight = {1, 0, 3, 4}; }, one_each));
  CHECK(rejected([](Transfers& t) { t.weight.assign(4, 0xffffffffu); }, one_each));
  for (const std::vector<double>& delays : {std::vector<double>{0, 0, 0}, std::vector<double>{0, 0, -1, 0}})
    CHECK(check::throws<std::invalid_argument>([&] { TransferRuns runs(all, one_each, delays, 10); }));
}

}  // namespace

void test_fluid() {
  transfers_end_as_in_a_simulation_from_scratch();
  weights_divide_a_resource();
  a_chain_of_local_transfers_takes_the_sum_of_its_delays();
  transfers_of_a_message_begin_and_arrive_together();
  invalid_transfers_are_rejected();
}
