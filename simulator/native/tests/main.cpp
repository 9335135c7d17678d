// Laws of the simulator on small networks.
#include "cases.hpp"
#include "check.hpp"

namespace {

using namespace cases;

Plan small_plan(PlanePlan plane) {
  Plan plan;
  plan.planes.push_back(std::move(plane));
  plan.switch_delay = 6;
  plan.node_cable = 3;
  plan.buffer = 24;
  plan.output = 16;
  return plan;
}

// A packet that meets nobody needs the sum of all delays, and once the time of its flits on a link.
void test_zero_load_latency() {
  Plan plan = small_plan(cube(3, 5));
  plan.nodes_per_switch = 2;
  Engine engine(plan, listed({{0, 15, 2048}}), 1);
  engine.run(1000);
  const Tick expected = 3 + 6 + 3 * (5 + 6) + 3 + 8 * 2;  // node cable, 4 switches, 3 cables, node cable, 8 flits
  CHECK(engine.ended());
  CHECK(engine.listed_arrived()[0] == expected);
  CHECK(!engine.audit());
}

}  // namespace

int main() {
  test_zero_load_latency();
  return check::finish();
}
