// Native tests of the assignment of switches to racks: lengths stay those of all cables, and capacities hold.
#include "isoplane/rack_search.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "check.hpp"
#include "suites.hpp"

namespace {

constexpr std::size_t kSwitches = 60, kPorts = 4, kRacks = 12, kAcross = 4;

// Each switch has cables to those 1 and 7 ids away, both ways around.
std::vector<std::int32_t> circulant() {
  std::vector<std::int32_t> peer;
  for (std::size_t i = 0; i < kSwitches; ++i)
    for (const std::size_t step : {std::size_t{1}, kSwitches - 1, std::size_t{7}, kSwitches - 7})
      peer.push_back(static_cast<std::int32_t>((i + step) % kSwitches));
  return peer;
}

isoplane::Floor floor() {
  isoplane::Floor found{{}, {}, 1000, 2000, 6, 20};
  for (std::size_t rack = 0; rack < kRacks; ++rack) {
    found.across.push_back(static_cast<std::int64_t>(rack % kAcross) * 800);
    found.deep.push_back(static_cast<std::int64_t>(rack / kAcross) * 2500);
  }
  return found;
}

std::int64_t length_by_every_cable(const std::vector<std::int32_t>& peer, const isoplane::RackSearch& search) {
  std::int64_t both_ends = 0;
  for (std::size_t i = 0; i < peer.size(); ++i) {
    const std::size_t a = search.place(i / kPorts), b = search.place(static_cast<std::size_t>(peer[i]));
    const auto apart = [](std::size_t x, std::size_t y) {
      return std::abs(static_cast<std::int64_t>(x) - static_cast<std::int64_t>(y));
    };
    both_ends += a == b ? 1000 : 2000 + 800 * apart(a % kAcross, b % kAcross) + 2500 * apart(a / kAcross, b / kAcross);
  }
  return both_ends / 2;
}

void lengths_are_counted_and_capacities_hold() {
  const std::vector<std::int32_t> peer = circulant();
  std::vector<std::int64_t> nodes(kSwitches);
  std::vector<std::int32_t> place(kSwitches);
  for (std::size_t i = 0; i < kSwitches; ++i) {
    nodes[i] = static_cast<std::int64_t>(i % 5);           // 10 nodes in each five consecutive switches
    place[i] = static_cast<std::int32_t>(i * 7 % kRacks);  // five in each rack, far apart
  }
  isoplane::RackSearch search({peer.data(), kSwitches, kPorts}, nodes.data(), place.data(), floor(), 1);
  const std::int64_t start = search.length();
  CHECK(start == length_by_every_cable(peer, search));
  for (const std::int64_t threshold : {9000, 3000, 1000, 0, 0}) {
    search.run(20000, threshold);
    CHECK(search.length() == length_by_every_cable(peer, search));
    std::vector<std::size_t> switches(kRacks);
    std::vector<std::int64_t> load(kRacks);
    for (std::size_t i = 0; i < kSwitches; ++i) {
      ++switches[search.place(i)];
      load[search.place(i)] += nodes[i];
    }
    for (std::size_t rack = 0; rack < kRacks; ++rack) CHECK(switches[rack] <= 6 && load[rack] <= 20);
  }
  CHECK(search.length() < start);
}

}  // namespace

void test_rack_search() { lengths_are_counted_and_capacities_hold(); }
