// The time of a workload level by level on a hybrid network.
#include "check.hpp"
#include "isoplane/hybrid.hpp"

namespace {

using isoplane::HybridModel;
using isoplane::HybridPlan;

// Two groups of two nodes; the last message waits for both others.
HybridPlan plan_of_two_levels() {
  HybridPlan plan;
  plan.groups = plan.nodes_per_group = 2;
  plan.node_rate = plan.up_rate = 10;
  plan.circuit_rate = 20;
  plan.source = {0, 0, 1};
  plan.destination = {1, 2, 3};
  plan.bits = {100, 200, 400};
  plan.wait_start = {0, 0, 0, 2};
  plan.wait = {0, 1};
  return plan;
}

void each_level_takes_the_time_of_its_busiest_link() {
  HybridModel model(plan_of_two_levels());
  // 300 bits from node 0, then 400 from node 1; over both levels, the uplink of their group carries 600.
  CHECK(model.loads({}, {0, 1, 2, 3}).bottleneck_ns == 60);
  CHECK(model.synchronised_ns() == 30 + 40);
  model.loads({{1, 3}}, {0, 1, 2, 3});
  CHECK(model.synchronised_ns() == 30 + 20);
}

}  // namespace

void test_hybrid_levels() { each_level_takes_the_time_of_its_busiest_link(); }
