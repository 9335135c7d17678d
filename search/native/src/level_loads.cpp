#include "isoplane/level_loads.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace isoplane {
namespace {

double eighth_power(double value) {
  const double square = value * value, fourth = square * square;
  return fourth * fourth;
}
double eighth_root(double value) { return std::sqrt(std::sqrt(std::sqrt(value))); }

}  // namespace

void LevelTask::check() const {
  const std::size_t messages = source.size();
  if (n < 1 || n > kMaxN || nodes_per_switch == 0 || repetitions.empty() ||
      level_start.size() != repetitions.size() + 1 || level_start.front() != 0 || level_start.back() != messages ||
      !std::is_sorted(level_start.begin(), level_start.end()) || destination.size() != messages ||
      bytes.size() != messages || half.size() != messages)
    throw std::invalid_argument("a malformed workload");
  for (std::size_t i = 0; i < messages; ++i)
    if (source[i] >= nodes() || destination[i] >= nodes() || source[i] == destination[i] || half[i] < 0 ||
        half[i] > bytes[i])
      throw std::invalid_argument("a message outside the network");
}

LevelLoads::LevelLoads(std::shared_ptr<const LevelTask> task) : task_(std::move(task)) {
  task_->check();
  const std::size_t switches = std::size_t{1} << task_->n;
  ports_ = static_cast<std::size_t>(task_->n) + (task_->folded ? 1 : 0);
  first_node_link_ = kPlanes * switches * ports_;
  load_.assign(first_node_link_ + kPlanes * 2 * task_->nodes(), 0);
  sum_ = load_;
  for (Plane& plane : planes_) {
    plane.value.assign(switches, 0);
    plane.hops.assign(switches, 0);
  }
}

LevelTotals LevelLoads::operator()(const Basis& basis) {
  route(basis);
  std::fill(sum_.begin(), sum_.end(), 0);
  LevelTotals totals;
  const LevelTask& task = *task_;
  for (std::size_t level = 0; level < task.repetitions.size(); ++level) {
    for (std::uint32_t i = task.level_start[level]; i < task.level_start[level + 1]; ++i) {
      const std::uint32_t source = task.source[i], destination = task.destination[i];
      const std::uint32_t offset = source / task.nodes_per_switch ^ destination / task.nodes_per_switch;
      const int gain = planes_[0].hops[offset] - planes_[1].hops[offset];
      const std::int64_t first = gain == 0 ? task.half[i] : gain < 0 ? task.bytes[i] : 0;
      send(0, source, destination, first);
      send(1, source, destination, task.bytes[i] - first);
    }
    end_level(task.repetitions[level], totals);
  }
  for (const std::int64_t sum : sum_) {
    totals.busiest = std::max(totals.busiest, sum);
    totals.busiest_spread += eighth_power(static_cast<double>(sum));
  }
  totals.busiest_spread = eighth_root(totals.busiest_spread);
  return totals;
}

// Plane 0 is the unit basis. A route takes its generators in ascending order, so plane 1 sorts them.
void LevelLoads::route(const Basis& basis) {
  const auto n = static_cast<std::size_t>(task_->n);
  Columns order{};
  for (std::uint32_t k = 0; k < n; ++k) order[k] = k;
  const std::uint32_t* columns = basis.columns();
  std::sort(order.begin(), order.begin() + n,
            [columns](std::uint32_t a, std::uint32_t b) { return columns[a] < columns[b]; });
  Columns unit_value{};  // of the unit vectors, in plane 1
  for (std::uint32_t i = 0; i < n; ++i) {
    const std::uint32_t value = basis.coordinates(1u << i);
    for (std::uint32_t k = 0; k < n; ++k) unit_value[i] |= (value >> order[k] & 1u) << k;
  }
  for (std::size_t p = 0; p < kPlanes; ++p) {
    Plane& plane = planes_[p];
    std::uint32_t all = 0;
    for (std::size_t k = 0; k < n; ++k) all ^= plane.links[k] = p == 0 ? 1u << k : columns[order[k]];
    plane.links[n] = all;
    for (std::uint32_t offset = 1; offset < plane.value.size(); ++offset) {
      const auto lowest = static_cast<std::size_t>(std::countr_zero(offset));
      plane.value[offset] = plane.value[offset & (offset - 1)] ^ (p == 0 ? 1u << lowest : unit_value[lowest]);
      const int weight = std::popcount(plane.value[offset]);
      const bool over_folded = task_->folded && 2 * weight > task_->n + 1;
      plane.hops[offset] = static_cast<std::uint8_t>(over_folded ? task_->n + 1 - weight : weight);
    }
  }
}

void LevelLoads::send(std::size_t plane, std::uint32_t source, std::uint32_t destination, std::int64_t bytes) {
  if (bytes == 0) return;
  const Plane& of = planes_[plane];
  const std::uint32_t target = destination / task_->nodes_per_switch;
  std::uint32_t at = source / task_->nodes_per_switch;
  std::uint32_t value = of.value[at ^ target];
  const auto n = static_cast<std::size_t>(task_->n);
  const std::size_t first = plane << n;
  if (std::popcount(value) != of.hops[at ^ target]) {
    add((first + at) * ports_ + n, bytes);
    at ^= of.links[n];
    value ^= (1u << n) - 1;
  }
  for (; value != 0; value &= value - 1) {
    const auto port = static_cast<std::size_t>(std::countr_zero(value));
    add((first + at) * ports_ + port, bytes);
    at ^= of.links[port];
  }
  const std::size_t nodes = task_->nodes(), node_link = first_node_link_ + 2 * plane * nodes;
  add(node_link + source, bytes);
  add(node_link + nodes + destination, bytes);
}

void LevelLoads::add(std::size_t link, std::int64_t bytes) {
  if (load_[link] == 0) touched_.push_back(static_cast<std::uint32_t>(link));
  load_[link] += bytes;
}

void LevelLoads::end_level(std::int64_t repetitions, LevelTotals& totals) {
  double spread = 0;
  std::int64_t peak = 0;
  for (const std::uint32_t link : touched_) {
    const std::int64_t load = load_[link];
    peak = std::max(peak, load);
    spread += eighth_power(static_cast<double>(load));
    sum_[link] += repetitions * load;
    totals.total += repetitions * load;
    load_[link] = 0;
  }
  totals.levels += repetitions * peak;
  totals.level_spread += static_cast<double>(repetitions) * eighth_root(spread);
  touched_.clear();
}

}  // namespace isoplane
