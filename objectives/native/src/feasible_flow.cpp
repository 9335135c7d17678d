// Exact flows from the flows of the iterations.
#include <algorithm>
#include <vector>

#include "isoplane/concurrent_flow.hpp"

namespace isoplane {

namespace {

constexpr double kNegligible = 1e-9;  // of what a source sends

// The flows of one source at a time: first without cycles, then exact.
class ExactFlow {
 public:
  ExactFlow(const FlowNetwork& network, std::int64_t scale)
      : network_(network), scale_(scale), out_(network.vertices), in_(network.vertices), flow_(network.links) {
    for (std::size_t link = 0; link < network.links; ++link) {
      out_[static_cast<std::size_t>(network.tail[link])].push_back(link);
      in_[static_cast<std::size_t>(network.head[link])].push_back(link);
    }
  }

  double* flow() { return flow_.data(); }

  // Removes what returns to the source, negligible flows, those from vertices that it cannot reach, and cycles; then
  // the order of the vertices is known.
  void remove_cycles(std::size_t source, const FlowTrees& trees) {
    const auto root = static_cast<std::size_t>(network_.source[source]);
    double sent = 0;
    for (const std::size_t link : out_[root]) sent += flow_[link];
    for (std::size_t link = 0; link < network_.links; ++link)
      if (flow_[link] <= kNegligible * sent || !trees.is_reached(static_cast<std::size_t>(network_.tail[link])))
        flow_[link] = 0;
    for (const std::size_t link : in_[root]) flow_[link] = 0;
    order_.clear();
    state_.assign(network_.vertices, kNew);
    next_.assign(network_.vertices, 0);
    while (order_.size() < network_.vertices)  // again for vertices beyond a break of the path
      for (std::size_t vertex = 0; vertex < network_.vertices; ++vertex)
        if (state_[vertex] == kNew) visit_from(vertex);
  }

  // Lets each vertex take what it and those behind it need over its links, in proportion to their flows.
  void distribute(std::size_t source, const FlowTrees& trees, std::int64_t* exact) const {
    const std::int64_t* demand = network_.demand + source * network_.vertices;
    std::vector<std::int64_t> needed(demand, demand + network_.vertices);
    for (std::int64_t& units : needed) units *= scale_;
    std::vector<std::int64_t> by_tree(network_.vertices);
    for (const std::size_t here : order_) {
      if (needed[here] == 0 || here == static_cast<std::size_t>(network_.source[source])) continue;
      double whole = 0;
      for (const std::size_t link : in_[here]) whole += flow_[link];
      if (whole <= 0)
        by_tree[here] = needed[here];
      else
        take(here, whole, needed, exact);
    }
    for (std::size_t i = trees.order().size(); i-- > 1;) {
      const auto here = static_cast<std::size_t>(trees.order()[i]);
      const auto link = static_cast<std::size_t>(trees.link_to(here));
      exact[link] += by_tree[here];
      by_tree[static_cast<std::size_t>(network_.tail[link])] += by_tree[here];
    }
  }

 private:
  enum State : char { kNew, kOnPath, kDone };

  // Splits what a vertex needs over its links: the first ones together take their share, rounded down.
  void take(std::size_t here, double whole, std::vector<std::int64_t>& needed, std::int64_t* exact) const {
    double passed = 0;
    std::int64_t taken = 0;
    std::size_t last = 0;
    for (const std::size_t link : in_[here])
      if (flow_[link] > 0) last = link;
    for (const std::size_t link : in_[here]) {
      if (flow_[link] <= 0) continue;
      passed += flow_[link];
      const auto share = static_cast<std::int64_t>(static_cast<double>(needed[here]) * (passed / whole));
      const std::int64_t until = link == last ? needed[here] : std::clamp(share, taken, needed[here]);
      exact[link] += until - taken;
      needed[static_cast<std::size_t>(network_.tail[link])] += until - taken;
      taken = until;
    }
  }

  // Follows flows from a vertex, in depth; a flow back to the path closes a cycle, which is cancelled. Vertices end in
  // the order of the flows, the last ones first.
  void visit_from(std::size_t first) {
    path_.assign(1, first);
    links_.clear();
    state_[first] = kOnPath;
    while (!path_.empty()) {
      const std::size_t here = path_.back();
      if (next_[here] == out_[here].size()) {
        state_[here] = kDone;
        order_.push_back(here);
        path_.pop_back();
        if (!links_.empty()) links_.pop_back();
        continue;
      }
      const std::size_t link = out_[here][next_[here]], to = static_cast<std::size_t>(network_.head[link]);
      if (flow_[link] <= 0 || state_[to] == kDone) {
        ++next_[here];
      } else if (state_[to] == kNew) {
        state_[to] = kOnPath;
        path_.push_back(to);
        links_.push_back(link);
      } else {
        cancel(link, to);
      }
    }
  }

  // Takes the least flow off the cycle that a link closes, and returns to where the path breaks.
  void cancel(std::size_t closing, std::size_t to) {
    std::size_t begin = path_.size() - 1;
    while (path_[begin] != to) --begin;
    double least = flow_[closing];
    for (std::size_t i = begin; i < links_.size(); ++i) least = std::min(least, flow_[links_[i]]);
    flow_[closing] -= least;
    std::size_t broken = links_.size();
    for (std::size_t i = links_.size(); i-- > begin;) {
      flow_[links_[i]] -= least;
      if (flow_[links_[i]] <= 0) broken = i;
    }
    for (std::size_t i = broken + 1; i < path_.size(); ++i) {
      state_[path_[i]] = kNew;
      next_[path_[i]] = 0;
    }
    path_.resize(std::min(path_.size(), broken + 1));
    links_.resize(broken);
  }

  const FlowNetwork& network_;
  const std::int64_t scale_;
  std::vector<std::vector<std::size_t>> out_, in_;  // links of each vertex
  std::vector<double> flow_;
  std::vector<State> state_;
  std::vector<std::size_t> next_, path_, links_, order_;
};

}  // namespace

void feasible_flow(const FlowNetwork& network, const FlowIterations& iterations, const std::int64_t* length,
                   std::int64_t scale, std::int64_t* flow) {
  FlowTrees trees(network);
  ExactFlow exact(network, scale);
  std::fill(flow, flow + network.sources * network.links, 0);
  for (std::size_t source = 0; source < network.sources; ++source) {
    trees.from(source, length);
    iterations.flows_of(source, exact.flow());
    exact.remove_cycles(source, trees);
    exact.distribute(source, trees, flow + source * network.links);
  }
}

}  // namespace isoplane
