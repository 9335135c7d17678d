// Loads of links and circuits if each node has at most one circuit.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "isoplane/hybrid.hpp"

namespace isoplane {

// Computes the routes of HybridModel without routing tables; after a change, only those that it can affect.
//
// With one port, all nodes of a group with circuits into the same group are equivalent, except the one whose circuit
// leads to the destination. So costs depend only on groups and on the group that the circuit of the destination leads
// to. A relay is chosen among the owners of circuits into the same groups: so a message is rerouted only if the circuit
// of one of its ends, or a set of owners that one of its nodes chose from, has changed.
class OnePortLoads {
 public:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  using Partners = std::vector<std::uint32_t>;                           // of every node, or kNone
  using Changes = std::vector<std::pair<std::uint32_t, std::uint32_t>>;  // nodes with their new partners

  explicit OnePortLoads(const HybridPlan& plan);  // the plan must outlive it

  void set(const Partners& partner);
  // The last change of a node applies; the resulting partners must be mutual.
  void change(const Changes& changes);
  void undo();  // the last change, once

  // Bits over every resource, exact if message sizes are integers: links of nodes out, then in; uplinks, then downlinks
  // of groups; circuits by their source.
  const std::vector<double>& bits() const { return bits_; }
  std::size_t resources() const { return bits_.size(); }
  double rate(std::size_t resource) const;

 private:
  using Word = std::uint64_t;
  static constexpr std::int64_t kUnreachable = std::int64_t{1} << 60;

  std::size_t owners(std::uint32_t group, std::uint32_t into) const { return std::size_t{group} * plan_.groups + into; }
  Word mark(std::uint32_t group, std::uint32_t into) const { return Word{1} << (owners(group, into) & 63); }
  void set_partner(std::uint32_t node, std::uint32_t partner);
  void route_all();
  void set_costs();
  void spread(std::uint32_t target_group, std::uint32_t entry_group, std::int64_t* cost_from_group) const;
  const std::int64_t* cost_from_group(std::uint32_t target_group, std::uint32_t entry_group) const;
  std::int64_t cost_over_circuit(std::uint32_t into, std::uint32_t target_group,
                                 const std::int64_t* cost_from_group) const;
  void collect_affected(const Changes& changes);
  bool has_new_group_graph() const;
  Word send(std::uint32_t from, std::uint32_t to, double bits);
  void find_eligible_groups(std::uint32_t own, std::uint32_t target_group, const std::int64_t* cost_from_group);
  std::uint32_t relay(std::uint32_t node) const;

  const HybridPlan& plan_;
  std::uint32_t words_;  // per set of nodes of a group
  Partners partner_;
  std::vector<std::uint32_t> group_, partner_group_;  // by node: its group, and that of its partner
  std::vector<std::uint32_t> count_;                  // number of owners, by group and group that circuits lead into
  std::vector<Word> members_;                         // sets of these owners
  // Values that depend only on the graph of joined groups.
  struct Costs {
    std::vector<std::vector<std::uint32_t>> joined;  // by group: the groups that circuits of its nodes lead into
    // Index into `cost_from_group`, by group of the destination and of its circuit (or none): minimum cost from an
    // owner, by group.
    std::vector<std::uint32_t> table;
    std::vector<std::int64_t> cost_from_group;
  };
  Costs costs_, costs_before_;
  std::vector<std::uint32_t> eligible_groups_;  // groups of the eligible circuits
  std::vector<Word> choices_;                   // by message: marks of all sets of owners that its nodes chose from
  std::vector<double> bits_, bits_before_;
  std::vector<std::uint8_t> changed_;                  // by node: whether its partner has changed
  std::vector<std::uint32_t> rerouted_;                // messages to reroute
  std::vector<Word> choices_before_;                   // of these messages, or of all
  std::vector<std::pair<std::size_t, bool>> touched_;  // changed sets of owners: whether they were nonempty
  Changes before_;
  bool has_new_group_graph_ = false;  // the last change altered the graph of joined groups
};

}  // namespace isoplane
