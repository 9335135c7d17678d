#include "isoplane/bottleneck.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

namespace isoplane {
namespace {

constexpr double kHottest = 0.4, kCoolest = 0.02;  // temperatures, in units of the energy of one busiest link
constexpr double kTotalHeat = 0.0025;  // factor of these temperatures relative to the total, if that is the energy

void put_circuits(StateWriter& writer, const HybridModel::Circuits& circuits) {
  writer.put(std::uint64_t{circuits.size()});
  for (const auto& [a, b] : circuits) writer.put(std::uint64_t{a} << 32 | b);
}

HybridModel::Circuits take_circuits(StateReader& reader) {
  std::uint64_t count = 0, word = 0;
  reader.put(count);
  HybridModel::Circuits circuits;
  for (std::uint64_t i = 0; i < count; ++i) {
    reader.put(word);
    circuits.emplace_back(static_cast<std::uint32_t>(word >> 32), static_cast<std::uint32_t>(word));
  }
  return circuits;
}

}  // namespace

BottleneckSearch::BottleneckSearch(HybridPlan plan, std::uint32_t ports, std::uint32_t max_circuits, std::uint64_t seed,
                                   std::uint64_t stream, Grain grain)
    : plan_(std::move(plan)),
      ports_(ports),
      max_circuits_(max_circuits),
      grain_(grain),
      cubed_(stream % 2 == 1),
      random_(seed, stream),
      busy_(plan_, ports),
      peers_(plan_.nodes()) {
  for (std::size_t i = 0; i < plan_.source.size(); ++i) {
    peers_[plan_.source[i]].push_back(plan_.destination[i]);
    peers_[plan_.destination[i]].push_back(plan_.source[i]);
  }
}

void BottleneckSearch::begin(const Circuits& start, double limit_ns) {
  limit_ = limit_ns;
  best_bottleneck_ = -1;
  enter(start);
}

void BottleneckSearch::enter(const Circuits& circuits) {
  const std::uint32_t nodes = plan_.nodes(), size = plan_.nodes_per_group;
  std::vector<std::uint32_t> used(nodes, 0);
  for (const auto& [a, b] : circuits)
    if (a >= nodes || b >= nodes || a / size == b / size || ++used[a] > ports_ || ++used[b] > ports_)
      throw std::invalid_argument("circuits that the network cannot set up");
  if (circuits.size() > max_circuits_) throw std::invalid_argument("more circuits than allowed");
  circuits_ = circuits;
  used_ = std::move(used);
  busy_.set(circuits_);
  commit();
}

void BottleneckSearch::offer(const Circuits& circuits) {
  const Circuits current = circuits_;
  const double bottleneck = best_bottleneck_, total = best_total_;
  enter(circuits);
  if (best_bottleneck_ == bottleneck && best_total_ == total) enter(current);
}

void BottleneckSearch::step(std::uint64_t from, std::uint64_t to, std::uint64_t schedule) {
  for (std::uint64_t i = from; i < to; ++i) {  // impossible moves count: a search may have no possible move
    before_ = circuits_;
    changes_.clear();
    if (!move()) continue;
    busy_.change(circuits_, changes_);
    const double progress = static_cast<double>(i) / static_cast<double>(schedule);
    const double temperature =
        kHottest * std::pow(kCoolest / kHottest, progress) * (limit_ > 0 ? kTotalHeat * energy_ : 1);
    if (energy() <= energy_ - temperature * std::log(random_.uniform()))
      commit();
    else
      undo();
  }
}

void BottleneckSearch::put_state(StateWriter& writer) const {
  writer.put(random_);
  put_circuits(writer, circuits_);
  put_circuits(writer, best_);
}

void BottleneckSearch::take_state(StateReader& reader) {
  reader.put(random_);
  const Circuits current = take_circuits(reader), best = take_circuits(reader);
  begin(best, 0);
  enter(current);
}

bool BottleneckSearch::allowed(std::uint32_t a, std::uint32_t b) const {
  return a / plan_.nodes_per_group != b / plan_.nodes_per_group && used_[a] < ports_ && used_[b] < ports_;
}

// One move in twelve adds a circuit, one removes one; the others move one end or exchange ends of two circuits.
// An impossible move changes nothing.
bool BottleneckSearch::move() {
  const std::uint32_t kind = random_.below(12);
  if (kind == 0 || circuits_.empty()) return circuits_.size() < max_circuits_ && add();
  if (kind == 1) return drop();
  return kind < 6 ? redirect() : exchange();
}

bool BottleneckSearch::add() {
  const std::uint32_t a = busy_node(), b = random_.below(plan_.nodes());
  if (!allowed(a, b)) return false;
  circuits_.emplace_back();
  put(circuits_.size() - 1, a, b);
  return true;
}

bool BottleneckSearch::drop() {
  const std::uint32_t i = any_circuit();
  for (const std::uint32_t node : {circuits_[i].first, circuits_[i].second}) {
    --used_[node];
    changes_.emplace_back(node, OnePortLoads::kNone);
  }
  circuits_[i] = circuits_.back();
  circuits_.pop_back();
  return true;
}

bool BottleneckSearch::redirect() {
  const std::uint32_t size = plan_.nodes_per_group, i = any_circuit();
  auto [kept, old] = circuits_[i];
  if (random_.below(2) == 0) std::swap(kept, old);
  const std::uint32_t group = random_.below(5) > 0 ? old / size : random_.below(plan_.groups);
  const std::uint32_t node = group * size + random_.below(size);
  --used_[kept];  // as if the circuit did not exist
  --used_[old];
  if (node == old || !allowed(kept, node)) {
    ++used_[kept];
    ++used_[old];
    return false;
  }
  changes_.emplace_back(old, OnePortLoads::kNone);
  put(i, kept, node);
  return true;
}

bool BottleneckSearch::exchange() {
  const std::uint32_t i = any_circuit(), j = random_.below(static_cast<std::uint32_t>(circuits_.size()));
  if (i == j) return false;
  const auto [a, b] = circuits_[i];
  auto [c, d] = circuits_[j];
  if (random_.below(2) == 0) std::swap(c, d);
  for (const std::uint32_t node : {a, b, c, d}) --used_[node];
  if (!allowed(a, d) || !allowed(c, b)) {
    for (const std::uint32_t node : {a, b, c, d}) ++used_[node];
    return false;
  }
  put(i, a, d);
  put(j, c, b);
  return true;
}

void BottleneckSearch::put(std::size_t place, std::uint32_t a, std::uint32_t b) {
  circuits_[place] = {a, b};
  ++used_[a];
  ++used_[b];
  changes_.emplace_back(a, b);
  changes_.emplace_back(b, a);
}

// A circuit of a busy node, if it has one; otherwise any.
std::uint32_t BottleneckSearch::any_circuit() {
  const auto count = static_cast<std::uint32_t>(circuits_.size());
  const std::uint32_t any = random_.below(count), node = busy_node();
  if (used_[node] == 0) return any;
  std::uint32_t i = any;  // with several ports not always the first one
  while (circuits_[i].first != node && circuits_[i].second != node) i = i + 1 == count ? 0 : i + 1;
  return i;
}

// With probability 1/2 a node with a busiest link or one of its communication partners; otherwise any.
std::uint32_t BottleneckSearch::busy_node() {
  const std::uint32_t any = random_.below(plan_.nodes());
  if (busiest_.empty() || random_.below(2) == 0) return any;
  const std::uint32_t node = busiest_[random_.below(static_cast<std::uint32_t>(busiest_.size()))];
  const auto& peers = peers_[node];
  return random_.below(2) == 0 || peers.empty() ? node : peers[random_.below(static_cast<std::uint32_t>(peers.size()))];
}

double BottleneckSearch::energy() const {
  const auto& times = busy_.times();
  double sum = 0;
  if (limit_ > 0) {
    const double bottleneck = *std::max_element(times.begin(), times.end());
    for (const double value : times) sum += value;
    return bottleneck <= limit_ ? sum : 2e300;
  }
  for (const double value : times) {
    double power = value / best_bottleneck_;
    for (int i = 0; i < 3; ++i) power *= power;
    sum += cubed_ ? power * power * power : power;
  }
  return sum;
}

// Accepts the current circuits.
void BottleneckSearch::commit() {
  record_if_best();
  energy_ = energy();
  busiest_.clear();
  if (limit_ > 0) return;
  const auto& times = busy_.times();
  const double bottleneck = *std::max_element(times.begin(), times.end());
  for (std::uint32_t r = 0; r < 2 * plan_.nodes(); ++r)
    if (times[r] == bottleneck) busiest_.push_back(r % plan_.nodes());
}

void BottleneckSearch::undo() {
  busy_.undo();
  for (const auto& [a, b] : circuits_) used_[a] = used_[b] = 0;
  for (const auto& [a, b] : before_) used_[a] = used_[b] = 0;
  circuits_.swap(before_);
  for (const auto& [a, b] : circuits_) {
    ++used_[a];
    ++used_[b];
  }
}

void BottleneckSearch::record_if_best() {
  const auto& times = busy_.times();
  const double bottleneck = *std::max_element(times.begin(), times.end());
  const double total = std::accumulate(times.begin(), times.end(), 0.0);
  const bool first = best_bottleneck_ < 0, shorter = rounded(bottleneck) < rounded(best_bottleneck_);
  const bool within = limit_ > 0 ? bottleneck <= limit_ : rounded(bottleneck) <= rounded(best_bottleneck_);
  const bool smaller_total = within && rounded(total) < rounded(best_total_);
  if (!first && !smaller_total && !(limit_ == 0 && shorter)) return;
  best_ = circuits_;
  best_bottleneck_ = bottleneck;
  best_total_ = total;
}

double BottleneckSearch::rounded(double time_ns) const {
  return grain_ == Grain::kExact ? time_ns : std::nearbyint(time_ns);
}

}  // namespace isoplane
