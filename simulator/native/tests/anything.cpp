// Small random simulations, audited as they go.
#include <cstdio>

#include "cases.hpp"
#include "check.hpp"
#include "suites.hpp"

namespace {

using namespace cases;

class Chooser {
 public:
  explicit Chooser(std::uint64_t seed) : random_(seed, 0) {}
  std::uint32_t below(std::uint32_t bound) { return random_.below(bound); }
  bool coin() { return below(2) == 1; }

 private:
  Random random_;
};

PlanePlan any_plane(Chooser& choose, std::uint32_t& switches) {
  const auto cable = static_cast<std::int32_t>(choose.below(20));
  if (choose.coin()) {
    switches = 8;
    return cube(3, cable);
  }
  switches = 2 + choose.below(6);
  return ring(switches, choose.coin(), cable);
}

Plan any_plan(Chooser& choose) {
  Plan plan;
  std::uint32_t switches = 0;
  plan.planes.push_back(any_plane(choose, switches));
  if (choose.below(3) == 0) plan.planes.push_back(switches == 8 ? cube(3, 4) : ring(switches, false));
  plan.direct = choose.coin();
  const std::uint32_t nodes_per_switch = plan.direct ? 1 : 1 + choose.below(3);
  for (PlanePlan& plane : plan.planes) plane = evenly(std::move(plane), nodes_per_switch);
  if (!plan.direct && choose.coin()) plan.planes.push_back(tree(switches, nodes_per_switch, 1 + choose.below(3), 6));
  plan.node_cable = choose.below(5);
  plan.interval = 1 + choose.below(3);
  plan.switch_delay = plan.interval + choose.below(8);
  plan.channels = 2 + static_cast<int>(choose.below(4));
  plan.flow = static_cast<FlowControl>(choose.below(3));
  plan.flit_bits = 8 * (1 + choose.below(8));
  plan.payload_bits = 8 * (1 + choose.below(60));
  plan.header_bits = 8 * choose.below(10);
  plan.padded = choose.coin();
  plan.buffer = plan.flow == FlowControl::kWormhole ? 1 + choose.below(12) : plan.packet_flits() + choose.below(20);
  plan.output = 1 + choose.below(20);
  plan.shorter_queue = choose.coin();
  plan.drop_deadlocked = choose.coin();
  plan.deadlock_interval = 1 + choose.below(200);
  return plan;
}

TrafficPlan any_traffic(Chooser& choose, std::uint32_t nodes) {
  TrafficPlan traffic;
  if (choose.below(3) == 0) {
    std::vector<Listed> messages;
    for (std::uint32_t i = 0; i < 1 + choose.below(40); ++i) {
      messages.push_back({choose.below(nodes), choose.below(nodes), 1 + choose.below(3000), choose.below(50), {}});
      if (i > 0 && choose.coin()) messages.back().after.push_back(choose.below(i));
    }
    return listed(messages);
  }
  traffic.pattern = choose.coin() ? Pattern::kUniform : Pattern::kAllToAll;
  traffic.chance = chance(1, 2 + choose.below(60));
  if (choose.coin()) {
    traffic.period = 1 + choose.below(100);
    traffic.period_parts = 1 + choose.below(static_cast<std::uint32_t>(traffic.period));
  }
  traffic.shortest_bits = 8 * (1 + choose.below(50));
  traffic.longest_bits = traffic.shortest_bits + 8 * choose.below(200);
  traffic.most_created = 1 + choose.below(300);
  if (choose.coin()) traffic.most_alive = 1 + choose.below(50);
  return traffic;
}

// Whatever is simulated keeps all laws of conservation, and ends with all messages gone or with a deadlock.
void run_anything(std::uint64_t seed) {
  Chooser choose(seed);
  const Plan plan = any_plan(choose);
  if (plan.nodes() < 2) return;
  Engine engine(plan, any_traffic(choose, plan.nodes()), seed);
  Tick until = 0;
  while (!engine.ended() && engine.deadlock().empty() && until < 2000000) {
    engine.run(until += 1 + choose.below(400));
    const auto problem = engine.audit();
    if (problem) std::printf("seed %llu: %s\n", static_cast<unsigned long long>(seed), problem->c_str());
    CHECK(!problem);
    if (problem) return;
  }
  const Counters& counters = engine.counters();
  const bool whole = engine.ended() && counters.messages_created == counters.all.messages + counters.messages_dropped;
  if (!whole && engine.deadlock().empty())
    std::printf("seed %llu does not end\n", static_cast<unsigned long long>(seed));
  CHECK(whole || (!engine.deadlock().empty() && !plan.drop_deadlocked));
}

}  // namespace

void test_anything() {
  for (std::uint64_t seed = 0; seed < 3000; ++seed) run_anything(seed);
}
