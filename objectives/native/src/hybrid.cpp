#include "isoplane/hybrid.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

namespace isoplane {
void HybridPlan::check() const {
  const auto require = [](bool holds, const char* what) {
    if (!holds) throw std::invalid_argument(what);
  };
  require(groups >= 2 && nodes_per_group >= 1 && nodes() <= 1u << 16, "groups out of range");
  require(circuit_rate > 0 && (packet || (node_rate > 0 && up_rate > 0)), "rates out of range");
  if (packet) packet->check(nodes());
  require(inside_cost > 0 && circuit_cost > 0, "costs out of range");
  require(units.inside_delay >= 0 && units.between_delay >= 0 && units.circuit_delay >= 0, "delays out of range");
  const std::size_t count = source.size();
  require(count > 0 && destination.size() == count && bits.size() == count, "lists of different lengths");
  require(wait_start.size() == count + 1 && wait_start.back() == wait.size(), "dependencies out of range");
  for (std::size_t i = 0; i < count; ++i) {
    require(source[i] < nodes() && destination[i] < nodes(), "a process out of range");
    require(!packet || (std::fmod(bits[i], 8) == 0 && bits[i] < 0x1p34), "a message that is not of whole bytes");
    require(bits[i] > 0 || (bits[i] == 0 && source[i] == destination[i]), "an empty message");
    require(wait_start[i] <= wait_start[i + 1], "a message out of range");
  }
  for (const std::uint32_t message : wait) require(message < count, "a message that does not exist");
  require(begin_delay.empty() || begin_delay.size() == count, "delays of other messages");
  for (const double delay : begin_delay) require(delay >= 0 && delay < 0x1p52, "a delay out of range");
}

HybridModel::HybridModel(HybridPlan plan) : plan_(std::move(plan)) {
  plan_.check();
  const auto count = static_cast<std::uint32_t>(plan_.source.size());
  group_.resize(plan_.nodes());
  for (std::uint32_t node = 0; node < plan_.nodes(); ++node) group_[node] = node / plan_.nodes_per_group;
  successor_start_.assign(count + 1, 0);
  for (const std::uint32_t before : plan_.wait) ++successor_start_[before + 1];
  std::partial_sum(successor_start_.begin(), successor_start_.end(), successor_start_.begin());
  successor_.resize(plan_.wait.size());
  std::vector<std::uint32_t> at(successor_start_.begin(), successor_start_.end() - 1);
  for (std::uint32_t i = 0; i < count; ++i)
    for (std::uint32_t k = plan_.wait_start[i]; k < plan_.wait_start[i + 1]; ++k) successor_[at[plan_.wait[k]]++] = i;
  routes_.resize(count);
  order_.resize(count);
}

HybridTimes HybridModel::loads(const Circuits& circuits, const std::vector<std::uint32_t>& node_of) {
  if (node_of.size() != plan_.nodes()) throw std::invalid_argument("a placement with the wrong number of processes");
  first_run_ticks_.reset();
  set_circuits(circuits);
  std::iota(order_.begin(), order_.end(), 0u);
  std::stable_sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) {
    return node_of[plan_.destination[a]] < node_of[plan_.destination[b]];
  });
  std::uint32_t costs_of = plan_.nodes();
  for (const std::uint32_t message : order_) {
    const std::uint32_t to = node_of[plan_.destination[message]], from = node_of[plan_.source[message]];
    if (to != costs_of && group(from) != group(to)) set_costs(costs_of = to);
    route(message, from, to);
  }
  add_transfers();
  HybridTimes found;
  resource_bits_.assign(capacity_.size(), 0);
  for (std::uint32_t i = 0; i < transfers_.size(); ++i)
    for (std::uint32_t k = transfers_.use_start[i]; k < transfers_.use_start[i + 1]; ++k)
      resource_bits_[transfers_.use[k]] += transfers_.bits[i];
  for (std::size_t r = 0; r < resource_bits_.size(); ++r) {
    const double busy = resource_bits_[r] / capacity_[r];
    found.bottleneck_ns = std::max(found.bottleneck_ns, busy);
    found.total_ns += busy;
  }
  found.crowding_ns = crowding(found.bottleneck_ns);
  for (const auto& nodes : routes_) found.hops += static_cast<std::int64_t>(nodes.size()) - 1;
  return found;
}

double HybridModel::crowding(double bottleneck_ns) const {
  if (bottleneck_ns == 0) return 0;
  double sum = 0;
  for (std::size_t r = 0; r < resource_bits_.size(); ++r) {
    const double part = resource_bits_[r] / (capacity_[r] * bottleneck_ns);
    const double fourth = part * part * part * part;
    sum += fourth * fourth;
  }
  return bottleneck_ns * std::pow(sum, 0.125);
}

double HybridModel::ticks_of_run(std::uint32_t run) {
  if (run > 0) return compute_run(run, nullptr);
  if (!first_run_ticks_) first_run_ticks_ = compute_run(0, nullptr);
  return *first_run_ticks_;
}

double HybridModel::compute_run(std::uint32_t run, std::vector<double>* arrival_ticks) {
  if (plan_.units.circuit_rate <= 0) throw std::invalid_argument("a plan without units of the fluid model");
  transfers_.hold.assign(transfers_.size(), 0);
  for (std::uint32_t i = 0; i + 1 < first_stage_.size(); ++i)
    std::fill(transfers_.hold.begin() + stage_start_[first_stage_[i]],
              transfers_.hold.begin() + stage_start_[first_stage_[i] + 1],
              (plan_.begin_delay.empty() ? 0 : plan_.begin_delay[i]) + (run > 0 ? hold_of(run, i) : 0));
  return fluid_.completion(transfers_, arrival_ticks);
}

Completion HybridModel::completion() {
  std::array<double, Completion::kRuns> ticks{};
  for (std::uint32_t run = 0; run < ticks.size(); ++run) ticks[run] = ticks_of_run(run);
  std::sort(ticks.begin(), ticks.end());
  return {nearest_ns(ticks.front()), nearest_ns(ticks[ticks.size() / 2]), nearest_ns(ticks.back())};
}

std::int64_t HybridModel::median_ns(std::int64_t limit) {
  constexpr std::uint32_t kHalf = Completion::kRuns / 2;
  std::array<std::int64_t, Completion::kRuns> times{};
  for (std::uint32_t run = 0, above = 0; run < times.size(); ++run) {
    times[run] = nearest_ns(ticks_of_run(run));
    if (times[run] > limit && ++above > kHalf) return times[run];
  }
  std::nth_element(times.begin(), times.begin() + kHalf, times.end());
  return times[kHalf];
}

std::vector<double> HybridModel::arrivals_ns() {
  const std::int64_t median = completion().median_ns;
  std::uint32_t run = 0;
  std::vector<double> arrival_ticks, arrivals;
  while (nearest_ns(compute_run(run, &arrival_ticks)) != median) ++run;
  for (std::size_t i = 1; i < first_stage_.size(); ++i) {
    const auto first = arrival_ticks.begin() + stage_start_[first_stage_[i] - 1];
    const auto last = arrival_ticks.begin() + stage_start_[first_stage_[i]];
    arrivals.push_back(std::ldexp(*std::max_element(first, last), -static_cast<int>(plan_.units.ticks_log2)));
  }
  return arrivals;
}

void HybridModel::set_circuits(const Circuits& circuits) {
  const std::uint32_t nodes = plan_.nodes(), links = plan_.links();
  circuits_of_.assign(nodes, {});
  if (plan_.packet) {
    capacity_ = plan_.packet->rate;
    transfers_.capacity = plan_.packet->capacity;
  } else {
    capacity_.assign(2 * nodes, plan_.node_rate);
    capacity_.resize(links, plan_.up_rate);
    transfers_.capacity.assign(2 * nodes, plan_.units.node_rate);
    transfers_.capacity.resize(links, plan_.units.up_rate);
  }
  capacity_.resize(links + 2 * circuits.size(), plan_.circuit_rate);
  transfers_.capacity.resize(links + 2 * circuits.size(), plan_.units.circuit_rate);
  for (std::uint32_t i = 0; i < circuits.size(); ++i) {
    const auto [a, b] = circuits[i];
    if (a >= nodes || b >= nodes || group(a) == group(b)) throw std::invalid_argument("a circuit out of range");
    circuits_of_[a].push_back({b, links + 2 * i});
    circuits_of_[b].push_back({a, links + 2 * i + 1});
  }
  owners_.clear();
  owner_start_.assign(plan_.groups + 1, 0);
  costs_group_ = plan_.groups;
  for (std::uint32_t node = 0; node < nodes; ++node) {
    if (circuits_of_[node].empty()) continue;
    owners_.push_back(node);
    ++owner_start_[group(node) + 1];
    std::sort(circuits_of_[node].begin(), circuits_of_[node].end(), [](const CircuitEnd& a, const CircuitEnd& b) {
      return std::pair(a.node, a.circuit) < std::pair(b.node, b.circuit);
    });
  }
  std::partial_sum(owner_start_.begin(), owner_start_.end(), owner_start_.begin());
}

// Distance vectors towards one node, exchanged until none changes. The part common to all destinations of a group,
// which the other nodes of the group reach over the edge switch, is computed once per group.
void HybridModel::set_costs(std::uint32_t destination) {
  if (group(destination) != costs_group_) set_group_costs(group(destination));
  cost_ = common_cost_;
  min_cost_ = common_min_cost_;
  cost_[destination] = 0;
  advertise(destination);
  exchange();
}

void HybridModel::set_group_costs(std::uint32_t destination_group) {
  costs_group_ = destination_group;
  cost_.assign(plan_.nodes(), kFar);
  min_cost_.assign(plan_.groups, kFar);
  std::fill_n(cost_.begin() + destination_group * plan_.nodes_per_group, plan_.nodes_per_group, plan_.inside_cost);
  for (std::uint32_t i = owner_start_[destination_group]; i < owner_start_[destination_group + 1]; ++i)
    advertise(owners_[i]);
  exchange();
  common_cost_ = cost_;
  common_min_cost_ = min_cost_;
}

void HybridModel::exchange() {
  for (std::size_t i = 0; i < changed_.size(); ++i) {
    const std::uint32_t node = changed_[i], own = group(node);
    advertise(node);
    if (cost_[node] >= min_cost_[own]) continue;
    min_cost_[own] = cost_[node];
    for (std::uint32_t k = owner_start_[own]; k < owner_start_[own + 1]; ++k)
      lower(owners_[k], min_cost_[own] + plan_.inside_cost);
  }
  changed_.clear();
}

// Advertises the cost of a node over its circuits.
void HybridModel::advertise(std::uint32_t node) {
  for (const CircuitEnd& circuit : circuits_of_[node])
    if (group(circuit.node) != costs_group_) lower(circuit.node, cost_[node] + plan_.circuit_cost);
}

void HybridModel::lower(std::uint32_t node, std::int64_t cost) {
  if (cost >= cost_[node]) return;
  cost_[node] = cost;
  changed_.push_back(node);
}

void HybridModel::route(std::uint32_t message, std::uint32_t source, std::uint32_t destination) {
  auto& nodes = routes_[message];
  nodes.assign(1, source);
  while (nodes.back() != destination) nodes.push_back(next_node(nodes.back(), destination));
}

// A node prefers its own circuit to a neighbour's; among choices of equal cost the nodes of a group take turns.
// Parallel circuits count as one edge in routing.
std::uint32_t HybridModel::next_node(std::uint32_t node, std::uint32_t destination) const {
  const std::uint32_t own = group(node), rank = node % plan_.nodes_per_group;
  if (own == group(destination) || min_cost_[own] >= kFar) return destination;
  const std::int64_t here = std::min(cost_[node], min_cost_[own] + plan_.inside_cost);
  std::uint32_t count = 0, before = plan_.nodes();
  const auto on_shortest_route = [&](const CircuitEnd& circuit) {
    const bool other = circuit.node != std::exchange(before, circuit.node);
    return other && cost_[circuit.node] + plan_.circuit_cost == here;
  };
  for (const CircuitEnd& circuit : circuits_of_[node]) count += on_shortest_route(circuit) ? 1 : 0;
  if (count > 0) {
    std::uint32_t skip = rank % count;
    before = plan_.nodes();
    for (const CircuitEnd& circuit : circuits_of_[node])
      if (on_shortest_route(circuit) && skip-- == 0) return circuit.node;
  }
  const auto first = owners_.begin() + owner_start_[own], last = owners_.begin() + owner_start_[own + 1];
  const auto leads_on = [&](std::uint32_t owner) { return cost_[owner] + plan_.inside_cost == here; };
  std::uint32_t skip = rank % static_cast<std::uint32_t>(std::count_if(first, last, leads_on));
  for (auto owner = first; owner != last; ++owner)
    if (leads_on(*owner) && skip-- == 0) return *owner;
  throw std::logic_error("a node without a next node");
}

}  // namespace isoplane
