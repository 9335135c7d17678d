// Links of several rates and switches of several delays, against sums and ratios that follow from them.
#include <algorithm>
#include <array>
#include <cstddef>
#include <stdexcept>

#include "cases.hpp"
#include "check.hpp"
#include "suites.hpp"

namespace {

using namespace cases;

constexpr std::array kFlows = {FlowControl::kStoreAndForward, FlowControl::kCutThrough, FlowControl::kWormhole};
constexpr Tick kFlits = 8;

Plan plan_for(PlanePlan plane, std::uint32_t nodes_per_switch) {
  Plan plan;
  plan.planes.push_back(uniform_attachment(std::move(plane), nodes_per_switch));
  plan.switch_delay = 6;
  plan.node_cable = 3;
  plan.buffer_flits = 200;
  plan.output_flits = 16;
  return plan;
}

// A ring with a node at each switch and random rates and delays.
Plan random_plan(Random& random, FlowControl flow) {
  Plan plan = plan_for(ring(6, false), 1);
  plan.flow_control = flow;
  PlanePlan& plane = plan.planes[0];
  for (std::size_t i = 0; i < 12; ++i) {
    plane.flit_ticks.push_back(1 + static_cast<std::int32_t>(random.below(9)));
    plane.cable[i] = static_cast<std::int32_t>(random.below(20));
  }
  for (std::size_t i = 0; i < 6; ++i) {
    plane.switch_delay.push_back(2 + static_cast<std::int32_t>(random.below(12)));
    plane.node_cable.push_back(static_cast<std::int32_t>(random.below(9)));
    plane.node_flit_ticks.push_back(1 + static_cast<std::int32_t>(random.below(9)));
  }
  return plan;
}

// Latency of an uncontended packet: all cables; in each switch its delay, or the flit time if that is longer; then the
// last flit follows the first at the distance set by the slowest link. A switch that stores receives the whole packet
// first, and its delay starts at the last flit.
Tick uncontended(const Plan& plan, std::uint32_t from, std::uint32_t hops) {
  const PlanePlan& plane = plan.planes[0];
  const std::uint32_t to = (from + hops) % 6;
  std::vector<Tick> cables = {plane.node_cable[from]}, intervals = {plane.node_flit_ticks[from]};
  std::vector<Tick> delays;
  for (std::uint32_t hop = 0; hop <= hops; ++hop) {
    const std::uint32_t at = (from + hop) % 6;
    delays.push_back(plane.switch_delay[at]);
    if (hop == hops) break;
    cables.push_back(plane.cable[std::size_t{2} * at]);
    intervals.push_back(plane.flit_ticks[std::size_t{2} * at]);
  }
  cables.push_back(plane.node_cable[to]);
  intervals.push_back(plane.node_flit_ticks[to]);
  Tick sum = 0;
  for (const Tick cable : cables) sum += cable;
  if (plan.flow_control == FlowControl::kStoreAndForward) {
    for (const Tick interval : intervals) sum += kFlits * interval;
    for (const Tick delay : delays) sum += delay - plan.flit_ticks;
    return sum;
  }
  for (std::size_t i = 0; i < delays.size(); ++i) sum += std::max(delays[i], intervals[i]);
  return sum + (kFlits - 1) * std::ranges::max(intervals) + intervals.back();
}

void test_zero_load_latency_with_any_rates_and_delays() {
  Random random(1, 0);
  for (const FlowControl flow : kFlows) {
    for (int draw = 0; draw < 40; ++draw) {
      const Plan plan = random_plan(random, flow);
      for (std::uint32_t from = 0; from < 6; ++from) {
        for (std::uint32_t hops = 1; hops < 6; ++hops) {
          Engine engine(plan, listed({{from, (from + hops) % 6, 2048}}), 1);
          engine.run(10000);
          CHECK(engine.ended() && !engine.audit());
          CHECK(engine.listed_arrived()[0] == uncontended(plan, from, hops));
        }
      }
    }
  }
}

// Heads of worms wait for routing once they are at the front of their queue; body flits only need to be received.
void test_the_routing_delay_is_at_most_the_switch_delay() {
  Plan plan = plan_for(ring(6, false), 1);
  plan.flow_control = FlowControl::kWormhole;
  plan.routing_delay = 4;
  plan.planes[0].switch_delay = {6, 2, 3, 6, 9, 6};
  Engine engine(plan, listed({{0, 4, 2048}}), 1);
  engine.run(10000);
  CHECK(engine.ended() && !engine.audit());
  CHECK(engine.listed_arrived()[0] == 3 + (6 + 2 + 3 + 6 + 9) + 3 + kFlits * 2);
}

// Two nodes, whose own links have a flit time of 2 ticks, send over a cable with one of 6 ticks: each gets a sixth of
// the rate of its link, and the cable is always busy.
void test_a_slow_link_is_shared_at_its_own_rate() {
  for (const FlowControl flow : kFlows) {
    Plan plan = plan_for(cube(1, 5), 2);
    plan.flow_control = flow;
    plan.planes[0].flit_ticks = {6, 6};
    TrafficPlan traffic;
    traffic.pattern = Pattern::kTable;
    traffic.table = {2, 3, kUnlisted, kUnlisted};
    traffic.chance = cases::chance(1, 16);  // each could fill a node link
    Engine engine(plan, traffic, 1);
    engine.run(20000);
    const auto received = engine.counters().received;
    const auto busy = engine.link_busy();
    const Tick window = 2 * 6 * kFlits * 200;
    engine.run(20000 + window);
    CHECK(!engine.audit());
    CHECK(engine.counters().received[2] - received[2] == 200);
    CHECK(engine.counters().received[3] - received[3] == 200);
    const auto links = engine.links();
    for (std::size_t i = 0; i < links.size(); ++i) {
      const std::uint64_t ticks = engine.link_busy()[i] - busy[i];
      if (links[i].from == 0 && links[i].to == 1) CHECK(ticks == static_cast<std::uint64_t>(window));
      if (links[i].to == 4 + 2) CHECK(ticks == 200 * kFlits * 2);
    }
  }
}

// A cable twice as fast as the node links carries the full rate of two of them.
void test_a_fast_link_carries_two_slow_ones() {
  for (const FlowControl flow : kFlows) {
    Plan plan = plan_for(cube(1, 5), 2);
    plan.flow_control = flow;
    plan.planes[0].flit_ticks = {1, 1};
    TrafficPlan traffic;
    traffic.pattern = Pattern::kTable;
    traffic.table = {2, 3, kUnlisted, kUnlisted};
    traffic.chance = cases::chance(1, 8);  // each could fill two node links
    Engine engine(plan, traffic, 1);
    engine.run(20000);
    const auto busy = engine.link_busy();
    const auto received = engine.counters().received;
    engine.run(20000 + 16 * 500);
    CHECK(engine.counters().received[2] - received[2] == 500);
    CHECK(engine.counters().received[3] - received[3] == 500);
    const auto links = engine.links();
    for (std::size_t i = 0; i < links.size(); ++i)
      if (links[i].from == 0 && links[i].to == 1) CHECK(engine.link_busy()[i] - busy[i] == 16 * 500);
  }
}

// Stated times equal to the defaults of the hardware change nothing.
void test_stated_default_times_change_nothing() {
  for (const bool with_node_starts : {false, true}) {
    for (const FlowControl flow : kFlows) {
      Plan plan = plan_for(cube(3, 5), 2), other = plan;
      plan.flow_control = other.flow_control = flow;
      PlanePlan& plane = other.planes[0];
      plane.flit_ticks.assign(24, 2);
      plane.node_flit_ticks.assign(16, 2);
      plane.switch_delay.assign(8, 6);
      plane.node_cable.assign(16, 3);
      if (with_node_starts) {
        plane.node_start.resize(17);
        for (std::uint32_t node = 0; node < 17; ++node) plane.node_start[node] = node;
      }
      TrafficPlan traffic;
      traffic.chance = cases::chance(1, 20);
      Engine one(plan, traffic, 7), two(other, traffic, 7);
      one.run(5000);
      two.run(5000);
      CHECK(one.counters().link_flits == two.counters().link_flits);
      CHECK(one.counters().all.network_sum == two.counters().all.network_sum);
      CHECK(one.counters().collisions_at == two.counters().collisions_at);
    }
  }
}

void test_inconsistent_times_are_rejected() {
  const auto rejected = [](auto&& change) {
    Plan plan = plan_for(cube(1, 5), 2);
    change(plan.planes[0]);
    return check::throws<std::invalid_argument>([&] { plan.check(); });
  };
  CHECK(!rejected([](PlanePlan& plane) { plane.flit_ticks = {1, 7}; }));
  CHECK(rejected([](PlanePlan& plane) { plane.flit_ticks = {1, 0}; }));
  CHECK(rejected([](PlanePlan& plane) { plane.flit_ticks = {1}; }));
  CHECK(rejected([](PlanePlan& plane) { plane.flit_ticks = {1, 1 << 20}; }));
  CHECK(rejected([](PlanePlan& plane) { plane.switch_delay = {1, 2}; }));
  CHECK(rejected([](PlanePlan& plane) { plane.node_cable = {1, 2, 3, -1}; }));
  CHECK(rejected([](PlanePlan& plane) { plane.node_flit_ticks = {1, 2, 3}; }));
}

}  // namespace

void test_rates() {
  test_zero_load_latency_with_any_rates_and_delays();
  test_the_routing_delay_is_at_most_the_switch_delay();
  test_a_slow_link_is_shared_at_its_own_rate();
  test_a_fast_link_carries_two_slow_ones();
  test_stated_default_times_change_nothing();
  test_inconsistent_times_are_rejected();
}
