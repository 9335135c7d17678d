// Prints, for a platform of hosts named N0, N1, ..., one line per ordered pair of different hosts: the latency of
// SimGrid's route in seconds, the time in seconds of a message of argv[2] bytes that is alone in the network, and the
// links of the route.
#include <simgrid/s4u.hpp>

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

int main(int argc, char** argv) {
  simgrid::s4u::Engine engine(&argc, argv);
  engine.load_platform(argv[1]);
  const auto bytes = static_cast<std::uint64_t>(std::stoull(argv[2]));
  std::vector<simgrid::s4u::Host*> hosts;
  for (std::size_t host = 0; host < engine.get_host_count(); host++) {
    hosts.push_back(engine.host_by_name("N" + std::to_string(host)));
  }
  simgrid::s4u::Actor::create("sender", hosts[0], [&hosts, bytes] {
    for (auto* source : hosts) {
      for (auto* destination : hosts) {
        if (source == destination) {
          continue;
        }
        std::vector<simgrid::s4u::Link*> links;
        double latency = 0;
        source->route_to(destination, links, &latency);
        const double begin = simgrid::s4u::Engine::get_clock();
        simgrid::s4u::Comm::sendto(source, destination, bytes);
        std::printf("%.17g %.17g", latency, simgrid::s4u::Engine::get_clock() - begin);
        for (const auto* link : links) {
          std::printf(" %s", link->get_cname());
        }
        std::printf("\n");
      }
    }
  });
  engine.run();
}
