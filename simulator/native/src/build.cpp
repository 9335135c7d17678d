// From a plan to elements, inputs, outputs and their channels.
#include <algorithm>
#include <limits>
#include <stdexcept>

#include "isoplane/sim/engine.hpp"

namespace isoplane::sim {

namespace {

void require(bool holds, const char* what) {
  if (!holds) throw std::invalid_argument(what);
}

void check_routes(const RoutePlan& routes, const PlanePlan& plane, bool needs_hops) {
  const std::size_t switches = plane.switches;
  require(routes.row.size() == switches && std::ranges::min(routes.row) >= 0, "rows of switches");
  require(routes.next_port.empty() != routes.path_starts.empty(), "either next ports or paths");
  const std::size_t rows = routes.rows(), columns = routes.columns(), entries = rows * columns;
  require(routes.column.empty() || (routes.group == Group::kTable && routes.column.size() == plane.node_switch.size() &&
                                    std::ranges::max(routes.column) < columns),
          "columns of nodes");
  const std::size_t lengths = (routes.group == Group::kTable ? switches : rows) * columns;
  require(routes.hops.size() == lengths || (routes.hops.empty() && !needs_hops), "hops");
  require(routes.next_port.empty() || routes.next_port.size() == entries, "next ports");
  for (const std::uint16_t port : routes.next_port)
    require(port < plane.ports || port == kArrived, "a port of a route");
  if (!routes.path_starts.empty()) {
    require(routes.path_starts.size() == entries + 1 && routes.path_starts.back() == routes.path_ports.size(), "paths");
    require(std::is_sorted(routes.path_starts.begin(), routes.path_starts.end()), "paths out of order");
    for (const std::uint16_t port : routes.path_ports) require(port < plane.ports, "a port of a path");
  }
  std::size_t size = 1;
  for (const std::uint32_t side : routes.shape) size *= side;
  require(routes.group != Group::kTorus || size == switches, "the shape of a torus");
  require(routes.group != Group::kXor || (switches & (switches - 1)) == 0, "switches of a cube");
  if (routes.dimension.empty()) return;
  require(routes.dimension.size() == plane.ports && routes.dateline.size() == switches * plane.ports, "channel rule");
  const bool lifted = std::all_of(routes.dateline.begin(), routes.dateline.end(), [](auto line) { return line != 0; });
  require(routes.start_class == 0 || (routes.start_class == -1 && lifted), "the first class of a packet");
}

void check_nodes(const PlanePlan& plane, std::uint32_t nodes, bool direct) {
  require(nodes > 0 && plane.node_switch.size() == nodes && (!direct || plane.switches == nodes), "nodes");
  std::vector<std::uint32_t> at_each(plane.switches, 0);
  for (std::uint32_t node = 0; node < nodes; ++node) {
    require(plane.node_switch[node] < plane.switches, "the switch of a node");
    require(!direct || plane.node_switch[node] == node, "a node in another switch than its own");
    require(plane.ports + ++at_each[plane.node_switch[node]] < 1 << 15, "ports");
  }
}

}  // namespace

void Plan::check() const {
  require(!planes.empty() && planes.size() <= 8, "planes");
  require(interval >= 1 && interval <= 64, "speed-up");
  require(channels >= 1 && channels <= kMaxChannels, "virtual channels");
  require(flit_bits > 0 && header_bits >= 0 && payload_bits > 0 && header_bits + payload_bits < 1 << 24, "packet size");
  require(packet_flits() < 1 << 14, "flits of a packet");
  require(buffer >= 1 && buffer < 1 << 24 && output >= 1 && output < 1 << 16, "buffers");
  require(flow == FlowControl::kWormhole || buffer >= packet_flits(), "buffers smaller than a packet");
  require(routing_delay >= 0 && routing_delay <= switch_delay - interval, "a routing delay");
  require(routing_delay == 0 || flow == FlowControl::kWormhole, "a routing delay without worms");
  require(node_cable >= 0 && switch_delay >= interval && deadlock_interval >= 0, "delays");
  for (const PlanePlan& plane : planes) {
    const std::size_t entries = static_cast<std::size_t>(plane.switches) * plane.ports;
    require(plane.switches > 0 && plane.ports < 1 << 15, "switches");
    check_nodes(plane, nodes(), direct);
    require(plane.peer.size() == entries && plane.peer_port.size() == entries && plane.cable.size() == entries,
            "cables");
    for (std::size_t i = 0; i < entries; ++i) {
      if (plane.peer[i] < 0) continue;
      require(plane.peer[i] < static_cast<std::int32_t>(plane.switches) && plane.peer_port[i] >= 0 &&
                  plane.peer_port[i] < static_cast<std::int32_t>(plane.ports) && plane.cable[i] >= 0,
              "a cable out of range");
    }
    require(plane.routes.channel_classes >= 1 && plane.routes.channel_classes <= channels,
            "virtual channels of a route");
    check_routes(plane.routes, plane, planes.size() > 1);
  }
}

Tick Engine::horizon() const {
  Tick longest = plan_.node_cable;
  for (const PlanePlan& plane : plan_.planes)
    for (const std::int32_t cable : plane.cable) longest = std::max<Tick>(longest, cable);
  return 2 * longest + plan_.switch_delay + (plan_.output + plan_.packet_flits() + 4) * plan_.interval;
}

std::uint32_t Engine::add_element(std::uint32_t local, std::uint8_t plane, bool is_node, std::uint32_t inputs,
                                  std::uint32_t outputs) {
  Element element;
  element.in_base = static_cast<std::uint32_t>(input_places_.size());
  element.out_base = static_cast<std::uint32_t>(output_places_.size());
  element.ready_base = static_cast<std::uint32_t>(ready_.size());
  element.waiter_base = static_cast<std::uint32_t>(waiters_.size());
  element.local = local;
  element.inputs = static_cast<std::uint16_t>(inputs);
  element.outputs = static_cast<std::uint16_t>(outputs);
  element.ready_words = static_cast<std::uint16_t>((inputs + 63) / 64);
  element.waiter_words = static_cast<std::uint16_t>(((inputs << shift_) + 63) / 64);
  element.plane = plane;
  element.is_node = is_node;
  const auto id = static_cast<std::uint32_t>(elements_.size());
  for (std::uint32_t port = 0; port < inputs; ++port) {
    InputPlace place;
    place.element = id;
    place.local = static_cast<std::uint16_t>(port);
    place.ready_word = element.ready_base + port / 64;
    input_places_.push_back(place);
  }
  OutputPlace place;
  place.owner = id;
  output_places_.resize(output_places_.size() + outputs, place);
  ready_.resize(ready_.size() + element.ready_words);
  waiters_.resize(waiters_.size() + std::size_t{outputs} * element.waiter_words);
  elements_.push_back(element);
  return id;
}

void Engine::connect(std::uint32_t from, std::uint32_t out, std::uint32_t to, std::uint32_t in, Tick cable) {
  const std::uint32_t index = elements_[from].out_base + out;
  OutputPlace& output = output_places_[index];
  output.target = to;
  output.visible = static_cast<std::int32_t>(cable + plan_.switch_delay - plan_.routing_delay);
  output.receive = static_cast<std::int32_t>(cable + plan_.interval);
  output.credit_delay =
      static_cast<std::int32_t>(std::max<Tick>(cable, 1));  // it is used in the next tick at the soonest
  output.between_switches = !elements_[from].is_node && !elements_[to].is_node;
  const bool consumes = elements_[to].is_node;
  for (int v = 0; v < plan_.channels; ++v)
    channels_[(std::size_t{index} << shift_) + static_cast<std::size_t>(v)].credits =
        consumes ? std::numeric_limits<std::int32_t>::max() / 2 : static_cast<std::int32_t>(plan_.buffer);
  if (consumes) return;
  output.target_input = elements_[to].in_base + in;
  input_places_[output.target_input].upstream = index;
  input_places_[output.target_input].credit_delay = output.credit_delay;
}

// Nodes have the ports behind those between switches, in ascending order.
void Engine::attach() {
  attachments_.resize(std::size_t{plan_.nodes()} * routes_.size());
  for (std::uint8_t p = 0; p < routes_.size(); ++p) {
    const PlanePlan& plane = plan_.planes[p];
    std::vector<std::uint32_t> next(plane.switches, plane.ports);
    for (std::uint32_t node = 0; node < plan_.nodes(); ++node) {
      const std::uint32_t at = plane.node_switch[node];
      attachments_[std::size_t{node} * routes_.size() + p] = {at, routes_[p].target(node, at),
                                                              static_cast<std::uint16_t>(next[at]++)};
    }
    first_switch_.push_back(static_cast<std::uint32_t>(elements_.size()));
    for (std::uint32_t s = 0; s < plane.switches; ++s)
      add_element(s, p, false, next[s], plan_.direct ? plane.ports : next[s]);
  }
}

void Engine::connect_switches(std::uint8_t p) {
  const PlanePlan& plane = plan_.planes[p];
  for (std::uint32_t s = 0; s < plane.switches; ++s) {
    for (std::uint32_t port = 0; port < plane.ports; ++port) {
      const std::size_t i = static_cast<std::size_t>(s) * plane.ports + port;
      if (plane.peer[i] < 0) continue;
      connect(first_switch_[p] + s, port, first_switch_[p] + static_cast<std::uint32_t>(plane.peer[i]),
              static_cast<std::uint32_t>(plane.peer_port[i]), plane.cable[i]);
    }
  }
}

void Engine::build() {
  attach();
  first_node_ = static_cast<std::uint32_t>(elements_.size());
  const auto planes = static_cast<std::uint8_t>(plan_.planes.size());
  for (std::uint32_t node = 0; !plan_.direct && node < plan_.nodes(); ++node)
    add_element(node, 0, true, planes, planes);
  inputs_.resize(input_places_.size());
  outputs_.resize(output_places_.size());
  queues_.resize(inputs_.size() << shift_);
  channels_.resize(outputs_.size() << shift_);
  active_.resize((elements_.size() + 63) / 64);
  for (std::uint8_t p = 0; p < planes; ++p) {
    connect_switches(p);
    for (std::uint32_t node = 0; !plan_.direct && node < plan_.nodes(); ++node) {
      const Attachment& place = attachment(node, p);
      connect(first_switch_[p] + place.at, place.port, first_node_ + node, p, plan_.node_cable);
      connect(first_node_ + node, p, first_switch_[p] + place.at, place.port, plan_.node_cable);
    }
  }
}

std::vector<Engine::Link> Engine::links() const {
  std::vector<Link> found;
  for (std::uint32_t from = 0; from < elements_.size(); ++from)
    for (std::uint32_t out = 0; out < elements_[from].outputs; ++out)
      found.push_back({from, output_places_[elements_[from].out_base + out].target, out});
  return found;
}

}  // namespace isoplane::sim
