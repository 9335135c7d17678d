// How busy links and circuits are where each node has one circuit at most.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "isoplane/hybrid.hpp"

namespace isoplane {

// The routes of HybridModel without tables, and only those that a change can concern.
//
// With one port all nodes of a group that own circuits into the same group are alike, but for the one whose circuit
// leads to the destination. So costs depend on groups and on the group that the circuit of the destination leads to.
// Where a node relays, the next one is among owners whose circuits lead into the same groups: so a message is routed
// anew only if a node at one of its ends, or a set of owners that one of its nodes chose from, has changed.
class OnePortLoads {
 public:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  using Partners = std::vector<std::uint32_t>;                           // of every node, or kNone
  using Changes = std::vector<std::pair<std::uint32_t, std::uint32_t>>;  // nodes with their new partners

  explicit OnePortLoads(const HybridPlan& plan);  // which must outlive it

  void set(const Partners& partner);
  // Later changes of a node count; in the end partners must be mutual.
  void change(const Changes& changes);
  void undo();  // the last change, once

  // Bits over every resource, exact if those of messages are whole: links of nodes out, then in; links up, then down,
  // of groups; circuits, by their source.
  const std::vector<double>& bits() const { return bits_; }
  std::size_t resources() const { return bits_.size(); }
  double rate(std::size_t resource) const;

 private:
  using Word = std::uint64_t;
  static constexpr std::int64_t kFar = std::int64_t{1} << 60;

  std::size_t owners(std::uint32_t group, std::uint32_t into) const { return std::size_t{group} * plan_.groups + into; }
  Word mark(std::uint32_t group, std::uint32_t into) const { return Word{1} << (owners(group, into) & 63); }
  void give(std::uint32_t node, std::uint32_t partner);
  void route_all();
  void set_costs();
  void spread(std::uint32_t home, std::uint32_t by, std::int64_t* hub) const;
  const std::int64_t* hub(std::uint32_t home, std::uint32_t by) const;
  std::int64_t over(std::uint32_t into, std::uint32_t home, const std::int64_t* hub) const;
  void collect(const Changes& changes);
  bool joins_otherwise() const;
  Word send(std::uint32_t from, std::uint32_t to, double bits);
  void find_near(std::uint32_t own, std::uint32_t home, const std::int64_t* hub);
  std::uint32_t relay(std::uint32_t node) const;

  const HybridPlan& plan_;
  std::uint32_t words_;  // of a set of nodes of a group
  Partners partner_;
  std::vector<std::uint32_t> group_, into_;  // by node: its group; that of its partner
  std::vector<std::uint32_t> count_;         // by group and group that circuits lead into: owners
  std::vector<Word> members_;                // the same: which they are
  // What depends on which groups circuits join.
  struct Costs {
    std::vector<std::vector<std::uint32_t>> joined;  // by group: the groups that circuits of its nodes lead into
    // By home and group of the destination's circuit (or none): where its costs are, by group the least from an owner.
    std::vector<std::uint32_t> table;
    std::vector<std::int64_t> hub;
  };
  Costs costs_, costs_before_;
  std::vector<std::uint32_t> near_;  // groups that circuits to choose from lead into
  std::vector<Word> chose_;          // by message: marks of all owners that its nodes chose from
  std::vector<double> bits_, bits_before_;
  std::vector<std::uint8_t> concerned_;                // by node: has another partner now
  std::vector<std::uint32_t> anew_;                    // messages to be routed anew
  std::vector<Word> chose_before_;                     // of these, or of all
  std::vector<std::pair<std::size_t, bool>> touched_;  // sets of owners that a change concerns: whether there were any
  Changes before_;
  bool joined_otherwise_ = false;  // circuits join other groups since the last change
};

}  // namespace isoplane
