// Selection of the path of a packet: minimal, or over an intermediate region of switches.
//
// Valiant (A Scheme for Fast Parallel Communication, 1982): over a random region, drawn when the packet is made. UGAL-L
// (Singh, Load-Balanced Routing in Interconnection Networks, 2005): minimal, or over a random region if that is better
// by a local estimate of the delay, the occupancy of the first link times the number of hops. A packet selects when its
// head first requests a link in its source switch, and again, with another random region, at every further request
// until one is granted, because the occupancy changes while it waits.
#include <algorithm>

#include "isoplane/sim/engine.hpp"

namespace isoplane::sim {

namespace {
// Streams of random numbers other than those of the traffic, which are numbered by node.
constexpr std::uint64_t kPathStreams = std::uint64_t{1} << 32;
}  // namespace

void Engine::seed_paths(std::uint64_t seed) {
  if (plan_.path_selection == PathSelection::kMinimal) return;
  for (std::uint32_t node = 0; node < plan_.nodes(); ++node) path_random_.emplace_back(seed, kPathStreams + node);
}

// A region other than those of the source and the destination; none if these are the same, and the path is minimal.
std::uint16_t Engine::random_region(std::uint32_t node, const DetourPlan& detours, std::uint32_t from,
                                    std::uint32_t to) {
  const auto [low, high] = std::minmax(detours.region[from], detours.region[to]);
  if (low == high) return kNoRegion;
  std::uint32_t region = path_random_[node].below(detours.regions - 2);
  region += region >= low;
  region += region >= high;
  return static_cast<std::uint16_t>(region);
}

// Flits that have been sent to a link, and for which no credit has returned.
std::int64_t Engine::occupancy(const Element& element, std::uint16_t out) const {
  const Channel* channels = &channels_[std::size_t{element.out_base + out} << channel_bits_];
  std::int64_t credits = 0;
  for (int v = 0; v < plan_.channels; ++v) credits += channels[v].credits;
  return plan_.channels * plan_.buffer_flits - credits;
}

// The region of the better path of a packet in its source switch; none if that is the minimal one.
std::uint16_t Engine::ugal_region(const Element& element, const Packet& packet) {
  const DetourPlan& detours = plan_.planes[element.plane].detours;
  const std::uint16_t region =
      random_region(messages_[packet.message].source, detours, element.local, packet.destination);
  if (region == kNoRegion) return kNoRegion;
  const Routes& routes = routes_[element.plane];
  const std::size_t entry = std::size_t{element.local} * detours.regions + region;
  const std::int64_t minimal_hops = routes.hops(element.local, packet.route_index);
  const std::int64_t detour_hops = detours.hops[entry] + routes.hops(detours.entry[entry], packet.route_index);
  const std::int64_t minimal = occupancy(element, routes.next_port(element.local, packet.route_index)) * minimal_hops;
  const std::int64_t detour = occupancy(element, detours.next_port[entry]) * detour_hops;
  return minimal > detour + plan_.ugal_bias ? region : kNoRegion;
}

// Whether a packet that has not left its source switch selects its path again.
bool Engine::reconsiders(const Element& element, const Queue& queue) const {
  return plan_.path_selection == PathSelection::kUgal && !element.is_node && queue.channel == kNoChannel &&
         packets_[queue.packet].hops == 0;
}

}  // namespace isoplane::sim
