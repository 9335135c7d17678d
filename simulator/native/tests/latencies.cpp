// Latencies that follow from the delays, tick by tick.
#include <algorithm>
#include <array>
#include <bit>
#include <stdexcept>

#include "cases.hpp"
#include "check.hpp"
#include "suites.hpp"

namespace {

using namespace cases;

constexpr std::array kFlows = {FlowControl::kStoreAndForward, FlowControl::kCutThrough, FlowControl::kWormhole};

Plan plan_for(PlanePlan plane, std::uint32_t nodes_per_switch = 1) {
  Plan plan;
  plan.planes.push_back(uniform_attachment(std::move(plane), nodes_per_switch));
  plan.switch_delay = 6;
  plan.node_cable = 3;
  plan.buffer_flits = 24;
  plan.output_flits = 16;
  return plan;
}

Plan direct_for(PlanePlan plane) {
  Plan plan = plan_for(std::move(plane));
  plan.direct = true;
  return plan;
}

std::vector<Tick> arrivals(const Plan& plan, const std::vector<Listed>& messages) {
  Engine engine(plan, listed(messages), 1);
  engine.run(100000);
  CHECK(engine.ended());
  CHECK(!engine.audit());
  return engine.listed_arrived();
}

// An uncontended packet takes the sum of all delays, plus the time of its 8 flits on a link: once, or once more per
// switch that stores the whole packet.
void test_zero_load_latency_of_every_pair() {
  for (const FlowControl flow : kFlows) {
    Plan plan = plan_for(cube(3, 5), 2);
    plan.flow_control = flow;
    for (std::uint32_t a = 0; a < 16; ++a) {
      for (std::uint32_t b = 0; b < 16; ++b) {
        if (a == b) continue;
        const Tick hops = std::popcount(a / 2 ^ b / 2);
        const Tick storing = flow == FlowControl::kStoreAndForward ? (hops + 1) * 7 * 2 : 0;
        CHECK(arrivals(plan, {{a, b, 2048}})[0] == 3 + (hops + 1) * 6 + hops * 5 + 3 + 8 * 2 + storing);
      }
    }
  }
}

// In a direct network the delay of the source switch applies, and the packet ends at the last hop.
void test_zero_load_latency_of_a_direct_network() {
  for (const FlowControl flow : kFlows) {
    Plan plan = direct_for(ring(8, false, 4));
    plan.flow_control = flow;
    for (std::uint32_t hops = 1; hops < 8; ++hops) {
      const Tick storing = flow == FlowControl::kStoreAndForward ? Tick{hops - 1} * 7 * 2 : 0;
      CHECK(arrivals(plan, {{2, (2 + hops) % 8, 2048}})[0] ==
            6 - 2 + Tick{hops} * 4 + Tick{hops - 1} * 6 + 8 * 2 + storing);
    }
  }
}

// Two hops between leaves and none within one, whatever the column; the spines have no nodes.
void test_zero_load_latency_of_a_tree() {
  for (const FlowControl flow : kFlows) {
    Plan plan = plan_for(cube(1, 5));
    plan.planes = {tree(4, 4, 2, 5)};
    plan.flow_control = flow;
    CHECK(plan.nodes() == 16);
    for (std::uint32_t a = 0; a < 16; ++a) {
      for (std::uint32_t b = 0; b < 16; ++b) {
        if (a == b) continue;
        const Tick hops = a / 4 == b / 4 ? 0 : 2;
        const Tick storing = flow == FlowControl::kStoreAndForward ? (hops + 1) * 7 * 2 : 0;
        CHECK(arrivals(plan, {{a, b, 2048}})[0] == 3 + (hops + 1) * 6 + hops * 5 + 3 + 8 * 2 + storing);
      }
    }
  }
}

// All 16 nodes send to all others. Each of the 16 links between switches carries 24 packets of 8 flits: up to a spine,
// from the 4 nodes of a leaf to the 6 nodes of other leaves that it serves; down to a leaf,
// from 12 nodes to the 2 nodes of the leaf that the spine serves.
void test_a_tree_with_routes_by_destination_node_is_balanced() {
  Plan plan = plan_for(cube(1, 5));
  plan.planes = {tree(4, 4, 2, 5)};
  TrafficPlan traffic;
  traffic.pattern = Pattern::kAllToAll;
  traffic.chance = cases::chance(1, 40);
  traffic.max_created = 16 * 15;
  Engine engine(plan, traffic, 1);
  engine.run(100000);
  CHECK(engine.ended() && !engine.audit());
  const auto links = engine.links();  // without free ports: leaves have two cables, spines four
  const auto busy = engine.link_busy();
  CHECK(busy.size() == links.size());
  std::uint32_t between = 0;
  for (std::size_t i = 0; i < links.size(); ++i) {
    const bool node = links[i].from >= 6 || links[i].to >= 6;
    CHECK(busy[i] == (node ? 15u * 8u : 24u * 8u) * 2u);
    between += !node;
  }
  CHECK(between == 16);
}

// Plane 0 has 6 switches, plane 1 has 4 in a ring, in which node i is at switch 3 - i % 4.
void test_planes_of_different_sizes() {
  Plan plan = plan_for(cube(1, 5));
  plan.planes = {tree(4, 4, 2, 5), ring(4, false, 7)};
  std::vector<std::uint32_t>& ring_switch = plan.planes[1].node_switch;
  ring_switch.clear();
  for (std::uint32_t node = 0; node < 16; ++node) ring_switch.push_back(3 - node % 4);
  for (std::uint32_t a = 0; a < 16; ++a) {
    for (std::uint32_t b = 0; b < 16; ++b) {
      if (a == b) continue;
      const Tick tree_hops = a / 4 == b / 4 ? 0 : 2, ring_hops = (ring_switch[b] + 4 - ring_switch[a]) % 4;
      const Tick by_tree = (tree_hops + 1) * 6 + tree_hops * 5, by_ring = (ring_hops + 1) * 6 + ring_hops * 7;
      const Tick found = arrivals(plan, {{a, b, 2048}})[0] - 3 - 3 - 8 * 2;
      CHECK(found ==
            (tree_hops <= ring_hops ? by_tree : by_ring));  // the first message of a node takes plane 0 on a tie
    }
  }
  ring_switch[5] = 4;
  CHECK(check::throws<std::invalid_argument>([&] { plan.check(); }));
  ring_switch.pop_back();
  ring_switch[5] = 2;
  CHECK(check::throws<std::invalid_argument>([&] { plan.check(); }));
}

// A hop takes the clocks of a packet and 2 clocks of hardware delay: 10 for 8 flits, as in Shibamura et al.,
// section 3.5.
void test_store_and_forward_takes_ten_clocks_a_hop() {
  Plan plan = direct_for(ring(8, false));
  plan.flow_control = FlowControl::kStoreAndForward;
  plan.flit_ticks = 1;
  plan.switch_delay = 3;  // one clock to receive a flit, and 2
  for (std::uint32_t hops = 1; hops < 8; ++hops) CHECK(arrivals(plan, {{0, hops, 2048}})[0] == Tick{hops} * 10);
}

// The packets of one flow arrive a packet time apart: the link is never idle.
void test_one_flow_has_the_rate_of_a_link() {
  for (const FlowControl flow : kFlows) {
    Plan plan = plan_for(cube(1, 5));
    plan.flow_control = flow;
    const Tick uncontended_time = arrivals(plan, {{0, 1, 2048}})[0];
    CHECK(arrivals(plan, {{0, 1, 2048 * 50}})[0] == uncontended_time + 49 * 8 * 2);
  }
}

// A channel whose buffer holds one packet sends the next one when the credits have returned: the round trip is twice
// the cable and the switch delay, and the last of the eight credits follows 14 ticks later.
void test_a_small_buffer_waits_for_credits() {
  Plan plan = plan_for(cube(1, 50));
  plan.channels = 1;
  plan.buffer_flits = 8;
  plan.node_cable = 0;
  const Tick uncontended_time = arrivals(plan, {{0, 1, 2048}})[0];
  CHECK(uncontended_time == 6 + 50 + 6 + 16);
  const Tick round_trip = 2 * 50 + 6 + 14;
  CHECK(arrivals(plan, {{0, 1, 4096}})[0] == uncontended_time + round_trip);
  plan.flow_control = FlowControl::kWormhole;  // needs a single credit per flit
  CHECK(arrivals(plan, {{0, 1, 4096}})[0] == uncontended_time + 2 * 50 + 6);
}

// Two nodes of a switch send over one link at once: the node with the lower port wins, the other follows immediately.
void test_the_loser_follows_the_winner() {
  Plan plan = plan_for(cube(1, 5), 2);
  const Tick uncontended_time = arrivals(plan, {{0, 2, 2048}})[0];
  const auto times = arrivals(plan, {{0, 2, 2048}, {1, 3, 2048}});
  CHECK(times[0] == uncontended_time);
  CHECK(times[1] == uncontended_time + 8 * 2);
}

// Three nodes of a switch send over its first link, one packet after the other, and the third sends another packet over
// its second link. That packet loses at most the tick in which the second and the third node both request the first
// link: while a link is in the middle of a packet, inputs waiting for it request outputs for their other packets.
void test_a_packet_does_not_wait_behind_one_for_a_busy_link() {
  for (const FlowControl flow : {FlowControl::kCutThrough, FlowControl::kWormhole}) {
    Plan plan = plan_for(cube(2, 5), 3);
    plan.flit_ticks = 1;  // the crossbar has no speed-up
    plan.flow_control = flow;
    const Tick uncontended_time = arrivals(plan, {{2, 6, 2048}})[0];
    const auto times = arrivals(plan, {{0, 3, 2048}, {1, 4, 2048}, {2, 5, 2048}, {2, 6, 2048}});
    CHECK(times[0] == uncontended_time);
    CHECK(times[1] == uncontended_time + 8);
    CHECK(times[3] <= uncontended_time + 8 + 1);
    CHECK(times[2] <= times[3] + 8);  // the input completes the packet that it has begun
  }
}

void test_two_flows_get_half_of_a_link_each() {
  Plan plan = plan_for(cube(1, 5), 2);
  TrafficPlan traffic;
  traffic.pattern = Pattern::kTable;
  traffic.table = {2, 3, kUnlisted, kUnlisted};
  traffic.chance = cases::chance(1, 16);  // each could fill a link
  Engine engine(plan, traffic, 1);
  engine.run(4000);
  const auto before = engine.counters().received;
  engine.run(4000 + 16 * 2 * 500);  // 1000 packet times
  const auto& after = engine.counters().received;
  CHECK(after[2] - before[2] == 500);
  CHECK(after[3] - before[3] == 500);
}

// A ring in which every route goes in the negative direction.
PlanePlan backward_ring(std::uint32_t size) {
  PlanePlan plane = ring(size, false, 5);
  for (std::uint32_t offset = 1; offset < size; ++offset) {
    plane.routes.next_port[offset] = 1;
    plane.routes.hops[offset] = static_cast<std::int32_t>(size - offset);
  }
  return plane;
}

// Nodes take the nearer plane, and the planes in turn if they are equally near.
void test_nodes_choose_the_nearer_plane() {
  Plan plan = plan_for(ring(4, false, 5));
  plan.planes.push_back(backward_ring(4));
  const auto one_hop = arrivals(plan, {{0, 1, 2048}, {1, 0, 2048}});
  CHECK(one_hop[0] == one_hop[1]);
  Engine engine(plan, listed({{0, 2, 2048}, {0, 2, 2048}}), 1);
  engine.run(1000);
  CHECK(engine.listed_arrived()[0] == engine.listed_arrived()[1]);  // each takes a different plane
}

// The planes take 2, 2, 1 and 3 hops from switch 0 to 3: the first two do not tie for the minimum, so the next message,
// for which all planes but the third are equally near, takes the first.
void test_only_a_tie_for_the_nearest_plane_ends_a_turn() {
  Plan plan = plan_for(cube(2, 5));
  plan.planes.insert(plan.planes.end(), {cube(2, 5), backward_ring(4), ring(4, false, 5)});
  Engine engine(plan, listed({{0, 3, 2048}, {0, 1, 2048, 1000}}), 1);
  engine.run(2000);
  const std::uint32_t node = 4 * 4;
  const auto links = engine.links();
  for (std::size_t i = 0; i < links.size(); ++i)
    if (links[i].from == node) {
      const std::uint32_t plane = links[i].to / 4;
      CHECK(engine.counters().link_flits[i] == (plane == 0 || plane == 2 ? 8u : 0u));
    }
}

void test_messages_wait_for_their_predecessors() {
  Plan plan = plan_for(cube(1, 5));
  const Tick uncontended_time = arrivals(plan, {{0, 1, 2048}})[0];
  const auto times = arrivals(plan, {{0, 1, 2048, 7}, {1, 0, 2048, 11, {0}}, {0, 0, 8, 5, {1}}});
  CHECK(times[0] == 7 + uncontended_time);
  CHECK(times[1] == times[0] + 11 + uncontended_time);
  CHECK(times[2] == times[1] + 5);  // within a node
}

void test_a_message_of_many_packets_and_a_short_last_one() {
  Plan plan = plan_for(cube(1, 5));
  plan.padded = false;
  const Tick uncontended_time = arrivals(plan, {{0, 1, 2048}})[0];
  CHECK(arrivals(plan, {{0, 1, 2048 + 300}})[0] == uncontended_time + 2 * 2);  // 300 bits need two flits
  plan.header_bits = 64;  // a packet is 9 flits now: 64 + 2048 bits
  CHECK(arrivals(plan, {{0, 1, 2048}})[0] == uncontended_time + 2);
}

void test_more_ports_than_a_word_has_bits() {
  Plan plan = plan_for(cube(1, 5), 100);
  plan.channels = 3;
  const Tick uncontended_time = arrivals(plan, {{0, 100, 2048}})[0];
  std::vector<Listed> messages;
  for (std::uint32_t node = 0; node < 100; ++node) messages.push_back({node, 199 - node, 2048});
  auto times = arrivals(plan, messages);
  std::sort(times.begin(), times.end());
  for (std::size_t i = 0; i < times.size(); ++i) CHECK(times[i] == uncontended_time + static_cast<Tick>(i) * 16);
}

}  // namespace

void test_latencies() {
  test_zero_load_latency_of_every_pair();
  test_zero_load_latency_of_a_direct_network();
  test_zero_load_latency_of_a_tree();
  test_a_tree_with_routes_by_destination_node_is_balanced();
  test_planes_of_different_sizes();
  test_store_and_forward_takes_ten_clocks_a_hop();
  test_one_flow_has_the_rate_of_a_link();
  test_a_small_buffer_waits_for_credits();
  test_the_loser_follows_the_winner();
  test_a_packet_does_not_wait_behind_one_for_a_busy_link();
  test_two_flows_get_half_of_a_link_each();
  test_nodes_choose_the_nearer_plane();
  test_only_a_tie_for_the_nearest_plane_ends_a_turn();
  test_messages_wait_for_their_predecessors();
  test_a_message_of_many_packets_and_a_short_last_one();
  test_more_ports_than_a_word_has_bits();
}
