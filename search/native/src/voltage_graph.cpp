#include "isoplane/voltage_graph.hpp"

#include <algorithm>
#include <stdexcept>
#include <tuple>

namespace isoplane {
namespace {

constexpr std::uint32_t kKinds = 8, kVoltageKinds = 2;  // of the moves with symmetries: most exchange mates

}  // namespace

Group::Group(std::uint32_t a, std::uint32_t b, std::uint32_t k) : a_(a), b_(b) {
  if (a == 0 || b == 0 || k >= std::max(a, 2u)) throw std::invalid_argument("no semidirect product has these numbers");
  std::uint64_t power = 1 % a;
  for (std::uint32_t j = 0; j < b; ++j) {
    power_.push_back(static_cast<std::uint32_t>(power));
    power = power * k % a;
  }
  if (power != 1 % a) throw std::invalid_argument("k^b has to be 1 modulo a");
  for (std::uint32_t element = 1; element < order(); ++element)
    if (times(element, element) == 0) involutions_.push_back(element);
}

std::uint32_t Group::times(std::uint32_t one, std::uint32_t other) const {
  const std::uint32_t i = one % a_, j = one / a_;
  const auto moved = static_cast<std::uint32_t>((i + std::uint64_t{power_[j]} * (other % a_)) % a_);
  return moved + (j + other / a_) % b_ * a_;
}

void Group::multiply_all(std::uint32_t other, std::uint32_t added, std::uint32_t* out, std::size_t step) const {
  for (std::uint32_t j = 0; j < b_; ++j) {
    // The elements (0, j), (1, j), ... become (x, j'), (x + 1, j'), ...
    const std::uint32_t product = times(j * a_, other), x = product % a_, first = added + product - x;
    for (std::uint32_t i = x; i < a_; ++i, out += step) *out = first + i;
    for (std::uint32_t i = 0; i < x; ++i, out += step) *out = first + i;
  }
}

std::uint32_t Group::inverse(std::uint32_t element) const {
  const std::uint32_t j = (b_ - element / a_) % b_;  // (i, j) (-k^-j i, -j) = (i - k^j k^-j i, 0)
  const auto moved = static_cast<std::uint32_t>(std::uint64_t{power_[j]} * (element % a_) % a_);
  return (a_ - moved) % a_ + j * a_;
}

VoltageGraph::VoltageGraph(Group group, std::uint32_t orbits, std::uint32_t degree)
    : group_(std::move(group)),
      degree_(degree),
      mate_(std::size_t{orbits} * degree),
      voltage_(mate_.size()),
      next_(mate_.size() * group_.order()),
      seen_(std::size_t{orbits} * group_.order()) {}

void VoltageGraph::join(std::uint32_t stub, std::uint32_t mate, std::uint32_t voltage) {
  mate_[stub] = mate;
  mate_[mate] = stub;
  voltage_[mate] = group_.inverse(voltage);
  voltage_[stub] = voltage;  // last: a stub that is joined to itself has one voltage
  fill(stub);
  if (mate != stub) fill(mate);
}

void VoltageGraph::fill(std::uint32_t stub) {
  const std::uint32_t order = group_.order();
  std::uint32_t* port = next_.data() + std::size_t{stub / degree_} * order * degree_ + stub % degree_;
  group_.multiply_all(voltage_[stub], mate_[stub] / degree_ * order, port, degree_);
}

std::vector<std::uint32_t> VoltageGraph::representatives() const {
  std::vector<std::uint32_t> all;
  for (std::uint32_t vertex = 0; vertex < vertices(); vertex += group_.order()) all.push_back(vertex);
  return all;
}

std::uint32_t VoltageGraph::clashes_at(std::uint32_t orbit) const {
  const std::uint32_t vertex = orbit * group_.order();
  const std::uint32_t* row = next_.data() + std::size_t{vertex} * degree_;
  std::uint32_t count = 0;
  seen_[vertex] = ++counts_;
  for (std::uint32_t port = 0; port < degree_; ++port) {
    count += seen_[row[port]] == counts_;
    seen_[row[port]] = counts_;
  }
  return count;
}

std::uint32_t VoltageGraph::clashes() const {
  std::uint32_t count = 0;
  for (std::uint32_t orbit = 0; orbit < stubs() / degree_; ++orbit) count += clashes_at(orbit);
  return count;
}

std::vector<std::uint32_t> VoltageGraph::edges() const {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
  for (std::uint32_t vertex = 0; vertex < vertices(); ++vertex)
    for (std::uint32_t port = 0; port < degree_; ++port)
      if (const std::uint32_t other = next_[std::size_t{vertex} * degree_ + port]; vertex < other)
        pairs.emplace_back(vertex, other);
  std::sort(pairs.begin(), pairs.end());
  std::vector<std::uint32_t> ends;
  for (const auto& [one, other] : pairs) ends.insert(ends.end(), {one, other});
  return ends;
}

void GraphMove::undo(VoltageGraph& graph) {
  for (std::size_t i = 0; i < changed_; ++i) {
    after_[2 * i] = graph.joint(before_[i].stub);
    after_[2 * i + 1] = graph.joint(before_[i].mate);
  }
  for (std::size_t i = 0; i < changed_; ++i) graph.join(before_[i].stub, before_[i].mate, before_[i].voltage);
}

void GraphMove::redo(VoltageGraph& graph) const {
  for (std::size_t i = 0; i < 2 * changed_; ++i) graph.join(after_[i].stub, after_[i].mate, after_[i].voltage);
}

std::uint32_t GraphMove::clashes(const VoltageGraph& graph) const {
  std::array<std::uint32_t, 4> counted;  // several ends may be in one orbit
  std::uint32_t count = 0;
  auto end_of_counted = counted.begin();
  for (std::size_t i = 0; i < changed_; ++i) {
    for (const std::uint32_t end : {before_[i].stub, before_[i].mate}) {
      const std::uint32_t orbit = end / graph.degree();
      if (std::find(counted.begin(), end_of_counted, orbit) != end_of_counted) continue;
      *end_of_counted++ = orbit;
      count += graph.clashes_at(orbit);
    }
  }
  return count;
}

// Two pairs of stubs exchange their mates.
bool GraphMove::exchange(VoltageGraph& graph, Random& random, std::uint32_t other) {
  const auto [p, q, y] = before_[0];
  const auto [r, s, z] = graph.joint(other);
  if (r == p || r == q) return false;
  const Group& group = graph.group();
  const std::uint32_t free = group.order() > 1 && random.below(2) != 0 ? random.below(group.order()) : 0;
  before_[1] = {r, s, z};
  changed_ = 2;
  if (q == p && s == r) {  // two stubs that are joined to themselves become a pair
    graph.join(p, r, free);
  } else if (q == p || s == r) {  // another stub is joined to itself
    const auto [half, involution, end, mate, voltage] = q == p ? std::tuple{p, y, r, s, z} : std::tuple{r, z, p, q, y};
    graph.join(half, mate, group.times(free, voltage));
    graph.join(end, end, involution);
  } else {
    graph.join(p, s, group.times(free, z));
    graph.join(r, q, group.times(group.inverse(free), y));
  }
  return true;
}

std::span<const std::uint32_t> GraphMove::orbits(const VoltageGraph& graph) {
  for (std::size_t i = 0; i < changed_; ++i) {
    orbits_[2 * i] = before_[i].stub / graph.degree();
    orbits_[2 * i + 1] = before_[i].mate / graph.degree();
  }
  return std::span(orbits_).first(2 * changed_);
}

bool GraphMove::make(VoltageGraph& graph, Random& random, std::uint32_t stub) {
  const Group& group = graph.group();
  const auto& involutions = group.involutions();
  const auto any_involution = [&] { return involutions[random.below(static_cast<std::uint32_t>(involutions.size()))]; };
  before_[0] = graph.joint(stub);
  changed_ = 1;
  const auto [p, q, y] = before_[0];
  const std::uint32_t kind = group.order() > 1 ? random.below(kKinds) : kKinds;
  if (kind == 0 && q != p && !involutions.empty()) {
    for (const std::uint32_t end : {p, q}) graph.join(end, end, any_involution());
    return true;
  }
  if (kind <= kVoltageKinds) {
    graph.join(p, q, q == p ? any_involution() : random.below(group.order()));
    return true;
  }
  return exchange(graph, random, random.below(graph.stubs()));
}

}  // namespace isoplane
