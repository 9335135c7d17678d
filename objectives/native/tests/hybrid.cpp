// The fluid model of hybrid networks: invariants, and packet networks given by their ways.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <utility>
#include <vector>

#include "check.hpp"
#include "isoplane/hybrid.hpp"

namespace {

using isoplane::Completion;
using isoplane::HybridModel;
using isoplane::HybridPlan;
using isoplane::Relay;

using check::below;
using check::Generator;

bool near(double a, double b) { return std::abs(a - b) <= 1e-9 * std::max(std::abs(a), std::abs(b)); }

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

}  // namespace

void test_hybrid() {
  nothing_is_faster_than_its_busiest_link();
  models_reject_invalid_input();
  a_tree_given_by_its_ways_has_the_same_times();
  invalid_ways_are_rejected();
}
