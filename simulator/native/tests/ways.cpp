// Selection of the plane and of the node links of messages.
#include <array>
#include <stdexcept>

#include "cases.hpp"
#include "check.hpp"
#include "suites.hpp"

namespace {

using namespace cases;

// `planes` planes of an n-cube with a node at each switch.
Plan planes_of(int n, std::size_t planes, Policy policy) {
  Plan plan;
  plan.planes.assign(planes, cube(n, 5));
  plan.policy = policy;
  plan.spill_flits = 64;
  plan.switch_delay = 6;
  plan.node_cable = 3;
  plan.buffer_flits = 24;
  plan.output_flits = 16;
  return plan;
}

// Gives each node of a plane `links` links to its switch.
void link_all(PlanePlan& plane, std::uint32_t links) {
  const std::vector<std::uint32_t> switches = plane.node_switch;
  plane.node_switch.clear();
  plane.node_start = {0};
  for (const std::uint32_t s : switches) {
    plane.node_switch.insert(plane.node_switch.end(), links, s);
    plane.node_start.push_back(plane.node_start.back() + links);
  }
}

// Number of flits that a node sends over each of its links for a list of messages.
std::vector<std::uint64_t> sent_by(const Plan& plan, std::uint32_t node, const std::vector<Listed>& messages) {
  Engine engine(plan, listed(messages), 1);
  engine.run(1000000);
  CHECK(engine.ended() && !engine.audit());
  std::uint32_t element = node;
  for (const PlanePlan& plane : plan.planes) element += plane.switches;
  std::vector<std::uint64_t> flits;
  const auto links = engine.links();
  for (std::size_t i = 0; i < links.size(); ++i)
    if (links[i].from == element) flits.push_back(engine.counters().link_flits[i]);
  return flits;
}

constexpr std::array kPolicies = {Policy::kNearest, Policy::kSpray, Policy::kAdaptive, Policy::kSpill, Policy::kShares};

using Flits = std::vector<std::uint64_t>;

// Switch 3 is 2 hops from switch 0 in the two cubes and 3 around the ring: the policy nearest never takes the ring,
// spray takes it every third time.
void test_spray_takes_planes_in_turn_whatever_their_distance() {
  Plan plan = planes_of(2, 2, Policy::kSpray);
  plan.planes.push_back(ring(4, false, 5));
  CHECK(sent_by(plan, 0, std::vector<Listed>(99, {0, 3, 2048})) == Flits(3, 33 * 8));
  plan.policy = Policy::kNearest;
  CHECK(sent_by(plan, 0, std::vector<Listed>(98, {0, 3, 2048})) == (Flits{49 * 8, 49 * 8, 0}));
}

void test_shares_are_exact_after_each_period() {
  Plan plan = planes_of(2, 3, Policy::kShares);
  plan.shares = {5, 0, 2};
  for (std::uint64_t periods = 1; periods < 5; ++periods)
    CHECK(sent_by(plan, 1, std::vector<Listed>(7 * periods, {1, 2, 2048})) ==
          (Flits{5 * 8 * periods, 0, 2 * 8 * periods}));
  // Within a period no plane is ever a whole message behind or ahead of its share.
  for (std::uint64_t count = 1; count < 8; ++count) {
    const Flits sent = sent_by(plan, 1, std::vector<Listed>(count, {1, 2, 2048}));
    const auto error = static_cast<std::int64_t>(sent[0] / 8 * 7) - static_cast<std::int64_t>(5 * count);
    CHECK(error > -7 && error < 7);
  }
}

// A message of 10 packets is in plane 0, so the next ones take plane 1 until its backlog is as large.
void test_adaptive_takes_the_plane_with_fewest_flits_to_send() {
  const Plan plan = planes_of(2, 2, Policy::kAdaptive);
  std::vector<Listed> messages = {{0, 3, 20480}};
  messages.resize(10, {0, 3, 2048});
  CHECK(sent_by(plan, 0, messages) == (Flits{80, 72}));
  messages.resize(13, {0, 3, 2048});  // 80 and 80 flits, then 88 and 80, then 88 and 88
  CHECK(sent_by(plan, 0, messages) == (Flits{88, 88}));
  // Flits in the output buffer have not been sent: the second message is created while the first one is there.
  CHECK(sent_by(plan, 0, {{0, 3, 2048}, {0, 3, 2048, 4}, {0, 3, 2048, 100}, {0, 3, 2048, 104}}) == (Flits{16, 16}));
}

// Node 3 is 1, 2 and 3 hops from node 0. Messages of 8 flits take the nearest plane until it has more than 8 to send.
void test_spill_takes_farther_planes_if_the_nearest_has_much_more_to_send() {
  Plan plan = planes_of(2, 3, Policy::kSpill);
  plan.planes[0] = full_mesh(4, 5);
  plan.planes[2] = ring(4, false, 5);
  plan.spill_flits = 8;
  const std::vector<Flits> expected = {{8, 0, 0},  {16, 0, 0},  {16, 8, 0},   {16, 8, 8},
                                       {24, 8, 8}, {24, 16, 8}, {24, 16, 16}, {32, 16, 16}};
  for (std::size_t count = 1; count <= expected.size(); ++count)
    CHECK(sent_by(plan, 0, std::vector<Listed>(count, {0, 3, 2048})) == expected[count - 1]);
  plan.spill_flits = -1;
  CHECK(check::throws<std::invalid_argument>([&] { plan.check(); }));
}

void test_spill_is_nearest_below_the_threshold_whatever_the_ties() {
  Plan plan = planes_of(2, 2, Policy::kNearest);
  plan.planes.push_back(ring(4, false, 5));
  const std::vector<Listed> messages(61, {0, 3, 2048});
  const Flits nearest = sent_by(plan, 0, messages);
  plan.policy = Policy::kSpill;
  plan.spill_flits = 31 * 8;
  CHECK(sent_by(plan, 0, messages) == nearest);
  plan.spill_flits = 0;
  CHECK(sent_by(plan, 0, messages).back() > 0);
}

// Both planes are busy for a while, but plane 1 is four times as slow: adaptive sends more over the other one.
void test_adaptive_follows_the_rates_of_the_planes() {
  Plan plan = planes_of(2, 2, Policy::kAdaptive);
  plan.planes[1].node_flit_ticks.assign(4, 8);
  std::vector<Listed> messages;
  for (Tick i = 0; i < 500; ++i) messages.push_back({0, 3, 2048, i * 13});  // 10 packets take 8 · 16 and 2 · 64 ticks
  const Flits sent = sent_by(plan, 0, messages);
  CHECK(sent[0] + sent[1] == 500 * 8);
  CHECK(sent[0] > 395 * 8 && sent[0] < 415 * 8);
  plan.policy = Policy::kSpray;
  CHECK(sent_by(plan, 0, messages) == (Flits{250 * 8, 250 * 8}));
}

// Two links to a switch carry twice as much, alternately.
void test_two_links_of_a_node_double_its_rate() {
  for (const Policy policy : {Policy::kNearest, Policy::kSpray, Policy::kAdaptive, Policy::kSpill}) {
    Plan plan = planes_of(1, 1, policy);
    plan.planes[0] = uniform_attachment(plan.planes[0], 2);
    TrafficPlan traffic;
    traffic.pattern = Pattern::kTable;
    traffic.table = {1, kUnlisted, kUnlisted, kUnlisted};
    traffic.chance = cases::chance(1, 4);  // could fill four links
    Engine one(plan, traffic, 1);
    one.run(1000 + 8 * 1000);
    link_all(plan.planes[0], 2);
    Engine two(plan, traffic, 1);
    two.run(1000);
    const auto before = two.counters().received[1];
    two.run(1000 + 8 * 1000);
    CHECK(two.counters().received[1] - before == 1000);
    CHECK(one.counters().received[1] <= 1000 / 2 + 1000 / 16);
    CHECK(!two.audit());
    const Flits sent = sent_by(plan, 0, std::vector<Listed>(10, {0, 1, 2048}));
    CHECK(sent == (Flits{5 * 8, 5 * 8}));
  }
}

// A node is at switches 0 and 4 of a ring: its packets to switch 5 leave at 4, and those from switch 6 reach it at 0.
void test_a_node_at_two_switches_uses_the_nearer_one() {
  for (const Policy policy : kPolicies) {
    Plan plan = planes_of(1, 1, policy);
    if (policy == Policy::kShares) plan.shares = {3};
    plan.planes[0] = ring(8, false, 5);
    plan.planes[0].node_switch = {0, 4, 5, 6};
    plan.planes[0].node_start = {0, 2, 3, 4};
    CHECK(sent_by(plan, 0, std::vector<Listed>(3, {0, 1, 2048})) == (Flits{0, 24}));
    Engine engine(plan, listed({{0, 1, 2048}, {2, 0, 2048, 1000}}), 1);
    engine.run(3000);
    CHECK(engine.listed_arrived()[0] == 3 + 2 * 6 + 5 + 3 + 16);
    CHECK(engine.listed_arrived()[1] == 1000 + 3 + 3 * 6 + 2 * 5 + 3 + 16);
  }
}

// Node 1 has lost plane 0, node 2 plane 1; only plane 2 joins these two.
void test_a_lost_plane_is_left_out() {
  for (const Policy policy : kPolicies) {
    Plan plan = planes_of(2, 3, policy);
    if (policy == Policy::kShares) plan.shares = {1, 1, 1};
    for (std::uint32_t lost = 0; lost < 2; ++lost) {
      PlanePlan& plane = plan.planes[lost];
      plane.node_start =
          lost == 0 ? std::vector<std::uint32_t>{0, 1, 1, 2, 3} : std::vector<std::uint32_t>{0, 1, 2, 2, 3};
      plane.node_switch.erase(plane.node_switch.begin() + 1 + lost);
    }
    CHECK(sent_by(plan, 0, std::vector<Listed>(12, {0, 1, 2048})) == (Flits{0, 48, 48}));
    CHECK(sent_by(plan, 0, std::vector<Listed>(12, {0, 2, 2048})) == (Flits{48, 0, 48}));
    CHECK(sent_by(plan, 0, std::vector<Listed>(12, {0, 3, 2048})) == Flits(3, 32));
    CHECK(sent_by(plan, 1, std::vector<Listed>(12, {1, 2, 2048})) == (Flits{0, 96}));
    plan.planes.pop_back();
    if (policy == Policy::kShares) plan.shares.pop_back();
    CHECK(check::throws<std::invalid_argument>([&] { plan.check(); }));
  }
}

void test_hops_are_needed_if_ways_differ_in_length() {
  Plan plan = planes_of(2, 2, Policy::kSpray);
  for (PlanePlan& plane : plan.planes) plane.routes.hops.clear();
  CHECK(sent_by(plan, 0, std::vector<Listed>(4, {0, 3, 2048})) == (Flits{16, 16}));
  link_all(plan.planes[1], 2);
  CHECK(check::throws<std::invalid_argument>([&] { plan.check(); }));
  plan.policy = Policy::kNearest;
  CHECK(check::throws<std::invalid_argument>([&] { plan.check(); }));
}

}  // namespace

void test_ways() {
  test_spray_takes_planes_in_turn_whatever_their_distance();
  test_shares_are_exact_after_each_period();
  test_adaptive_takes_the_plane_with_fewest_flits_to_send();
  test_adaptive_follows_the_rates_of_the_planes();
  test_spill_takes_farther_planes_if_the_nearest_has_much_more_to_send();
  test_spill_is_nearest_below_the_threshold_whatever_the_ties();
  test_two_links_of_a_node_double_its_rate();
  test_a_node_at_two_switches_uses_the_nearer_one();
  test_a_lost_plane_is_left_out();
  test_hops_are_needed_if_ways_differ_in_length();
}
