// Packets over links of several rates: arrival times that follow from rates and delays.
#include "isoplane/sim/packets.hpp"

#include <stdexcept>

#include "check.hpp"
#include "suites.hpp"

namespace {

using namespace isoplane::sim;

// Three links: a byte takes 8, 1 and 8 ticks, with a delay of 100 ticks.
TransferPlan plan_for(const std::vector<std::vector<std::uint32_t>>& paths, const std::vector<std::uint64_t>& bytes) {
  TransferPlan plan;
  plan.byte_ticks = {8, 1, 8};
  plan.delay = plan.credit_delay = {100, 100, 100};
  plan.packet_bytes = 100;
  plan.bytes = bytes;
  plan.path_start = {0};
  for (const auto& path : paths) {
    plan.path.insert(plan.path.end(), path.begin(), path.end());
    plan.path_start.push_back(static_cast<std::uint32_t>(plan.path.size()));
  }
  plan.begin_delay.assign(bytes.size(), 0);
  plan.predecessors.assign(bytes.size(), 0);
  plan.next_start.assign(bytes.size() + 1, 0);
  return plan;
}

std::vector<Tick> arrivals(const TransferPlan& plan) {
  PacketNetwork network(plan);
  while (!network.run(1)) CHECK(!network.audit());
  CHECK(!network.audit());
  return network.arrived();
}

void test_an_uncontended_transfer() {
  for (const std::uint64_t bytes : {1u, 99u, 100u, 101u, 1000u}) {
    const auto slow_time = static_cast<Tick>(8 * bytes);
    CHECK(arrivals(plan_for({{0}}, {bytes}))[0] == slow_time + 100);
    CHECK(arrivals(plan_for({{1}}, {bytes}))[0] == static_cast<Tick>(bytes) + 100);
    CHECK(arrivals(plan_for({{0, 1, 2}}, {bytes}))[0] == slow_time + 300);
    CHECK(arrivals(plan_for({{1, 2}}, {bytes}))[0] == slow_time + 200);
  }
}

// Packets of 100 bytes are served round-robin; the first transfer ends one packet before the second.
void test_transfers_share_a_link_round_robin() {
  const auto found = arrivals(plan_for({{0}, {0}, {0}}, {1000, 1000, 200}));
  CHECK(found[2] == 6 * 800 + 100);
  CHECK(found[0] == 21 * 800 + 100);
  CHECK(found[1] == 22 * 800 + 100);
}

// A packet that takes 800 ticks to arrive leaves gaps of 700 on the fast link, which packets of another queue fill.
// Its first bit arrives after 100 ticks and waits for one packet of the other queue.
void test_packets_fill_the_gaps_of_slow_ones() {
  const auto found = arrivals(plan_for({{0, 1}, {1}}, {100, 1000}));
  CHECK(found[0] == 100 + 100 + 800 + 100);
  CHECK(found[1] == 1000 + 100 + 100);
}

// With room for one packet, the next one is sent when the credit has returned: 100 + 800 + 100 ticks later.
void test_room_for_one_packet() {
  TransferPlan plan = plan_for({{0, 2}}, {300});
  plan.window = 1;
  CHECK(arrivals(plan)[0] == 2 * 1000 + 800 + 200);
}

void test_transfers_wait_for_others() {
  TransferPlan plan = plan_for({{0}, {2}}, {100, 100});
  plan.predecessors = {0, 1};
  plan.next_start = {0, 1, 1};
  plan.next = {1};
  plan.begin_delay = {5, 7};
  const auto found = arrivals(plan);
  CHECK(found[0] == 5 + 900);
  CHECK(found[1] == 905 + 7 + 900);
}

void test_transfers_without_links_take_no_time() {
  TransferPlan plan = plan_for({{0}, {}, {2}}, {100, 0, 100});
  plan.predecessors = {0, 1, 1};
  plan.next_start = {0, 1, 2, 2};
  plan.next = {1, 2};
  plan.begin_delay = {0, 7, 0};
  const auto found = arrivals(plan);
  CHECK(found[1] == 900 + 7);
  CHECK(found[2] == 907 + 900);
}

void test_inconsistent_plans_are_rejected() {
  const auto rejected = [](auto&& change) {
    TransferPlan plan = plan_for({{0, 1}}, {100});
    change(plan);
    return check::throws<std::invalid_argument>([&] { PacketNetwork network(plan); });
  };
  CHECK(!rejected([](TransferPlan&) {}));
  CHECK(rejected([](TransferPlan& plan) { plan.delay.pop_back(); }));
  CHECK(rejected([](TransferPlan& plan) { plan.byte_ticks[1] = 0; }));
  CHECK(rejected([](TransferPlan& plan) { plan.window = 0; }));
  CHECK(rejected([](TransferPlan& plan) { plan.bytes[0] = 0; }));
  CHECK(rejected([](TransferPlan& plan) { plan.path[1] = 3; }));
  CHECK(rejected([](TransferPlan& plan) { plan.path_start = {0, 0}; }));
  CHECK(rejected([](TransferPlan& plan) { plan.predecessors.clear(); }));
  CHECK(rejected([](TransferPlan& plan) { plan.next = {1}, plan.next_start = {0, 1}; }));
}

}  // namespace

void test_packets() {
  test_an_uncontended_transfer();
  test_transfers_share_a_link_round_robin();
  test_packets_fill_the_gaps_of_slow_ones();
  test_room_for_one_packet();
  test_transfers_wait_for_others();
  test_transfers_without_links_take_no_time();
  test_inconsistent_plans_are_rejected();
}
