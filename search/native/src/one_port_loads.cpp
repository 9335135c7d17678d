#include "isoplane/one_port_loads.hpp"

#include <algorithm>
#include <bit>

namespace isoplane {

OnePortLoads::OnePortLoads(const HybridPlan& plan)
    : plan_(plan),
      words_((plan.nodes_per_group + 63) / 64),
      group_(plan.nodes()),
      choices_(plan.source.size()),
      bits_(3 * plan.nodes() + 2 * plan.groups),
      changed_(plan.nodes()) {
  for (std::uint32_t node = 0; node < plan.nodes(); ++node) group_[node] = node / plan.nodes_per_group;
}

void OnePortLoads::set(const Partners& partner) {
  const std::uint32_t groups = plan_.groups;
  partner_.assign(plan_.nodes(), kNone);
  partner_group_.assign(plan_.nodes(), groups);
  count_.assign(std::size_t{groups} * groups, 0);
  members_.assign(count_.size() * words_, 0);
  for (std::uint32_t node = 0; node < plan_.nodes(); ++node) set_partner(node, partner[node]);
  set_costs();
  route_all();
}

void OnePortLoads::route_all() {
  std::fill(bits_.begin(), bits_.end(), 0.0);
  for (std::size_t i = 0; i < plan_.source.size(); ++i)
    choices_[i] = send(plan_.source[i], plan_.destination[i], plan_.bits[i]);
}

void OnePortLoads::change(const Changes& changes) {
  before_.clear();
  for (const auto& [node, partner] : changes) before_.emplace_back(node, partner_[node]);
  bits_before_ = bits_;
  collect_affected(changes);
  for (const std::uint32_t i : rerouted_) send(plan_.source[i], plan_.destination[i], -plan_.bits[i]);
  for (const auto& [node, partner] : changes) set_partner(node, partner);
  has_new_group_graph_ = has_new_group_graph();
  if (has_new_group_graph_) {
    choices_before_ = choices_;
    std::swap(costs_, costs_before_);
    set_costs();
    route_all();
    return;
  }
  choices_before_.clear();
  for (const std::uint32_t i : rerouted_) {
    choices_before_.push_back(choices_[i]);
    choices_[i] = send(plan_.source[i], plan_.destination[i], plan_.bits[i]);
  }
}

void OnePortLoads::undo() {
  for (std::size_t i = before_.size(); i-- > 0;) set_partner(before_[i].first, before_[i].second);
  bits_.swap(bits_before_);
  if (has_new_group_graph_) {
    std::swap(costs_, costs_before_);
    choices_.swap(choices_before_);
    return;
  }
  for (std::size_t i = 0; i < rerouted_.size(); ++i) choices_[rerouted_[i]] = choices_before_[i];
}

double OnePortLoads::rate(std::size_t resource) const {
  const std::size_t ups = std::size_t{2} * plan_.nodes(), circuits = ups + std::size_t{2} * plan_.groups;
  return resource < ups ? plan_.node_rate : resource < circuits ? plan_.up_rate : plan_.circuit_rate;
}

inline void OnePortLoads::set_partner(std::uint32_t node, std::uint32_t partner) {
  const std::uint32_t own = group_[node], offset = node % plan_.nodes_per_group;
  const Word bit = Word{1} << (offset & 63);
  const auto word = [&](std::uint32_t into) -> Word& { return members_[owners(own, into) * words_ + offset / 64]; };
  if (partner_group_[node] < plan_.groups) {
    word(partner_group_[node]) &= ~bit;
    --count_[owners(own, partner_group_[node])];
  }
  partner_[node] = partner;
  partner_group_[node] = partner == kNone ? plan_.groups : group_[partner];
  if (partner_group_[node] < plan_.groups) {
    word(partner_group_[node]) |= bit;
    ++count_[owners(own, partner_group_[node])];
  }
}

// The cost from a node over its circuit into a group, unless its partner is the destination.
inline std::int64_t OnePortLoads::cost_over_circuit(std::uint32_t into, std::uint32_t target_group,
                                                    const std::int64_t* cost_from_group) const {
  return plan_.circuit_cost + plan_.inside_cost + (into == target_group ? 0 : cost_from_group[into]);
}

void OnePortLoads::set_costs() {
  const std::uint32_t groups = plan_.groups;
  costs_.joined.resize(groups);
  for (std::uint32_t group = 0; group < groups; ++group) {
    costs_.joined[group].clear();
    for (std::uint32_t into = 0; into < groups; ++into)
      if (count_[owners(group, into)] > 0) costs_.joined[group].push_back(into);
  }
  costs_.table.assign(std::size_t{groups} * (groups + 1), kNone);
  costs_.cost_from_group.clear();
  const auto add = [&](std::uint32_t target_group, std::uint32_t entry_group) {
    const std::size_t start = costs_.cost_from_group.size();
    costs_.table[std::size_t{target_group} * (groups + 1) + entry_group] = static_cast<std::uint32_t>(start / groups);
    costs_.cost_from_group.resize(start + groups, kUnreachable);
    spread(target_group, entry_group, &costs_.cost_from_group[start]);
  };
  for (std::uint32_t target_group = 0; target_group < groups; ++target_group) {
    for (const std::uint32_t entry_group : costs_.joined[target_group]) add(target_group, entry_group);
    add(target_group, groups);
  }
}

inline const std::int64_t* OnePortLoads::cost_from_group(std::uint32_t target_group, std::uint32_t entry_group) const {
  const std::size_t table = costs_.table[std::size_t{target_group} * (plan_.groups + 1) + entry_group];
  return &costs_.cost_from_group[table * plan_.groups];
}

// Distance vectors towards the nodes of a group whose circuits lead into `entry_group` (or that own none).
void OnePortLoads::spread(std::uint32_t target_group, std::uint32_t entry_group, std::int64_t* cost_from_group) const {
  if (entry_group < plan_.groups) cost_from_group[entry_group] = plan_.circuit_cost;
  for (bool changed = true; changed;) {
    changed = false;
    for (std::uint32_t group = 0; group < plan_.groups; ++group)
      for (const std::uint32_t into : costs_.joined[group]) {
        if (group == target_group || group == entry_group ||
            cost_over_circuit(into, target_group, cost_from_group) >= cost_from_group[group])
          continue;
        cost_from_group[group] = cost_over_circuit(into, target_group, cost_from_group);
        changed = true;
      }
  }
}

// Collects the messages whose routes new partners of these nodes can affect.
inline void OnePortLoads::collect_affected(const Changes& changes) {
  Word marks = 0;
  touched_.clear();
  const auto add = [&](std::uint32_t node, std::uint32_t into) {
    if (into == plan_.groups) return;
    marks |= mark(group_[node], into);
    touched_.emplace_back(owners(group_[node], into), count_[owners(group_[node], into)] > 0);
  };
  for (const auto& [node, partner] : changes) {
    changed_[node] = 1;
    add(node, partner_group_[node]);
    add(node, partner == kNone ? plan_.groups : group_[partner]);
  }
  rerouted_.clear();
  for (std::uint32_t i = 0; i < plan_.source.size(); ++i)
    if ((choices_[i] & marks) != 0 || (changed_[plan_.source[i]] | changed_[plan_.destination[i]]) != 0)
      rerouted_.push_back(i);
  for (const auto& [node, partner] : changes) changed_[node] = 0;
}

inline bool OnePortLoads::has_new_group_graph() const {
  return std::any_of(touched_.begin(), touched_.end(),
                     [&](const auto& one) { return (count_[one.first] > 0) != one.second; });
}

inline void OnePortLoads::find_eligible_groups(std::uint32_t own, std::uint32_t target_group,
                                               const std::int64_t* cost_from_group) {
  eligible_groups_.clear();
  for (const std::uint32_t into : costs_.joined[own])
    if (cost_over_circuit(into, target_group, cost_from_group) == cost_from_group[own])
      eligible_groups_.push_back(into);
}

// The owner through which a node relays: the node's index in its group selects it from all owners of circuits into the
// eligible groups, in the order of their indices.
inline std::uint32_t OnePortLoads::relay(std::uint32_t node) const {
  const std::uint32_t own = group_[node], first = own * plan_.nodes_per_group;
  std::uint32_t count = 0;
  for (const std::uint32_t into : eligible_groups_) count += count_[owners(own, into)];
  std::uint32_t index = (node - first) % count;
  for (std::uint32_t w = 0;; ++w) {
    Word members = 0;
    for (const std::uint32_t into : eligible_groups_) members |= members_[owners(own, into) * words_ + w];
    const auto owners_in_word = static_cast<std::uint32_t>(std::popcount(members));
    if (index >= owners_in_word) {
      index -= owners_in_word;
      continue;
    }
    for (; index > 0; --index) members &= members - 1;
    return first + 64 * w + static_cast<std::uint32_t>(std::countr_zero(members));
  }
}

// Adds the bits to all resources on the route of a message, and returns marks of the sets of owners chosen from.
inline OnePortLoads::Word OnePortLoads::send(std::uint32_t from, std::uint32_t to, double bits) {
  const std::uint32_t nodes = plan_.nodes(), groups = plan_.groups, target_group = group_[to],
                      entry_group = partner_group_[to];
  double *out = bits_.data(), *in = out + nodes, *up = in + nodes, *down = up + groups, *circuit = down + groups;
  Word marks = 0;
  const auto segment = [&](std::uint32_t a, std::uint32_t b) {
    out[a] += bits;
    in[b] += bits;
  };
  const std::int64_t* cost_from_group = this->cost_from_group(target_group, entry_group);
  if (group_[from] != target_group && cost_from_group[group_[from]] >= kUnreachable) {
    segment(from, to);
    up[group_[from]] += bits;
    down[target_group] += bits;
    return marks;
  }
  for (std::uint32_t node = from; node != to;) {
    const std::uint32_t own = group_[node];
    if (own == target_group) {
      segment(node, to);
      return marks;
    }
    const bool circuit_to_destination = partner_[node] == to;
    if (!circuit_to_destination &&
        (partner_group_[node] == groups || cost_over_circuit(partner_group_[node], target_group, cost_from_group) >
                                               cost_from_group[own] + plan_.inside_cost)) {
      std::uint32_t next = partner_[to];
      if (own != entry_group) {
        find_eligible_groups(own, target_group, cost_from_group);
        for (const std::uint32_t into : eligible_groups_) marks |= mark(own, into);
        next = relay(node);
      }
      segment(node, next);
      node = next;
    }
    circuit[node] += bits;
    node = partner_[node];
  }
  return marks;
}

}  // namespace isoplane
