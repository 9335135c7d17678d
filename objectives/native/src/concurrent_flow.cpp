// The iterations of the concurrent flow: steps, lengths, restarts and weights.
#include "isoplane/concurrent_flow.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>
#include <utility>

#include "flow_step.hpp"
#include "isoplane/kernel.hpp"

namespace isoplane {

namespace {

// A restart once the residual has fallen by the first factor, or by the second one if it rises again; in any case after
// a share of all iterations.
constexpr double kSufficientDecay = 0.2, kNecessaryDecay = 0.8, kLongestRun = 0.36;
constexpr double kSmoothing = 0.5;                          // of the logarithms of weights
constexpr double kLeastShare = 0.02, kLargestShare = 0.98;  // of the step that potentials take

template <class Value>
struct Aligned {
  using value_type = Value;
  static constexpr std::align_val_t kLine{64};
  Aligned() = default;
  template <class Other>
  explicit Aligned(const Aligned<Other>&) {}
  Value* allocate(std::size_t count) { return static_cast<Value*>(::operator new(count * sizeof(Value), kLine)); }
  void deallocate(Value* values, std::size_t) { ::operator delete(values, kLine); }
  bool operator==(const Aligned&) const { return true; }
};
using Rows = std::vector<double, Aligned<double>>;

MoveFlows chosen_variant() {
#if defined(__x86_64__)
  const Isa isa = chosen_isa();
  if (isa == Isa::kAvx512) return variants::move_flows_avx512;
  if (isa == Isa::kAvx2) return variants::move_flows_avx2;
#endif
  return variants::move_flows_scalar;
}

double square_distance(const double* a, const double* b, std::size_t count) {
  double lanes[kLanes] = {};
  for (std::size_t i = 0; i < count; i += kLanes)
    for (std::size_t lane = 0; lane < kLanes; ++lane)
      lanes[lane] += (a[i + lane] - b[i + lane]) * (a[i + lane] - b[i + lane]);
  double total = 0;
  for (const double lane : lanes) total += lane;
  return total;
}

}  // namespace

struct FlowIterations::State {
  FlowNetwork network;
  MoveFlows move = chosen_variant();
  std::size_t width;
  std::vector<double> capacity, around;  // of links, of mean 1; sum of those at each vertex
  double total_capacity = 0;             // of the limited links
  Rows least_flow, demand, flow, flow_anchor, flow_moved, potential, potential_anchor, potential_moved, arriving;
  std::vector<double> length, length_anchor, length_moved, wanted, load, flow_distance, potential_distance;
  std::vector<double> flow_step, potential_step;
  double step, share = 0.5;  // of a flow by capacity; of its product with dual steps, what potentials take
  std::size_t since_restart = 0, iterations = 0;
  double first_residual = 0, last_residual = 0;

  explicit State(const FlowNetwork& given) : network(given), width((given.sources + kLanes - 1) / kLanes * kLanes) {
    step = 0.5 / static_cast<double>(network.sources);
    scale_capacities();
    scale_demands();
    for (Rows* rows : {&flow, &flow_anchor, &flow_moved}) rows->assign(network.links * width, 0.0);
    for (Rows* rows : {&potential, &potential_anchor, &potential_moved, &arriving})
      rows->assign(network.vertices * width, 0.0);
    for (std::size_t link = 0; link < network.links; ++link) length.push_back(is_limited(link) ? 1.0 : 0.0);
    length_anchor = length_moved = wanted = length;
    load = flow_distance = flow_step = std::vector<double>(network.links);
    potential_distance = potential_step = std::vector<double>(network.vertices);
    least_flow.assign(width, std::numeric_limits<double>::infinity());
    std::fill_n(least_flow.begin(), network.sources, 0.0);
    set_steps();
  }

  bool is_limited(std::size_t link) const { return network.capacity[link] > 0; }

  // An unlimited link has the capacity of all limited ones at its ends: a step of the size of the flows there.
  void scale_capacities() {
    std::size_t limited = 0;
    for (std::size_t link = 0; link < network.links; ++link) {
      total_capacity += static_cast<double>(network.capacity[link]);
      limited += is_limited(link);
    }
    const double mean = limited == 0 ? 1.0 : total_capacity / static_cast<double>(limited);
    total_capacity /= mean;
    std::vector<double> limited_around(network.vertices);
    for (std::size_t link = 0; link < network.links; ++link) {
      capacity.push_back(static_cast<double>(network.capacity[link]) / mean);
      limited_around[static_cast<std::size_t>(network.tail[link])] += capacity[link];
      limited_around[static_cast<std::size_t>(network.head[link])] += capacity[link];
    }
    for (std::size_t link = 0; link < network.links; ++link)
      if (!is_limited(link)) {
        const double ends = limited_around[static_cast<std::size_t>(network.tail[link])] +
                            limited_around[static_cast<std::size_t>(network.head[link])];
        capacity[link] = ends > 0 ? ends : 1.0;
      }
    around.assign(network.vertices, 0.0);
    for (std::size_t link = 0; link < network.links; ++link) {
      around[static_cast<std::size_t>(network.tail[link])] += capacity[link];
      around[static_cast<std::size_t>(network.head[link])] += capacity[link];
    }
  }

  // All demands together are as much as all capacities.
  void scale_demands() {
    double total = 0;
    for (std::size_t i = 0; i < network.sources * network.vertices; ++i)
      total += static_cast<double>(network.demand[i]);
    const double scale = total > 0 ? total_capacity / total : 0;
    demand.assign(network.vertices * width, 0.0);
    for (std::size_t source = 0; source < network.sources; ++source) {
      double sent = 0;
      for (std::size_t vertex = 0; vertex < network.vertices; ++vertex) {
        const double units = static_cast<double>(network.demand[source * network.vertices + vertex]) * scale;
        demand[vertex * width + source] = units;
        sent += units;
      }
      demand[static_cast<std::size_t>(network.source[source]) * width + source] -= sent;
    }
  }

  // The steps of flows and of duals for which the method converges: by Gershgorin's circles, the balances have a norm
  // of at most 1 after scaling with `share` of the product of steps, and the loads with the rest.
  void set_steps() {
    for (std::size_t link = 0; link < network.links; ++link) flow_step[link] = step * capacity[link];
    for (std::size_t vertex = 0; vertex < network.vertices; ++vertex)
      potential_step[vertex] = around[vertex] > 0 ? share / (2 * step * around[vertex]) : 0;
  }

  double length_weight(std::size_t link) const { return capacity[link] * static_cast<double>(network.sources); }

  void iterate(bool is_recorded) {
    const auto done = static_cast<double>(since_restart);
    const double keep = (done + 1) / (done + 2);
    move({.vertices = network.vertices,
          .links = network.links,
          .width = width,
          .tail = network.tail,
          .head = network.head,
          .flow_step = flow_step.data(),
          .potential_step = potential_step.data(),
          .length = length.data(),
          .least_flow = least_flow.data(),
          .demand = demand.data(),
          .flow = flow.data(),
          .potential = potential.data(),
          .flow_anchor = flow_anchor.data(),
          .potential_anchor = potential_anchor.data(),
          .flow_moved = flow_moved.data(),
          .potential_moved = potential_moved.data(),
          .arriving = arriving.data(),
          .load = load.data(),
          .flow_distance = flow_distance.data(),
          .potential_distance = potential_distance.data(),
          .keep = keep,
          .is_recorded = is_recorded});
    move_lengths(keep);
    ++since_restart;
    ++iterations;
  }

  // Moves lengths along the loads, projected onto lengths of mean 1.
  void move_lengths(double keep) {
    double active = 0, sum = 0;
    for (std::size_t link = 0; link < network.links; ++link) {
      if (!is_limited(link)) continue;
      wanted[link] = length[link] + (1 - share) / (step * length_weight(link)) * load[link];
      active += capacity[link];
      sum += capacity[link] * wanted[link];
    }
    // All that is wanted above a level; the level rises to its value as links below it drop out.
    double level = (sum - total_capacity) / active;
    for (double before = level - 1; level > before;) {
      before = level;
      active = sum = 0;
      for (std::size_t link = 0; link < network.links; ++link) {
        if (!is_limited(link) || wanted[link] <= level) continue;
        active += capacity[link];
        sum += capacity[link] * wanted[link];
      }
      level = std::max(level, (sum - total_capacity) / active);
    }
    for (std::size_t link = 0; link < network.links; ++link) {
      if (!is_limited(link)) continue;
      length_moved[link] = std::max(0.0, wanted[link] - level);
      length[link] = keep * (2 * length_moved[link] - length[link]) + (1 - keep) * length_anchor[link];
    }
  }

  // The distance between z and T(z), in the norm of the steps.
  double residual(const std::vector<double>& length_before) const {
    double total = 0;
    for (std::size_t link = 0; link < network.links; ++link) {
      total += flow_distance[link] / (step * capacity[link]);
      const double change = length_moved[link] - length_before[link];
      if (is_limited(link)) total += change * change * step * length_weight(link) / (1 - share);
    }
    for (std::size_t vertex = 0; vertex < network.vertices; ++vertex)
      total += potential_distance[vertex] * 2 * step * around[vertex] / share;
    return std::sqrt(total);
  }

  double recorded_residual() {
    const std::vector<double> before = length;
    iterate(true);
    return residual(before);
  }

  void run_period() {
    std::size_t left = kPeriod;
    if (since_restart == 0) {
      first_residual = last_residual = recorded_residual();
      --left;
    }
    for (; left > 1; --left) iterate(false);
    const double found = recorded_residual();
    const bool has_decayed = found <= kSufficientDecay * first_residual;
    const bool is_rising = found <= kNecessaryDecay * first_residual && found > last_residual;
    last_residual = found;
    if (has_decayed || is_rising || static_cast<double>(since_restart) >= kLongestRun * static_cast<double>(iterations))
      restart();
  }

  void restart() {
    adapt_weights();
    flow = flow_anchor = flow_moved;
    potential = potential_anchor = potential_moved;
    length = length_anchor = length_moved;
    since_restart = 0;
    set_steps();
  }

  // The weights that are best for the distances from the anchor: with these, flows F, potentials P and lengths L travel
  // F / step + P · step / share + L · step / (1 - share), which is least for share = √P / (√P + √L) and
  // step = √F / (√P + √L).
  void adapt_weights() {
    double flows = 0, potentials = 0, lengths = 0;
    for (std::size_t link = 0; link < network.links; ++link) {
      flows += square_distance(&flow_moved[link * width], &flow_anchor[link * width], width) / capacity[link];
      const double change = length_moved[link] - length_anchor[link];
      if (is_limited(link)) lengths += change * change * length_weight(link);
    }
    for (std::size_t vertex = 0; vertex < network.vertices; ++vertex)
      potentials += 2 * around[vertex] *
                    square_distance(&potential_moved[vertex * width], &potential_anchor[vertex * width], width);
    if (flows <= 0 || potentials <= 0 || lengths <= 0) return;
    const double duals = std::sqrt(potentials) + std::sqrt(lengths);
    const double best = std::clamp(std::sqrt(potentials) / duals, kLeastShare, kLargestShare);
    const double odds = kSmoothing * std::log(best / (1 - best)) + (1 - kSmoothing) * std::log(share / (1 - share));
    share = 1 / (1 + std::exp(-odds));
    step = std::exp(kSmoothing * std::log(std::sqrt(flows) / duals) + (1 - kSmoothing) * std::log(step));
  }
};

FlowIterations::FlowIterations(const FlowNetwork& network) : state_(std::make_unique<State>(network)) {}

FlowIterations::~FlowIterations() = default;

void FlowIterations::run(std::size_t periods) {
  for (std::size_t i = 0; i < periods; ++i) state_->run_period();
}

const std::vector<double>& FlowIterations::lengths() const { return state_->length_moved; }

void FlowIterations::flows_of(std::size_t source, double* flow) const {
  for (std::size_t link = 0; link < state_->network.links; ++link)
    flow[link] = state_->flow_moved[link * state_->width + source];
}

}  // namespace isoplane
