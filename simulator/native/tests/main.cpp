// Native tests of the simulator.
#include "check.hpp"
#include "suites.hpp"

int main() {
  test_laws();
  test_deadlocks();
  test_traffic();
  test_anything();
  test_packets();
  return check::finish();
}
