// Prints, for a platform of hosts named 0, 1, ..., the number of links on SimGrid's route of every pair: one line per
// source, one column per destination.
#include <simgrid/s4u.hpp>

#include <cstddef>
#include <iostream>
#include <string>
#include <vector>

int main(int argc, char** argv) {
  simgrid::s4u::Engine engine(&argc, argv);
  engine.load_platform(argv[1]);
  std::vector<simgrid::s4u::Host*> hosts;
  for (std::size_t host = 0; host < engine.get_host_count(); host++) {
    hosts.push_back(engine.host_by_name(std::to_string(host)));
  }
  for (const auto* source : hosts) {
    for (const auto* destination : hosts) {
      std::vector<simgrid::s4u::Link*> links;
      source->route_to(destination, links, nullptr);
      std::cout << links.size() << ' ';
    }
    std::cout << '\n';
  }
}
