// Native tests of the simulator.
#include "check.hpp"
#include "suites.hpp"

int main() {
  test_latencies();
  test_deadlocks();
  test_traffic();
  test_random_simulations();
  test_packets();
  test_rates();
  test_ways();
  test_paths();
  return check::finish();
}
