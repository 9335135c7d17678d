#include "isoplane/voltage_graph.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <tuple>

#include "isoplane/graph_distances.hpp"

namespace isoplane {
namespace {

constexpr std::uint32_t kKinds = 8, kVoltageKinds = 2;  // of the moves with symmetries: most exchange mates

}  // namespace

Group::Group(std::uint32_t a, std::uint32_t c, std::uint32_t b, const Matrix& matrix) : a_(a), c_(c), b_(b) {
  const auto [ii, il, li, ll] = matrix;
  if (a == 0 || c == 0 || b == 0 || std::uint64_t{a} * c * b > kMaxVertices || ii >= std::max(a, 2u) || il >= a ||
      li >= c || ll >= std::max(c, 2u))
    throw std::invalid_argument("no group has these numbers");
  if (c * il % a != 0 || a * li % c != 0) throw std::invalid_argument("the matrix maps equal elements to others");
  const Matrix identity{1 % a, 0, 0, 1 % c};
  Matrix power = identity;
  for (std::uint32_t j = 0; j < b; ++j) {
    power_.push_back(power);
    const auto [p, q, r, s] = power;
    power = {(ii * p + il * r) % a, (ii * q + il * s) % a, (li * p + ll * r) % c, (li * q + ll * s) % c};
  }
  if (power != identity) throw std::invalid_argument("the matrix has to be 1 to the power of b");
  for (std::uint32_t element = 1; element < order(); ++element)
    if (times(element, element) == 0) involutions_.push_back(element);
}

Group::Pair Group::image(std::uint32_t j, std::uint32_t element) const {
  const std::uint32_t i = element % a_, l = element / a_ % c_;
  const auto [ii, il, li, ll] = power_[j];
  return {(ii * i + il * l) % a_, (li * i + ll * l) % c_};
}

std::uint32_t Group::times(std::uint32_t one, std::uint32_t other) const {
  const std::uint32_t j = one / (a_ * c_);
  const auto [i, l] = image(j, other);
  return (one % a_ + i) % a_ + ((one / a_ + l) % c_ + (j + other / (a_ * c_)) % b_ * c_) * a_;
}

std::vector<Group::Pair> Group::images() const {
  std::vector<Pair> all;
  all.reserve(order());
  for (std::uint32_t element = 0; element < order(); ++element) all.push_back(image(element / (a_ * c_), element));
  return all;
}

void Group::multiply_all(const std::vector<Pair>& images, std::uint32_t other, std::uint32_t added, std::uint32_t* out,
                         std::size_t step) const {
  const std::uint32_t size = a_ * c_, v = other % size, turn = other / size;
  for (std::uint32_t j = 0; j < b_; ++j) {
    const auto [x, y] = images[j * size + v];
    const std::uint32_t block = added + (j + turn < b_ ? j + turn : j + turn - b_) * size;
    // The elements (0, l, j), (1, l, j), ... become (x, l + y, j + turn), (x + 1, l + y, j + turn), ...
    for (std::uint32_t l = 0; l < c_; ++l) {
      const std::uint32_t first = block + (l + y < c_ ? l + y : l + y - c_) * a_;
      for (std::uint32_t i = x; i < a_; ++i, out += step) *out = first + i;
      for (std::uint32_t i = 0; i < x; ++i, out += step) *out = first + i;
    }
  }
}

std::uint32_t Group::inverse(std::uint32_t element) const {
  const std::uint32_t j = (b_ - element / (a_ * c_)) % b_;  // (v, j) (-M^-j v, -j) = (v - M^j M^-j v, 0)
  const auto [i, l] = image(j, element);
  return (a_ - i) % a_ + ((c_ - l) % c_ + j * c_) * a_;
}

VoltageGraph::VoltageGraph(Group group, std::uint32_t orbits, std::uint32_t degree)
    : group_(std::move(group)),
      images_(group_.images()),
      degree_(degree),
      mate_(std::size_t{orbits} * degree),
      voltage_(mate_.size()),
      first_(mate_.size()),
      next_(mate_.size() * group_.order(), std::numeric_limits<std::uint32_t>::max()),
      is_stale_(mate_.size()),
      seen_(std::size_t{orbits} * group_.order()) {}

void VoltageGraph::join(std::uint32_t stub, std::uint32_t mate, std::uint32_t voltage) {
  if (mate != stub) change(mate, stub, group_.inverse(voltage));
  change(stub, mate, voltage);
}

void VoltageGraph::change(std::uint32_t stub, std::uint32_t mate, std::uint32_t voltage) {
  mate_[stub] = mate;
  voltage_[stub] = voltage;
  first_[stub] = mate / degree_ * group_.order() + voltage;
  if (!is_stale_[stub]) stale_.push_back(stub);
  is_stale_[stub] = true;
}

const std::uint32_t* VoltageGraph::next() const {
  for (const std::uint32_t stub : stale_) {
    is_stale_[stub] = false;
    std::uint32_t* port = next_.data() + std::size_t{stub / degree_} * group_.order() * degree_ + stub % degree_;
    // A move that was undone leaves the row as it was.
    if (*port != first_[stub])
      group_.multiply_all(images_, voltage_[stub], first_[stub] - voltage_[stub], port, degree_);
  }
  stale_.clear();
  return next_.data();
}

std::vector<std::uint32_t> VoltageGraph::representatives() const {
  std::vector<std::uint32_t> all;
  for (std::uint32_t vertex = 0; vertex < vertices(); vertex += group_.order()) all.push_back(vertex);
  return all;
}

std::uint32_t VoltageGraph::clashes_at(std::uint32_t orbit) const {
  const std::uint32_t* row = first_.data() + std::size_t{orbit} * degree_;
  std::uint32_t count = 0;
  seen_[orbit * group_.order()] = ++counts_;
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
  const std::uint32_t* rows = next();
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
  for (std::uint32_t vertex = 0; vertex < vertices(); ++vertex)
    for (std::uint32_t port = 0; port < degree_; ++port)
      if (const std::uint32_t other = rows[std::size_t{vertex} * degree_ + port]; vertex < other)
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
