// The fluid model: max-min fairness at every moment, and what must hold of hybrid networks.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <random>
#include <stdexcept>
#include <vector>

#include "check.hpp"
#include "isoplane/fluid.hpp"
#include "isoplane/hybrid.hpp"

namespace {

using isoplane::Fluid;
using isoplane::HybridModel;
using isoplane::HybridPlan;
using isoplane::Relay;
using isoplane::Transfers;

using Generator = std::mt19937_64;

std::uint32_t below(Generator& random, std::uint32_t bound) { return static_cast<std::uint32_t>(random() % bound); }

bool near(double a, double b) { return std::abs(a - b) <= 1e-9 * std::max(std::abs(a), std::abs(b)) + 1e-2; }

Transfers transfers_of(Generator& random, std::uint32_t resources, std::uint32_t count) {
  Transfers all;
  for (std::uint32_t r = 0; r < resources; ++r) all.capacity.push_back(1 + below(random, 40));
  all.use_start.push_back(0);
  std::vector<std::vector<std::uint32_t>> next(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    all.bits.push_back(1 + below(random, 1000));
    all.latency_ns.push_back(below(random, 50));
    std::vector<std::uint32_t> every(resources);
    std::iota(every.begin(), every.end(), 0u);
    std::shuffle(every.begin(), every.end(), random);
    every.resize(1 + below(random, std::min(resources, 6u)));
    all.use.insert(all.use.end(), every.begin(), every.end());
    all.use_start.push_back(static_cast<std::uint32_t>(all.use.size()));
    all.waits.push_back(0);
    for (std::uint32_t before = 0; before < i; ++before) {
      if (below(random, std::max(8u, count / 2)) != 0) continue;
      next[before].push_back(i);
      ++all.waits[i];
    }
  }
  all.next_start.push_back(0);
  for (const auto& own : next) {
    all.next.insert(all.next.end(), own.begin(), own.end());
    all.next_start.push_back(static_cast<std::uint32_t>(all.next.size()));
  }
  return all;
}

// Progressive filling over all transfers from scratch, at every moment.
std::vector<double> filled(const Transfers& all, const std::vector<bool>& active) {
  std::vector<double> rate(all.size(), 0), free = all.capacity;
  std::vector<bool> open = active;
  for (;;) {
    double least = INFINITY;
    std::size_t full = 0;
    std::vector<std::uint32_t> users(free.size(), 0);
    for (std::uint32_t i = 0; i < all.size(); ++i)
      for (std::uint32_t k = all.use_start[i]; open[i] && k < all.use_start[i + 1]; ++k) ++users[all.use[k]];
    for (std::size_t r = 0; r < free.size(); ++r)
      if (users[r] > 0 && free[r] / users[r] < least) {
        least = free[r] / users[r];
        full = r;
      }
    if (std::isinf(least)) return rate;
    for (std::uint32_t i = 0; i < all.size(); ++i) {
      const auto first = all.use.begin() + all.use_start[i], last = all.use.begin() + all.use_start[i + 1];
      if (!open[i] || std::find(first, last, full) == last) continue;
      open[i] = false;
      rate[i] = least;
      for (auto resource = first; resource != last; ++resource) free[*resource] -= least;
    }
  }
}

std::vector<double> course(const Transfers& all) {
  const std::size_t count = all.size();
  std::vector<double> left = all.bits, over(count, INFINITY);
  std::vector<std::uint32_t> waits = all.waits;
  std::vector<bool> active(count), told(count, false);
  for (std::size_t i = 0; i < count; ++i) active[i] = waits[i] == 0;
  for (double now = 0;;) {
    const std::vector<double> rate = filled(all, active);
    double next = INFINITY;
    for (std::size_t i = 0; i < count; ++i) {
      if (active[i]) next = std::min(next, now + left[i] / rate[i]);
      if (!told[i]) next = std::min(next, over[i]);
    }
    if (std::isinf(next)) return over;
    for (std::size_t i = 0; i < count; ++i) {
      if (!active[i]) continue;
      left[i] -= rate[i] * (next - now);
      if (left[i] > 1e-6) continue;
      active[i] = false;
      over[i] = next + all.latency_ns[i];
    }
    now = next;
    for (std::size_t i = 0; i < count; ++i) {
      if (told[i] || over[i] > now) continue;
      told[i] = true;
      for (std::uint32_t k = all.next_start[i]; k < all.next_start[i + 1]; ++k)
        if (--waits[all.next[k]] == 0) active[all.next[k]] = true;
    }
  }
}

void ends_as_filling_from_scratch_says(Fluid& fluid, const Transfers& all) {
  std::vector<double> over;
  const double last = fluid.completion_ns(all, &over);
  const std::vector<double> expected = course(all);
  bool same = near(last, *std::max_element(expected.begin(), expected.end()));
  for (std::size_t i = 0; i < over.size(); ++i) same = same && near(over[i], expected[i]);
  CHECK(same);
}

void transfers_end_when_filling_from_scratch_says() {
  Generator random(1);
  Fluid fluid;
  for (int repeat = 0; repeat < 400; ++repeat) {
    const std::uint32_t resources = 1 + below(random, 6), count = 1 + below(random, 20);
    ends_as_filling_from_scratch_says(fluid, transfers_of(random, resources, count));
  }
  for (int repeat = 0; repeat < 10; ++repeat)  // more than a block of transfers under way and of resources
    ends_as_filling_from_scratch_says(fluid, transfers_of(random, 20 + below(random, 60), 200));
}

HybridPlan plan_of(Generator& random) {
  HybridPlan plan;
  plan.groups = 2 + below(random, 3);
  plan.nodes_per_group = 1 + below(random, 4);
  plan.node_rate = 10;
  plan.up_rate = 20;
  plan.circuit_rate = 32;
  plan.inside_cost = 32;
  plan.circuit_cost = 5;
  plan.inside_ns = 460;
  plan.between_ns = 1340;
  plan.circuit_ns = 80;
  plan.wait_start = {0};
  for (std::uint32_t i = 0; i < 10; ++i) {
    const std::uint32_t a = below(random, plan.nodes()), b = below(random, plan.nodes());
    if (a == b) continue;
    plan.source.push_back(a);
    plan.destination.push_back(b);
    plan.bits.push_back(1 + below(random, 100000));
    plan.wait_start.push_back(0);
  }
  if (plan.source.empty()) {
    plan.source = {0};
    plan.destination = {1};
    plan.bits = {1};
    plan.wait_start = {0, 0};
  }
  return plan;
}

void nothing_is_faster_than_its_busiest_link() {
  Generator random(2);
  for (int repeat = 0; repeat < 200; ++repeat) {
    HybridPlan plan = plan_of(random);
    std::vector<std::uint32_t> node_of(plan.nodes());
    std::iota(node_of.begin(), node_of.end(), 0u);
    HybridModel::Circuits circuits;
    if (below(random, 2) == 0) circuits.emplace_back(0, plan.nodes_per_group);
    for (const Relay relay : {Relay::kMessages, Relay::kPackets}) {
      plan.relay = relay;
      HybridModel model(plan);
      const auto found = model.evaluate(circuits, node_of);
      CHECK(found.completion_ns >= found.bottleneck_ns && found.total_ns >= found.bottleneck_ns);
      CHECK(found.crowding_ns >= found.bottleneck_ns * (1 - 1e-12));
      CHECK(near(model.completion_ns(), found.completion_ns));
    }
  }
}

void models_refuse_what_does_not_fit() {
  Generator random(3);
  HybridPlan plan = plan_of(random);
  HybridModel model(plan);
  std::vector<std::uint32_t> node_of(plan.nodes());
  std::iota(node_of.begin(), node_of.end(), 0u);
  CHECK(check::throws<std::invalid_argument>([&] { model.loads({{0, plan.nodes()}}, node_of); }));
  node_of.pop_back();
  CHECK(check::throws<std::invalid_argument>([&] { model.loads({}, node_of); }));
  plan.destination[0] = plan.source[0];
  CHECK(check::throws<std::invalid_argument>([&] { HybridModel refused(plan); }));
}

}  // namespace

void test_fluid() {
  transfers_end_when_filling_from_scratch_says();
  nothing_is_faster_than_its_busiest_link();
  models_refuse_what_does_not_fit();
}
