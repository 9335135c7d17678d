// Look-ups in the routing of a plane.
#pragma once

#include <cstdint>
#include <vector>

#include "isoplane/sim/plan.hpp"

namespace isoplane::sim {

class Routes {
 public:
  Routes(const RoutePlan& plan, std::uint32_t ports);

  // The look-up key of routes to a node link at a switch, from any source: the column of the link, or the switch.
  std::uint32_t target(std::uint32_t node_link, std::uint32_t at) const {
    return plan_->column.empty() ? at : plan_->column[node_link];
  }

  bool has_paths() const { return plan_->next_port.empty(); }
  std::uint16_t next_port(std::uint32_t from, std::uint32_t to) const { return plan_->next_port[entry(from, to)]; }
  bool has_hops() const { return !plan_->hops.empty(); }
  std::int32_t hops(std::uint32_t from, std::uint32_t to) const {
    return plan_->hops[plan_->group == Group::kTable ? std::size_t{from} * columns_ + to : entry(from, to)];
  }
  std::uint32_t path_start(std::uint32_t from, std::uint32_t to) const { return plan_->path_starts[entry(from, to)]; }
  std::uint16_t path_port(std::uint32_t position) const { return plan_->path_ports[position]; }

  bool has_classes() const { return !plan_->dimension.empty(); }
  int classes() const { return plan_->channel_classes; }
  int start_class() const { return plan_->start_class; }
  bool ordered_dimensions() const { return plan_->ordered_dimensions; }
  std::int32_t dimension(std::uint32_t from, std::uint32_t port) const { return plan_->dimension[link(from, port)]; }
  bool dateline(std::uint32_t from, std::uint32_t port) const { return plan_->dateline[link(from, port)] != 0; }

 private:
  // Index of the entry for packets at a switch with a target.
  std::size_t entry(std::uint32_t from, std::uint32_t to) const {
    std::size_t column = to;
    if (plan_->group == Group::kXor) {
      column = from ^ to;
    } else if (plan_->group == Group::kTorus) {
      column = torus_offset(from, to);
    }
    return static_cast<std::size_t>(plan_->row[from]) * columns_ + column;
  }
  std::size_t link(std::uint32_t from, std::uint32_t port) const {
    return static_cast<std::size_t>(from) * ports_ + port;
  }
  std::size_t torus_offset(std::uint32_t from, std::uint32_t to) const;

  const RoutePlan* plan_;
  std::size_t columns_;
  std::uint32_t ports_;
  std::vector<std::uint16_t> coordinates_;  // [switch][dimension]
};

}  // namespace isoplane::sim
