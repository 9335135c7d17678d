// Random numbers, patterns and counters.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <stdexcept>
#include <utility>

#include "cases.hpp"
#include "check.hpp"
#include "suites.hpp"

namespace isoplane::sim {

struct Tamper {
  static void remove_a_credit(Engine& engine) { --engine.channels_[0].credits; }
};

}  // namespace isoplane::sim

namespace {

using namespace cases;

Plan star(std::uint32_t nodes) {
  Plan plan;
  plan.planes.push_back(uniform_attachment(cube(1, 4), nodes / 2));
  plan.switch_delay = 6;
  plan.buffer_flits = 32;
  return plan;
}

// P(gap > k) = (1 - p)^k: over 400,000 draws the fraction is within five standard deviations.
void test_gaps_are_geometric() {
  constexpr int kDraws = 400000;
  const double p = 1.0 / 300;
  const Gaps gaps(chance(1, 300), false);
  Random random(5, 0);
  int beyond[4] = {0, 0, 0, 0};
  const int limits[4] = {1, 100, 1000, 3000};  // some beyond the table
  for (int i = 0; i < kDraws; ++i) {
    std::uint64_t gap = 0;
    for (bool success = false; !success;) gap += gaps.draw(random, success);
    for (int k = 0; k < 4; ++k) beyond[k] += gap > static_cast<std::uint64_t>(limits[k]);
  }
  for (int k = 0; k < 4; ++k) {
    const double share = std::pow(1 - p, limits[k]);
    CHECK(std::abs(beyond[k] - kDraws * share) < 5 * std::sqrt(kDraws * share * (1 - share)));
  }
  bool success = false;
  CHECK(Gaps(0, true).draw(random, success) == 1 && success);  // certain
}

void test_histogram_classes_are_narrow() {
  for (std::uint64_t value = 0; value < 200000; value += 7) {
    const std::size_t index = Histogram::class_of(value);
    CHECK(Histogram::lower_end(index) <= value && value < Histogram::lower_end(index + 1));
    CHECK(value - Histogram::lower_end(index) <= value / 32);
  }
  CHECK(Histogram::class_of(~std::uint64_t{0}) == Histogram::kClasses - 1);
}

std::vector<std::uint64_t> received(TrafficPlan traffic, std::uint64_t messages, std::uint32_t nodes = 8) {
  traffic.max_created = messages;
  if (traffic.chance == 0 && traffic.period == 0) traffic.chance = chance(1, 64);
  Engine engine(star(nodes), traffic, 3);
  engine.run(10000000);
  CHECK(engine.ended());
  CHECK(engine.counters().all.messages == messages);
  return engine.counters().received;
}

void test_uniform_traffic_reaches_all_nodes_equally() {
  TrafficPlan traffic;
  for (const std::uint64_t count : received(traffic, 80000)) CHECK(std::abs(static_cast<double>(count) - 10000) < 500);
}

void test_all_to_all_traffic_visits_all_other_nodes_in_turn() {
  TrafficPlan traffic;
  traffic.pattern = Pattern::kAllToAll;
  traffic.period = 640;
  for (const std::uint64_t count : received(traffic, 8 * 7)) CHECK(count == 7);
}

void test_a_hot_spot_gets_its_share() {
  TrafficPlan traffic;
  traffic.pattern = Pattern::kHotSpot;
  traffic.table = {3};
  traffic.hot_chance = chance(1, 2);
  const auto found = received(traffic, 40000);
  // Half of the messages of the other 7 nodes and an equal share of their other half, but none of its own:
  // 7/8 · (1/2 + 1/2 · 1/7) of all
  CHECK(std::abs(static_cast<double>(found[3]) - 40000 * 7.0 / 8 * (0.5 + 0.5 / 7)) < 600);
}

void test_silent_nodes_send_nothing() {
  TrafficPlan traffic;
  traffic.pattern = Pattern::kTable;
  traffic.table = {1, kUnlisted, 2, 0, 4, 4, 7, 6};  // node 1 is silent, 2 and 4 would send to themselves
  const auto found = received(traffic, 1000);
  CHECK(found[2] == 0 && found[3] == 0 && found[5] == 0);
  CHECK(found[1] + found[0] + found[4] + found[6] + found[7] == 1000);
}

// Number of messages created by each node within `ticks`; they need not have arrived.
std::vector<std::uint64_t> sent(const TrafficPlan& traffic, Tick ticks) {
  Engine engine(star(8), traffic, 3);
  engine.run(ticks);
  CHECK(!engine.audit());
  return engine.counters().sent;
}

void test_a_certain_message_is_created_in_every_tick() {
  TrafficPlan traffic;
  traffic.certain = true;
  for (const std::uint64_t count : sent(traffic, 1000)) CHECK(count == 1000);
}

// Whole and fractional periods, shorter and longer than the calendar: t ticks have t / period messages.
void test_periodic_messages_keep_their_period() {
  for (const auto& [period, parts] : {std::pair{7, 1}, {16, 15}, {100, 3}, {5000, 1}, {10007, 3}}) {
    TrafficPlan traffic;
    traffic.period = period;
    traffic.period_parts = parts;
    const Tick exact = Tick{60000} * parts / period;
    for (const std::uint64_t count : sent(traffic, 60000)) CHECK(std::abs(static_cast<Tick>(count) - exact) <= 1);
  }
}

// Waiting nodes do not overtake each other: all send equally often, except for the random gaps of about 8 ticks after
// each message; a node sends about every 110 ticks.
void test_waiting_nodes_take_turns() {
  for (const Tick period : {0, 8}) {
    TrafficPlan traffic;
    traffic.chance = chance(1, 8);
    traffic.period = period;
    traffic.max_in_flight = 2;
    const auto counts = sent(traffic, 30000);
    const auto [min, max] = std::minmax_element(counts.begin(), counts.end());
    CHECK(*min > 250 && *max - *min < (period > 0 ? 3 : 10));
  }
}

// A waiting node creates nothing: only the ticks in which it does not wait are trials.
void test_the_waiting_time_of_nodes_is_counted() {
  TrafficPlan traffic;
  traffic.chance = chance(1, 64);
  traffic.max_in_flight = 3;
  Engine engine(star(8), traffic, 3);
  engine.run(400000);
  const double trials = 8 * 400000 - static_cast<double>(engine.counters().ticks_waiting);
  CHECK(trials < 0.9 * 8 * 400000);
  CHECK(std::abs(static_cast<double>(engine.counters().messages_created) / (trials / 64) - 1) < 0.02);
  traffic.max_in_flight = 0;
  Engine unlimited(star(8), traffic, 3);
  unlimited.run(1000);
  CHECK(unlimited.counters().ticks_waiting == 0);
}

// Long idle times are skipped.
void test_rare_messages_are_created_on_time() {
  TrafficPlan traffic;
  traffic.chance = chance(1, 20000);
  Engine whole(star(8), traffic, 7), pieces(star(8), traffic, 7);
  whole.run(10000000);
  for (Tick until = 0; until <= 10000000; until += 7777) pieces.run(until);
  pieces.run(10000000);
  CHECK(std::abs(static_cast<double>(whole.counters().messages_created) - 4000) < 5 * std::sqrt(4000));
  CHECK(whole.counters().sent == pieces.counters().sent);
  CHECK(whole.counters().all.network_sum == pieces.counters().all.network_sum);
}

// Running in pieces does not change the results.
void test_running_in_pieces_changes_nothing() {
  TrafficPlan traffic;
  traffic.chance = chance(1, 20);
  traffic.shortest_bits = 8;
  traffic.longest_bits = 8000;
  Engine whole(star(8), traffic, 7), pieces(star(8), traffic, 7);
  whole.run(20000);
  for (Tick until = 0; until <= 20000; until += 37) pieces.run(until);
  pieces.run(20000);
  CHECK(whole.counters().all.network_sum == pieces.counters().all.network_sum);
  CHECK(whole.counters().link_flits == pieces.counters().link_flits);
  CHECK(whole.counters().histogram.counts() == pieces.counters().histogram.counts());
  CHECK(!whole.audit());
}

void test_a_violated_law_stops_a_debug_build() {
  TrafficPlan traffic;
  traffic.chance = chance(1, 20);
  Engine engine(star(8), traffic, 7);
  engine.run(1000);
  CHECK(!engine.audit());
  Tamper::remove_a_credit(engine);
  CHECK(engine.audit());
#ifdef NDEBUG
  constexpr bool kAuditEnabled = false;
#else
  constexpr bool kAuditEnabled = true;
#endif
  CHECK(check::throws<std::logic_error>([&] { engine.run(2000); }) == kAuditEnabled);
}

void test_no_more_messages_than_allowed_are_in_flight() {
  TrafficPlan traffic;
  traffic.chance = chance(1, 4);
  traffic.max_in_flight = 5;
  Engine engine(star(8), traffic, 7);
  for (Tick until = 1; until < 3000; ++until) {
    engine.run(until);
    CHECK(engine.messages_alive() <= 5);
  }
  CHECK(engine.counters().all.messages > 200);
}

void test_inconsistent_plans_are_rejected() {
  const auto rejected = [](auto change) {
    Plan plan = star(8);
    TrafficPlan traffic;
    traffic.chance = chance(1, 8);
    change(plan, traffic);
    return check::throws<std::invalid_argument>([&] { Engine(plan, traffic, 1); });
  };
  CHECK(!rejected([](Plan&, TrafficPlan&) {}));
  CHECK(rejected([](Plan& plan, TrafficPlan&) { plan.buffer_flits = 7; }));
  CHECK(rejected([](Plan& plan, TrafficPlan&) { plan.channels = 17; }));
  CHECK(rejected([](Plan& plan, TrafficPlan&) { plan.planes[0].peer[0] = 2; }));
  CHECK(rejected([](Plan& plan, TrafficPlan&) { plan.planes[0].routes.next_port[1] = 1; }));
  CHECK(rejected([](Plan& plan, TrafficPlan&) { plan.planes.clear(); }));
  CHECK(rejected([](Plan&, TrafficPlan& traffic) { traffic.longest_bits = 0; }));
  CHECK(rejected([](Plan&, TrafficPlan& traffic) { traffic.table = {8}; }));
  CHECK(rejected([](Plan&, TrafficPlan& traffic) { traffic.chance = 0; }));
  CHECK(rejected([](Plan&, TrafficPlan& traffic) { traffic.period = 2, traffic.period_parts = 3; }));
  CHECK(rejected([](Plan&, TrafficPlan& traffic) { traffic = listed({{0, 8, 8}}); }));
}

}  // namespace

void test_traffic() {
  test_gaps_are_geometric();
  test_histogram_classes_are_narrow();
  test_uniform_traffic_reaches_all_nodes_equally();
  test_all_to_all_traffic_visits_all_other_nodes_in_turn();
  test_a_hot_spot_gets_its_share();
  test_silent_nodes_send_nothing();
  test_a_certain_message_is_created_in_every_tick();
  test_periodic_messages_keep_their_period();
  test_waiting_nodes_take_turns();
  test_the_waiting_time_of_nodes_is_counted();
  test_rare_messages_are_created_on_time();
  test_running_in_pieces_changes_nothing();
  test_a_violated_law_stops_a_debug_build();
  test_no_more_messages_than_allowed_are_in_flight();
  test_inconsistent_plans_are_rejected();
}
