// Small random simulations, audited while they run.
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

PlanePlan random_plane(Chooser& choose, std::uint32_t& switches) {
  const auto cable = static_cast<std::int32_t>(choose.below(20));
  if (choose.coin()) {
    switches = 8;
    return cube(3, cable);
  }
  switches = 2 + choose.below(6);
  return ring(switches, choose.coin(), cable);
}

// `count` random times, at least `min`.
std::vector<std::int32_t> random_times(Chooser& choose, std::size_t count, Tick min) {
  std::vector<std::int32_t> times;
  while (times.size() < count)
    times.push_back(static_cast<std::int32_t>(min) + static_cast<std::int32_t>(choose.below(9)));
  return times;
}

// Gives each node `min` to 3 links in a plane, at the switches of random nodes; a plane without any stays as it is.
void link_randomly(Chooser& choose, PlanePlan& plane, std::uint32_t min) {
  const PlanePlan before = plane;
  const std::vector<std::uint32_t> switches = plane.node_switch, columns = plane.routes.column;
  plane.node_switch.clear();
  plane.routes.column.clear();
  plane.node_start = {0};
  for (std::size_t node = 0; node < switches.size(); ++node) {
    for (std::uint32_t links = min + choose.below(4 - min); links > 0; --links) {
      const std::uint32_t chosen = choose.below(static_cast<std::uint32_t>(switches.size()));
      plane.node_switch.push_back(switches[chosen]);
      if (!columns.empty()) plane.routes.column.push_back(columns[chosen]);
    }
    plane.node_start.push_back(static_cast<std::uint32_t>(plane.node_switch.size()));
  }
  if (plane.node_switch.empty()) plane = before;
}

void vary(Chooser& choose, Plan& plan) {
  plan.policy = static_cast<Policy>(choose.below(5));
  for (std::size_t p = 0; p < plan.planes.size(); ++p) {
    PlanePlan& plane = plan.planes[p];
    if (plan.policy == Policy::kShares) plan.shares.push_back((p == 0) + choose.below(3));
    if (!plan.direct && choose.coin()) link_randomly(choose, plane, p == 0);
    if (choose.coin()) plane.flit_ticks = random_times(choose, plane.peer.size(), 1);
    if (choose.coin()) plane.switch_delay = random_times(choose, plane.switches, plan.flit_ticks);
    if (choose.coin()) plane.node_flit_ticks = random_times(choose, plane.node_switch.size(), 1);
    if (choose.coin()) plane.node_cable = random_times(choose, plane.node_switch.size(), 0);
  }
}

Plan random_plan(Chooser& choose) {
  Plan plan;
  std::uint32_t switches = 0;
  plan.planes.push_back(random_plane(choose, switches));
  if (choose.below(3) == 0) plan.planes.push_back(switches == 8 ? cube(3, 4) : ring(switches, false));
  plan.direct = choose.coin();
  const std::uint32_t nodes_per_switch = plan.direct ? 1 : 1 + choose.below(3);
  for (PlanePlan& plane : plan.planes) plane = uniform_attachment(std::move(plane), nodes_per_switch);
  if (!plan.direct && choose.coin()) plan.planes.push_back(tree(switches, nodes_per_switch, 1 + choose.below(3), 6));
  plan.node_cable = choose.below(5);
  plan.flit_ticks = 1 + choose.below(3);
  plan.switch_delay = plan.flit_ticks + choose.below(8);
  plan.channels = 2 + static_cast<int>(choose.below(4));
  plan.flow_control = static_cast<FlowControl>(choose.below(3));
  plan.flit_bits = 8 * (1 + choose.below(8));
  plan.payload_bits = 8 * (1 + choose.below(60));
  plan.header_bits = 8 * choose.below(10);
  plan.padded = choose.coin();
  plan.buffer_flits =
      plan.flow_control == FlowControl::kWormhole ? 1 + choose.below(12) : plan.packet_flits() + choose.below(20);
  plan.output_flits = 1 + choose.below(20);
  plan.shorter_queue = choose.coin();
  plan.spill_flits = choose.below(40);
  plan.drop_deadlocked = choose.coin();
  plan.deadlock_interval = 1 + choose.below(200);
  if (plan.flow_control == FlowControl::kWormhole)
    plan.routing_delay = choose.below(static_cast<std::uint32_t>(plan.switch_delay - plan.flit_ticks + 1));
  if (choose.coin()) vary(choose, plan);
  const bool by_switch = std::ranges::all_of(
      plan.planes, [](const PlanePlan& plane) { return plane.routes.column.empty() && plane.switches >= 3; });
  if (!by_switch || choose.coin()) return plan;
  plan.path_selection = choose.coin() ? PathSelection::kValiant : PathSelection::kUgal;
  plan.ugal_bias = choose.below(30);
  for (PlanePlan& plane : plan.planes) plane = with_detours(std::move(plane));
  return plan;
}

// Caches, a table of limited rate, or both.
void add_look_ups(Chooser& choose, Plan& plan) {
  LookUpPlan& look_ups = plan.look_ups;
  look_ups.table_interval = choose.below(30);
  if (choose.coin()) return;
  look_ups.cached = true;
  look_ups.miss_delay = choose.below(2000);  // also beyond the horizon of events
  look_ups.start = static_cast<CacheStart>(choose.below(3));
  look_ups.cache = {
      1 + choose.below(3), 1 + choose.below(3), static_cast<isoplane::Replacement>(choose.below(3)), 1, {}};
  for (std::uint32_t node = 0; node < plan.nodes(); ++node)
    look_ups.cache.set_of.push_back(choose.below(look_ups.cache.sets));
}

TrafficPlan random_traffic(Chooser& choose, std::uint32_t nodes) {
  TrafficPlan traffic;
  if (choose.below(3) == 0) {
    std::vector<Listed> messages;
    for (std::uint32_t i = 0; i < 1 + choose.below(40); ++i) {
      messages.push_back({choose.below(nodes), choose.below(nodes), 1 + choose.below(3000), choose.below(50), {}});
      if (i > 0 && choose.coin()) messages.back().predecessors.push_back(choose.below(i));
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
  traffic.max_created = 1 + choose.below(300);
  if (choose.coin()) traffic.max_in_flight = 1 + choose.below(50);
  return traffic;
}

// Every simulation obeys all conservation laws, and ends with all messages gone or with a deadlock.
void run_random_simulation(std::uint64_t seed) {
  Chooser choose(seed);
  Plan plan = random_plan(choose);
  if (plan.nodes() < 2) return;
  if (choose.below(3) == 0) add_look_ups(choose, plan);
  Engine engine(plan, random_traffic(choose, plan.nodes()), seed);
  Tick until = 0;
  while (!engine.ended() && engine.deadlock().empty() && until < 2000000) {
    engine.run(until += 1 + choose.below(400));
    const auto problem = engine.audit();
    if (problem) std::printf("seed %llu: %s\n", static_cast<unsigned long long>(seed), problem->c_str());
    CHECK(!problem);
    if (problem) return;
  }
  const Counters& counters = engine.counters();
  const bool complete =
      engine.ended() && counters.messages_created == counters.all.messages + counters.messages_dropped;
  if (!complete && engine.deadlock().empty())
    std::printf("seed %llu did not end\n", static_cast<unsigned long long>(seed));
  CHECK(complete || (!engine.deadlock().empty() && !plan.drop_deadlocked));
}

}  // namespace

void test_random_simulations() {
  for (std::uint64_t seed = 0; seed < 1500; ++seed) run_random_simulation(seed);
}
