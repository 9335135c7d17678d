// Selection of the path of a packet.
#include <stdexcept>

#include "cases.hpp"
#include "check.hpp"
#include "suites.hpp"

namespace {

using namespace cases;

Plan mesh_of(std::uint32_t size, PathSelection selection) {
  Plan plan;
  plan.planes = {with_detours(full_mesh(size, 3))};
  plan.path_selection = selection;
  plan.switch_delay = 6;
  plan.node_cable = 2;
  plan.buffer_flits = 24;
  plan.output_flits = 16;
  return plan;
}

// Number of flits over each link between switches, in the order of switches and ports, for a list of messages.
std::vector<std::uint64_t> link_flits(const Plan& plan, const std::vector<Listed>& messages, std::uint64_t seed = 1) {
  Engine engine(plan, listed(messages), seed);
  engine.run(1000000);
  CHECK(engine.ended() && !engine.audit());
  std::vector<std::uint64_t> flits;
  const auto links = engine.links();
  for (std::size_t i = 0; i < links.size(); ++i)
    if (links[i].from < plan.planes[0].switches && links[i].to < plan.planes[0].switches)
      flits.push_back(engine.counters().link_flits[i]);
  return flits;
}

// From 0 to 3 in a mesh of 4, packets go over 1 or 2: ports 0 and 1 of switch 0, then port 1 of 1, port 0 of 2.
void test_valiant_takes_two_hops_over_each_other_switch() {
  const auto flits = link_flits(mesh_of(4, PathSelection::kValiant), std::vector<Listed>(100, {0, 3, 2048}));
  CHECK(flits[2] == 0);  // the direct link
  CHECK(flits[0] + flits[1] == 800 && flits[0] == flits[3 + 1] && flits[1] == flits[6 + 0]);
  CHECK(flits[0] % 8 == 0 && flits[0] >= 200 && flits[0] <= 600);  // 50 packets, standard deviation 5
}

// Two nodes at switch 0 offer twice the rate of the direct link to switch 3.
void test_ugal_is_minimal_for_single_packets_and_divides_many() {
  Plan plan = mesh_of(4, PathSelection::kUgal);
  std::vector<Listed> apart;
  for (std::uint32_t i = 0; i < 50; ++i) apart.push_back({0, 3, 2048, Tick{1000} * i, {}});
  auto flits = link_flits(plan, apart);
  CHECK(flits[2] == 400 && flits[0] == 0 && flits[1] == 0);
  plan.planes[0] = uniform_attachment(std::move(plan.planes[0]), 2);
  std::vector<Listed> many;
  for (std::uint32_t i = 0; i < 400; ++i) many.push_back({i % 2, 6 + i % 2, 2048, 0, {}});
  flits = link_flits(plan, many);
  CHECK(flits[0] + flits[1] + flits[2] == 3200);
  CHECK(flits[2] > flits[0] && flits[2] > flits[1] && flits[2] < 3200);
  plan.ugal_bias = std::int64_t{1} << 40;
  CHECK(link_flits(plan, many)[2] == 3200);
}

void test_the_seed_determines_the_paths() {
  const Plan plan = mesh_of(5, PathSelection::kValiant);
  const std::vector<Listed> messages(60, {1, 4, 2048});
  CHECK(link_flits(plan, messages, 3) == link_flits(plan, messages, 3));
  CHECK(link_flits(plan, messages, 3) != link_flits(plan, messages, 4));
}

void test_incomplete_detours_are_rejected() {
  const auto rejects = [](const Plan& plan) {
    return check::throws<std::invalid_argument>([&] { Engine(plan, listed({{0, 1, 8}}), 1); });
  };
  Plan plan = mesh_of(4, PathSelection::kValiant);
  CHECK(!rejects(plan));
  plan.planes[0].detours.entry[1] = 4;
  CHECK(rejects(plan));
  plan = mesh_of(4, PathSelection::kValiant);
  plan.planes[0].detours.next_port[1] = 3;  // ports 0 to 2
  CHECK(rejects(plan));
  plan = mesh_of(4, PathSelection::kValiant);
  plan.planes[0].detours.region.pop_back();
  CHECK(rejects(plan));
  CHECK(rejects(mesh_of(2, PathSelection::kUgal)));
  plan = mesh_of(4, PathSelection::kUgal);
  plan.planes[0].routes.hops.clear();
  CHECK(rejects(plan));
}

// Nodes 0 and 1 of three groups of two send to nodes 4 and 5.
void test_group_shift_sends_to_all_nodes_of_the_other_group() {
  Plan plan = mesh_of(6, PathSelection::kMinimal);
  TrafficPlan traffic;
  traffic.pattern = Pattern::kGroupShift;
  traffic.chance = chance(1, 10);
  traffic.max_created = 300;
  traffic.group_nodes = 2;
  traffic.group_shift = 2;
  Engine engine(plan, traffic, 1, {{0, 4}, {0, 5}, {1, 4}, {1, 5}});
  engine.run(1000000);
  CHECK(engine.ended() && !engine.audit());
  const auto& pairs = engine.counters().by_pair;
  for (const Latencies& pair : pairs) CHECK(pair.messages > 5);
  CHECK(pairs[0].messages + pairs[1].messages == engine.counters().sent[0]);
  CHECK(pairs[2].messages + pairs[3].messages == engine.counters().sent[1]);
  traffic.group_shift = 3;
  CHECK(check::throws<std::invalid_argument>([&] { Engine(plan, traffic, 1); }));
  traffic.group_nodes = 4;
  traffic.group_shift = 1;
  CHECK(check::throws<std::invalid_argument>([&] { Engine(plan, traffic, 1); }));
}

}  // namespace

void test_paths() {
  test_valiant_takes_two_hops_over_each_other_switch();
  test_ugal_is_minimal_for_single_packets_and_divides_many();
  test_the_seed_determines_the_paths();
  test_incomplete_detours_are_rejected();
  test_group_shift_sends_to_all_nodes_of_the_other_group();
}
