// The fluid model: max-min fairness at every tick, bit for bit, and invariants of hybrid networks.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <numeric>
#include <random>
#include <stdexcept>
#include <vector>

#include "check.hpp"
#include "isoplane/fluid.hpp"
#include "isoplane/hybrid.hpp"
#include "isoplane/transfer_runs.hpp"

namespace {

using isoplane::Completion;
using isoplane::Fluid;
using isoplane::HybridModel;
using isoplane::HybridPlan;
using isoplane::Relay;
using isoplane::TransferRuns;
using isoplane::Transfers;

using Generator = std::mt19937_64;

std::uint32_t below(Generator& random, std::uint32_t bound) { return static_cast<std::uint32_t>(random() % bound); }

bool near(double a, double b) { return std::abs(a - b) <= 1e-9 * std::max(std::abs(a), std::abs(b)); }

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
  for (std::uint32_t i = 0; i < count; ++i) {
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

// Progressive filling over all transfers from scratch, round by round.
std::vector<Integer> fill_from_scratch(const Transfers& all, const std::vector<bool>& active) {
  std::vector<Integer> rate(all.size(), 0), free(all.capacity.begin(), all.capacity.end());
  std::vector<bool> open = active;
  for (;;) {
    std::vector<Integer> users(free.size(), 0), share(free.size(), 0);
    for (std::uint32_t i = 0; i < all.size(); ++i)
      for (std::uint32_t k = all.use_start[i]; open[i] && k < all.use_start[i + 1]; ++k) ++users[all.use[k]];
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
      rate[i] = least;
      for (auto resource = first; resource != last; ++resource) free[*resource] -= least;
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

void check_against_simulation(Fluid& fluid, const Transfers& all) {
  std::vector<double> arrival;
  const double last = fluid.completion(all, &arrival);
  const std::vector<double> expected = simulate(all);
  CHECK(arrival == expected);
  CHECK(last == *std::max_element(expected.begin(), expected.end()));
}

void transfers_end_as_in_a_simulation_from_scratch() {
  Generator random(1);
  Fluid fluid;
  for (int repeat = 0; repeat < 400; ++repeat) {
    const std::uint32_t resources = 1 + below(random, 6), count = 1 + below(random, 20);
    check_against_simulation(fluid, transfers_of(random, resources, count));
  }
  for (int repeat = 0; repeat < 10; ++repeat)  // more than one block of active transfers and of resources
    check_against_simulation(fluid, transfers_of(random, 20 + below(random, 60), 200));
}

HybridPlan plan_of(Generator& random) {
  HybridPlan plan;
  plan.groups = 2 + below(random, 3);
  plan.nodes_per_group = 1 + below(random, 4);
  plan.node_rate = 10;
  plan.up_rate = 20;
  plan.circuit_rate = 32;
  plan.inside_cost = 32;
  plan.circuit_cost = 5;
  plan.units = {10 * 0x1p46, 20 * 0x1p46, 32 * 0x1p46, 460 * 0x1p10, 1340 * 0x1p10, 80 * 0x1p10, 10, 56};
  plan.wait_start = {0};
  for (std::uint32_t i = 0; i < 10; ++i) {
    const std::uint32_t a = below(random, plan.nodes()), b = below(random, plan.nodes());
    plan.source.push_back(a);
    plan.destination.push_back(b);
    plan.bits.push_back(a == b ? 0 : 1 + below(random, 100000));
    plan.begin_delay.push_back(below(random, 3000));
    plan.wait_start.push_back(0);
  }
  return plan;
}

// The first run is within the range of all, a median is exact unless it exceeds its limit, and the last arrival is the
// median.
void check_runs(HybridModel& model, const Completion& completion) {
  CHECK(completion.min_ns <= model.run_ns(0) && model.run_ns(0) <= completion.max_ns);
  CHECK(completion.min_ns <= completion.median_ns && completion.median_ns <= completion.max_ns);
  CHECK(model.median_ns(completion.median_ns) == completion.median_ns);
  CHECK(model.median_ns(completion.median_ns - 1) >= completion.median_ns);
  const auto arrivals = model.arrivals_ns();
  CHECK(std::floor(*std::max_element(arrivals.begin(), arrivals.end()) + 0.5) ==
        static_cast<double>(completion.median_ns));
}

void nothing_is_faster_than_its_busiest_link() {
  Generator random(2);
  for (int repeat = 0; repeat < 200; ++repeat) {
    HybridPlan plan = plan_of(random);
    std::vector<std::uint32_t> node_of(plan.nodes());
    std::iota(node_of.begin(), node_of.end(), 0u);
    HybridModel::Circuits circuits;
    if (below(random, 2) == 0) circuits.emplace_back(0, plan.nodes_per_group);
    for (const Relay relay : {Relay::kMessages, Relay::kPackets}) {
      plan.relay = relay;
      HybridModel model(plan);
      const auto found = model.loads(circuits, node_of);
      const auto completion = model.completion();
      CHECK(static_cast<double>(completion.min_ns) >= std::floor(found.bottleneck_ns));
      CHECK(found.total_ns >= found.bottleneck_ns);
      CHECK(found.crowding_ns >= found.bottleneck_ns || near(found.crowding_ns, found.bottleneck_ns));
      check_runs(model, completion);
    }
  }
}

void models_reject_invalid_input() {
  Generator random(3);
  HybridPlan plan = plan_of(random);
  HybridModel model(plan);
  std::vector<std::uint32_t> node_of(plan.nodes());
  std::iota(node_of.begin(), node_of.end(), 0u);
  CHECK(check::throws<std::invalid_argument>([&] { model.loads({{0, plan.nodes()}}, node_of); }));
  node_of.pop_back();
  CHECK(check::throws<std::invalid_argument>([&] { model.loads({}, node_of); }));
  plan.units = {};
  HybridModel no_units(plan);
  CHECK(check::throws<std::invalid_argument>([&] { no_units.completion(); }));
  plan.begin_delay[9] = -1;
  CHECK(check::throws<std::invalid_argument>([&] { HybridModel rejected(plan); }));
  plan.begin_delay.pop_back();
  CHECK(check::throws<std::invalid_argument>([&] { HybridModel rejected(plan); }));
  plan.begin_delay.clear();
  HybridModel without_delays(plan);
  plan.source[0] = 0, plan.destination[0] = 1, plan.bits[0] = 0;
  CHECK(check::throws<std::invalid_argument>([&] { HybridModel rejected(plan); }));
}

// The ways of the tree as those of any packet network; with `split`, each of them is two ways that share its bits.
std::shared_ptr<const isoplane::PacketWays> ways_of_tree(const HybridPlan& plan, bool split) {
  isoplane::PacketWays all;
  const std::uint32_t nodes = plan.nodes();
  all.rate.assign(2 * nodes, plan.node_rate);
  all.rate.resize(plan.links(), plan.up_rate);
  all.capacity.assign(2 * nodes, plan.units.node_rate);
  all.capacity.resize(plan.links(), plan.units.up_rate);
  all.way_start = all.link_start = {0};
  for (std::uint32_t a = 0; a < nodes; ++a)
    for (std::uint32_t b = 0; b < nodes; ++b) {
      const std::uint32_t from = a / plan.nodes_per_group, to = b / plan.nodes_per_group;
      for (std::uint32_t way = 0; a != b && way < (split ? 2u : 1u); ++way) {
        all.share_end.push_back(way + 1);
        all.delay.push_back(from == to ? plan.units.inside_delay : plan.units.between_delay);
        all.link.push_back(a);
        if (from != to) all.link.insert(all.link.end(), {2 * nodes + from, 2 * nodes + plan.groups + to});
        all.link.push_back(nodes + b);
        all.link_start.push_back(static_cast<std::uint32_t>(all.link.size()));
      }
      all.way_start.push_back(static_cast<std::uint32_t>(all.share_end.size()));
    }
  return std::make_shared<const isoplane::PacketWays>(std::move(all));
}

void a_tree_given_by_its_ways_has_the_same_times() {
  Generator random(6);
  for (int repeat = 0; repeat < 100; ++repeat) {
    HybridPlan plan = plan_of(random);
    for (double& bits : plan.bits) bits *= 8;
    std::vector<std::uint32_t> node_of(plan.nodes());
    std::iota(node_of.begin(), node_of.end(), 0u);
    HybridModel::Circuits circuits;
    if (below(random, 2) == 0) circuits.emplace_back(0, plan.nodes_per_group);
    for (const Relay relay : {Relay::kMessages, Relay::kPackets}) {
      plan.relay = relay;
      plan.packet = nullptr;
      HybridModel tree(plan);
      plan.packet = ways_of_tree(plan, false);
      HybridModel given(plan);
      plan.packet = ways_of_tree(plan, true);
      HybridModel split(plan);
      const auto expected = tree.loads(circuits, node_of);
      for (HybridModel* model : {&given, &split}) {
        const auto found = model->loads(circuits, node_of);
        CHECK(near(found.bottleneck_ns, expected.bottleneck_ns) && near(found.total_ns, expected.total_ns));
        CHECK(found.hops == expected.hops && model->resource_bits() == tree.resource_bits());
        check_runs(*model, model->completion());
      }
      CHECK(given.completion().median_ns == tree.completion().median_ns);
    }
  }
}

void invalid_ways_are_rejected() {
  Generator random(7);
  HybridPlan plan = plan_of(random);
  for (double& bits : plan.bits) bits *= 8;
  const auto all = *ways_of_tree(plan, true);
  const auto rejected = [&](auto change) {
    isoplane::PacketWays wrong = all;
    change(wrong);
    HybridPlan with_wrong = plan;
    with_wrong.packet = std::make_shared<const isoplane::PacketWays>(std::move(wrong));
    return check::throws<std::invalid_argument>([&] { HybridModel model(with_wrong); });
  };
  using isoplane::PacketWays;
  CHECK(!rejected([](PacketWays&) {}));
  CHECK(rejected([](PacketWays& w) { w.way_start.pop_back(); }));
  CHECK(rejected([](PacketWays& w) { w.way_start[1] = 2; }));
  CHECK(rejected([](PacketWays& w) { w.share_end[1] = 1; }));
  CHECK(rejected([](PacketWays& w) { w.share_end[0] = 0; }));
  CHECK(rejected([](PacketWays& w) { w.delay[0] = -1; }));
  CHECK(rejected([](PacketWays& w) { w.link_start[1] = 0; }));
  CHECK(rejected([](PacketWays& w) { w.link[0] = static_cast<std::uint32_t>(w.rate.size()); }));
  CHECK(rejected([](PacketWays& w) { w.rate[0] = 0; }));
  CHECK(rejected([](PacketWays& w) { w.capacity.pop_back(); }));
  plan.bits[0] += 1;
  CHECK(rejected([](PacketWays&) {}));
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
    TransferRuns runs(all, message, begin_delay, 10);
    for (std::uint32_t run = 0; run < 3; ++run) {
      for (std::uint32_t i = 0; i < count; ++i)
        all.hold[i] = begin_delay[message[i]] + (run == 0 ? 0 : isoplane::hold_of(run, message[i]));
      std::vector<double> arrival;
      CHECK(runs.run_ns(run) == isoplane::nearest_ns(Fluid().completion(all, &arrival), 10));
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
  for (const std::vector<double>& delays : {std::vector<double>{0, 0, 0}, std::vector<double>{0, 0, -1, 0}})
    CHECK(check::throws<std::invalid_argument>([&] { TransferRuns runs(all, one_each, delays, 10); }));
}

}  // namespace

void test_fluid() {
  transfers_end_as_in_a_simulation_from_scratch();
  nothing_is_faster_than_its_busiest_link();
  models_reject_invalid_input();
  a_tree_given_by_its_ways_has_the_same_times();
  invalid_ways_are_rejected();
  a_chain_of_local_transfers_takes_the_sum_of_its_delays();
  transfers_of_a_message_begin_and_arrive_together();
  invalid_transfers_are_rejected();
}
