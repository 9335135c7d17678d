// Packets that wait for each other in a ring.
#include <set>
#include <stdexcept>

#include "cases.hpp"
#include "check.hpp"
#include "suites.hpp"

namespace {

using namespace cases;

// Every node of a ring sends to the previous one, all at once: with one channel per link each packet holds a channel
// that another one needs.
Plan jammed_ring(bool datelines, FlowControl flow, std::int64_t buffer) {
  Plan plan;
  plan.planes.push_back(ring(6, datelines));
  plan.direct = true;
  plan.flit_ticks = 1;
  plan.switch_delay = 3;
  plan.channels = datelines ? 2 : 1;
  plan.buffer_flits = buffer;
  plan.output_flits = 1;
  plan.flow_control = flow;
  plan.deadlock_interval = 64;
  return plan;
}

TrafficPlan all_to_previous(std::uint64_t packets) {
  std::vector<Listed> messages;
  for (std::uint32_t node = 0; node < 6; ++node) messages.push_back({node, (node + 5) % 6, packets * 2048});
  return listed(messages);
}

void test_a_deadlock_is_detected_as_a_cycle() {
  for (const FlowControl flow : {FlowControl::kStoreAndForward, FlowControl::kCutThrough, FlowControl::kWormhole}) {
    Engine engine(jammed_ring(false, flow, flow == FlowControl::kWormhole ? 2 : 8), all_to_previous(20), 1);
    engine.run(100000);
    std::set<std::uint32_t> switches;
    for (const WaitingChannel& waiting : engine.deadlock()) {
      CHECK(waiting.port == 0 && waiting.channel == 0);
      switches.insert(waiting.element);
    }
    CHECK(switches.size() == 6);  // the whole ring
    CHECK(engine.now() < 2000);
    CHECK(!engine.audit());
  }
}

void test_datelines_keep_a_ring_free_of_deadlock() {
  for (const FlowControl flow : {FlowControl::kStoreAndForward, FlowControl::kCutThrough, FlowControl::kWormhole}) {
    Engine engine(jammed_ring(true, flow, flow == FlowControl::kWormhole ? 2 : 8), all_to_previous(20), 1);
    engine.run(1000000);
    CHECK(engine.ended());
    CHECK(engine.deadlock().empty());
    CHECK(engine.counters().all.messages == 6);
  }
}

// Five links rise, in dimension 0, and the last one falls back to the first switch, in dimension 1. A packet that
// passes it enters the second class where it rises again.
void test_classes_by_turn_keep_a_ring_free_of_deadlock() {
  for (const FlowControl flow : {FlowControl::kStoreAndForward, FlowControl::kCutThrough, FlowControl::kWormhole}) {
    Plan plan = jammed_ring(false, flow, flow == FlowControl::kWormhole ? 2 : 8);
    plan.channels = 2;
    RoutePlan& routes = plan.planes.front().routes;
    routes.dimension.assign(12, 0);
    routes.dimension[10] = 1;
    routes.dateline.assign(12, 0);
    routes.channel_classes = 2;
    routes.ordered_dimensions = true;
    Engine engine(plan, all_to_previous(20), 1);
    engine.run(1000000);
    CHECK(engine.ended());
    CHECK(engine.deadlock().empty());
    CHECK(engine.counters().all.messages == 6);
  }
}

// The longest route takes five hops, and each uses the one channel of its class.
void test_classes_by_hop_keep_a_ring_free_of_deadlock() {
  for (const FlowControl flow : {FlowControl::kStoreAndForward, FlowControl::kCutThrough, FlowControl::kWormhole}) {
    Plan plan = jammed_ring(false, flow, flow == FlowControl::kWormhole ? 2 : 8);
    plan.channels = 5;
    RoutePlan& routes = plan.planes.front().routes;
    routes.dimension.assign(12, 0);
    routes.dateline.assign(12, 1);
    routes.channel_classes = 5;
    routes.start_class = -1;
    Engine engine(plan, all_to_previous(20), 1);
    engine.run(1000000);
    CHECK(engine.ended());
    CHECK(engine.deadlock().empty());
    CHECK(engine.counters().all.messages == 6);
    // Without a dateline at one switch a packet would use a class below the first.
    plan.planes.front().routes.dateline[3] = 0;
    CHECK(check::throws<std::invalid_argument>([&] { plan.check(); }));
  }
}

// Dropping some packets lets the others through, and all are accounted for.
void test_dropping_resolves_every_deadlock() {
  for (const FlowControl flow : {FlowControl::kStoreAndForward, FlowControl::kCutThrough, FlowControl::kWormhole}) {
    for (const std::int64_t buffer : {1, 2, 3, 5, 8, 9, 13}) {
      if (flow != FlowControl::kWormhole && buffer < 8) continue;
      Plan plan = jammed_ring(false, flow, buffer);
      plan.drop_deadlocked = true;
      Engine engine(plan, all_to_previous(20), 1);
      for (Tick until = 50; !engine.ended() && until < 100000; until += 50) {
        engine.run(until);
        const auto problem = engine.audit();
        CHECK(!problem);
      }
      const Counters& counters = engine.counters();
      CHECK(engine.ended());
      CHECK(counters.packets_dropped > 0);
      CHECK(counters.all.packets + counters.packets_dropped == 120);
      CHECK(counters.all.messages + counters.messages_dropped == 6);
    }
  }
}

// Waiting is not a deadlock: all wait for a hot node, and all arrive.
void test_moving_congestion_is_not_a_deadlock() {
  Plan plan;
  plan.planes.push_back(uniform_attachment(cube(3, 4), 2));
  plan.switch_delay = 6;
  plan.buffer_flits = 8;
  plan.channels = 2;
  plan.deadlock_interval = 8;
  std::vector<Listed> messages;
  for (std::uint32_t node = 1; node < 16; ++node) messages.push_back({node, 0, 2048 * 30});
  Engine engine(plan, listed(messages), 1);
  engine.run(1000000);
  CHECK(engine.ended());
  CHECK(engine.counters().deadlocks == 0);
}

}  // namespace

void test_deadlocks() {
  test_classes_by_turn_keep_a_ring_free_of_deadlock();
  test_a_deadlock_is_detected_as_a_cycle();
  test_datelines_keep_a_ring_free_of_deadlock();
  test_classes_by_hop_keep_a_ring_free_of_deadlock();
  test_dropping_resolves_every_deadlock();
  test_moving_congestion_is_not_a_deadlock();
}
