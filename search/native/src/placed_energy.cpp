// The energy of a walk over graphs and places, and the metrics that it is made of.
#include <algorithm>
#include <array>
#include <cmath>

#include "isoplane/placed_walk.hpp"

namespace isoplane {
namespace {

// Weights in the energy, as for connection sets (goal.cpp).
constexpr double kTieWeight = 0.02;
constexpr double kBeyond = 3;     // hops for each hop beyond the diameter that is aimed at
constexpr double kMost = 1e15;    // hops in all: more than there are
constexpr double kTooLong = 0.5;  // for all cables of the longest kind, while these should become fewer
constexpr std::array kDiameters{Metric::kDiameter, Metric::kCableFaultDiameter, Metric::kSwitchFaultDiameter,
                                Metric::kRackFaultDiameter};

// The size of a sum, or that of a limit, which is its constant; never 0.
double size_of(double value) { return value == 0 ? 1 : std::fabs(value); }

double size_of(const Sum& limit) {
  double constant = 0;
  for (const Term& term : limit)
    if (term.factors.empty()) constant += term.rounded_weight;
  return size_of(constant);
}

}  // namespace

// The delay is that of links which all carry the mean load: routes, by which it differs a little, are not known here.
ExactMetrics PlacedWalk::metrics(const DistanceSums& sums, const Losses& losses) const {
  ExactMetrics found{};
  const auto set = [&](Metric metric, std::int64_t value) { found[static_cast<std::size_t>(metric)] = value; };
  std::int64_t length = 0, price = task_->fixed_cents, longest = task_->node_cable_mm;
  for (std::size_t kind = 0; kind < cables_.size(); ++kind) {
    length += cables_[kind] * task_->length_mm[kind];
    price += cables_[kind] * task_->price_cents[kind];
    if (cables_[kind] > 0) longest = std::max(longest, task_->length_mm[kind]);
  }
  const std::int64_t hops = sums.hops * task_->nodes * task_->nodes, cables = graph_->stubs() / 2;
  const std::int64_t all = task_->nodes * task_->vertices;
  const Int128 delay = static_cast<Int128>(hops) * (task_->hop * cables + task_->cable_mm * length) / cables;
  set(Metric::kSumOfDistances, hops);
  set(Metric::kDiameter, sums.diameter);
  set(Metric::kCableFaultDiameter, losses.edge_diameter);
  set(Metric::kSwitchFaultDiameter, losses.vertex_diameter);
  set(Metric::kCableFaultHops, losses.edge_hops * task_->nodes * task_->nodes);
  set(Metric::kRackFaultDiameter, losses.rack.diameter);
  set(Metric::kRackFaultAspl, losses.rack.mean);
  set(Metric::kCableLength, length);
  set(Metric::kCost, price);
  set(Metric::kLongestCable, longest);
  set(Metric::kDelay, static_cast<std::int64_t>(delay) + task_->endpoint * all * all);
  return found;
}

// What the longest cables need beyond the next shorter kind: few moves replace the last of them, but many shorten some.
double PlacedWalk::too_long() const {
  std::size_t kind = cables_.size() - 1;
  while (kind > 0 && cables_[kind] == 0) --kind;
  if (kind == 0) return 0;
  const std::int64_t shorter = task_->length_mm[kind - 1];
  const auto beyond = static_cast<double>(needed_mm_[kind] - cables_[kind] * shorter);
  const double share = beyond / static_cast<double>(task_->length_mm[kind] - shorter);
  return kTooLong * (share + static_cast<double>(cables_[kind])) / graph_->stubs();
}

double PlacedWalk::pressure() const { return task_->score.limits().empty() ? 1 : penalty_; }

// About 1 for the start, if it meets the limits.
double PlacedWalk::energy(const DistanceSums& sums, const Losses& losses) const {
  const Scalarisation& score = task_->score;
  ExactMetrics found = metrics(sums, losses);
  const bool presses = score.limits().empty() ? !cycle_.from_best() : score.excess(found) > 0;
  double sum = 0;
  if (score.uses(Metric::kLongestCable) && presses) sum += pressure() * too_long();
  const std::int64_t beyond_after = losses.beyond + (score.uses(Metric::kRackFaultDiameter) ? losses.rack_beyond : 0);
  std::int64_t beyond = beyond_after;
  for (const Metric metric : kDiameters) {
    if (!score.uses(metric)) continue;
    if (beyond == beyond_after) beyond += sums.beyond;
    auto& diameter = found[static_cast<std::size_t>(metric)];
    diameter = std::min(diameter, aim(metric));
  }
  sum += pressure() * kBeyond * static_cast<double>(beyond) / static_cast<double>(sums.hops);
  for (std::size_t c = 0; c < score.size(); ++c)
    sum += (c == 0 ? 1 : kTieWeight) * score.approximate(c, found) / size_of(score.approximate(c, reference_));
  for (const Sum& limit : score.limits())
    sum += penalty_ * std::max(0.0, Scalarisation::approximate(limit, found)) / size_of(limit);
  return sum;
}

std::int64_t PlacedWalk::most_beyond(const DistanceSums& sums, double room) const {
  const double most = room * static_cast<double>(sums.hops) / (pressure() * kBeyond);
  return static_cast<std::int64_t>(std::min(most, kMost)) + 1;
}

// Pairs beyond this diameter count by what their distances exceed it by, so that moves tell whether they become fewer.
std::int64_t PlacedWalk::aim(Metric metric) const {
  const bool shorter = task_->score.limits().empty() ? !cycle_.from_best() : best_score_.part[0] > 0;
  return std::max<std::int64_t>(1, best_metrics_[static_cast<std::size_t>(metric)] - shorter);
}

// That of whole graphs: the first diameter that matters, as no loss makes a distance shorter.
std::int64_t PlacedWalk::aim() const {
  for (const Metric metric : kDiameters)
    if (task_->score.uses(metric)) return aim(metric);
  return aim(Metric::kDiameter);
}

Losses PlacedWalk::aims() const {
  return {aim(Metric::kCableFaultDiameter), aim(Metric::kSwitchFaultDiameter), 0, 0, {aim(Metric::kRackFaultDiameter)}};
}

Losses PlacedWalk::least_losses(const DistanceSums& sums) const {
  Losses least = GraphLosses::least(sums);
  if (lost_racks_) least.rack = lost_racks_->least(sums);
  return least;
}

// Takes the current graph, and keeps it if it is the best one.
void PlacedWalk::accept(double energy_after) {
  energy_ = energy_after;
  const ExactMetrics found = metrics(sums_, losses_);
  const Score score = task_->score(found);
  if (!(score < best_score_)) return;
  const auto all = [this] {
    const Losses each = aims();
    return std::array{aim(), each.edge_diameter, each.vertex_diameter, each.rack.diameter};
  };
  const std::array before = all();
  best_ = current();
  best_score_ = score;
  best_metrics_ = found;
  if (all() != before) enter(current());
}

}  // namespace isoplane
