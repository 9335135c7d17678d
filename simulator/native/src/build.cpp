// Construction of elements, inputs, outputs and their channels from a plan.
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
    require(port < plane.ports || port == kArrived || port == kNoRoute, "a port of a route");
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
  require(routes.dimension.size() == switches * plane.ports && routes.dateline.size() == switches * plane.ports,
          "channel rule");
  const bool on_every_hop =
      std::all_of(routes.dateline.begin(), routes.dateline.end(), [](auto line) { return line != 0; });
  require(routes.start_class == 0 || (routes.start_class == -1 && on_every_hop), "the first class of a packet");
}

void check_detours(const DetourPlan& detours, const PlanePlan& plane, PathSelection selection) {
  if (selection == PathSelection::kMinimal) return;
  const std::size_t entries = std::size_t{plane.switches} * detours.regions;
  require(detours.regions >= 3 && detours.regions < 1 << 16, "regions");
  require(detours.region.size() == plane.switches && std::ranges::max(detours.region) < detours.regions,
          "the region of a switch");
  require(detours.next_port.size() == entries && detours.entry.size() == entries && detours.hops.size() == entries,
          "routes to regions");
  require(std::ranges::max(detours.entry) < plane.switches, "the first switch of a region");
  for (std::size_t i = 0; i < entries; ++i)
    require(detours.next_port[i] < plane.ports || detours.region[i / detours.regions] == i % detours.regions,
            "a port of a detour");
  require(!plane.routes.next_port.empty(), "detours beside whole paths");
}

void check_nodes(const PlanePlan& plane, std::uint32_t nodes, bool direct) {
  const std::vector<std::uint32_t>& starts = plane.node_start;
  require(starts.empty() || (starts.size() > 1 && starts.front() == 0 && starts.back() == plane.node_switch.size() &&
                             std::is_sorted(starts.begin(), starts.end())),
          "first links of nodes");
  require(nodes > 0 && plane.nodes() == nodes && (!direct || (starts.empty() && plane.switches == nodes)), "nodes");
  std::vector<std::uint32_t> at_each(plane.switches, 0);
  for (std::uint32_t link = 0; link < plane.node_switch.size(); ++link) {
    require(plane.node_switch[link] < plane.switches, "the switch of a node");
    require(!direct || plane.node_switch[link] == link, "a node at a switch other than its own");
    require(plane.ports + ++at_each[plane.node_switch[link]] < 1 << 15, "ports");
  }
}

// Times are given for all links or switches, or for none.
void check_times(const std::vector<std::int32_t>& times, std::size_t size, Tick min, const char* what) {
  require(times.empty() || (times.size() == size && std::ranges::min(times) >= min), what);
}

void check_timing(const PlanePlan& plane, const Plan& plan) {
  const std::size_t entries = static_cast<std::size_t>(plane.switches) * plane.ports;
  check_times(plane.flit_ticks, entries, 1, "flit times of links");
  check_times(plane.switch_delay, plane.switches, plan.flit_ticks, "delays of switches");
  check_times(plane.node_cable, plane.node_switch.size(), 0, "cables of nodes");
  check_times(plane.node_flit_ticks, plane.node_switch.size(), 1, "flit times of node links");
  for (const auto* times : {&plane.flit_ticks, &plane.node_flit_ticks})
    for (const std::int32_t flit_ticks : *times)
      require((plan.output_flits + plan.packet_flits() + 4) * flit_ticks <= kMaxOutputTicks,
              "a flit time that is too long");
}

// Every pair of nodes needs a plane that carries traffic and in which both have links.
void check_connected(const Plan& plan) {
  std::vector<bool> seen(std::size_t{1} << plan.planes.size());
  for (std::uint32_t node = 0; node < plan.nodes(); ++node) {
    std::size_t planes = 0;
    for (std::size_t p = 0; p < plan.planes.size(); ++p) {
      const std::uint32_t links = plan.planes[p].links(node);
      require(links < 1 << 8, "links of a node");
      const bool used = plan.policy != Policy::kShares || plan.shares[p] != 0;
      if (links != 0 && used) planes |= std::size_t{1} << p;
    }
    seen[planes] = true;
  }
  for (std::size_t a = 0; a < seen.size(); ++a)
    for (std::size_t b = 0; b <= a; ++b)
      require(!seen[a] || !seen[b] || (a & b) != 0 || plan.nodes() == 1, "nodes without a plane in common");
}

void check_look_ups(const LookUpPlan& look_ups, std::uint32_t nodes) {
  require(look_ups.miss_delay >= 0 && look_ups.table_interval >= 0, "times of look-ups");
  if (!look_ups.cached) return;
  const CacheShape& cache = look_ups.cache;
  require(
      cache.sets > 0 && cache.ways > 0 && cache.set_of.size() == nodes && std::ranges::max(cache.set_of) < cache.sets,
      "sets of caches");
}

}  // namespace

void Plan::check() const {
  require(!planes.empty() && planes.size() <= 8, "planes");
  require(flit_ticks >= 1 && flit_ticks <= 64, "speed-up");
  require(channels >= 1 && channels <= kMaxChannels, "virtual channels");
  require(flit_bits > 0 && header_bits >= 0 && payload_bits > 0 && header_bits + payload_bits < 1 << 24, "packet size");
  require(packet_flits() < 1 << 14, "flits of a packet");
  require(buffer_flits >= 1 && buffer_flits < 1 << 24 && output_flits >= 1 && output_flits < 1 << 16, "buffers");
  require(flow_control == FlowControl::kWormhole || buffer_flits >= packet_flits(), "buffers smaller than a packet");
  require(routing_delay >= 0 && routing_delay <= switch_delay - flit_ticks, "a routing delay");
  require(routing_delay == 0 || flow_control == FlowControl::kWormhole, "a routing delay without wormhole");
  require(node_cable >= 0 && switch_delay >= flit_ticks && deadlock_interval >= 0, "delays");
  check_look_ups(look_ups, nodes());
  const bool sharing = policy == Policy::kShares;
  require(shares.size() == (sharing ? planes.size() : 0) && (!sharing || std::ranges::max(shares) < 1 << 20), "shares");
  require(spill_flits >= 0, "flits of spilling");
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
    check_routes(plane.routes, plane, needs_hops(plane));
    check_detours(plane.detours, plane, path_selection);
    check_timing(plane, *this);
  }
  check_connected(*this);
}

bool PlanePlan::has_choice() const {
  for (std::uint32_t node = 0; node < nodes(); ++node)
    if (links(node) > 1) return true;
  return false;
}

bool Plan::needs_hops(const PlanePlan& plane) const {
  return plane.has_choice() || ((policy == Policy::kNearest || policy == Policy::kSpill) && planes.size() > 1) ||
         path_selection == PathSelection::kUgal;
}

Tick Engine::horizon() const {
  Tick cable = plan_.node_cable, delay = plan_.switch_delay, flit_ticks = plan_.flit_ticks;
  const auto raise = [](Tick& max, const std::vector<std::int32_t>& times) {
    if (!times.empty()) max = std::max<Tick>(max, std::ranges::max(times));
  };
  for (const PlanePlan& plane : plan_.planes) {
    raise(cable, plane.cable);
    raise(cable, plane.node_cable);
    raise(delay, plane.switch_delay);
    raise(flit_ticks, plane.flit_ticks);
    raise(flit_ticks, plane.node_flit_ticks);
  }
  return 2 * cable + delay + (plan_.output_flits + plan_.packet_flits() + 4) * flit_ticks;
}

std::uint32_t Engine::add_element(std::uint32_t local, std::uint8_t plane, bool is_node, std::uint32_t inputs,
                                  std::uint32_t outputs) {
  Element element;
  element.in_base = static_cast<std::uint32_t>(input_configs_.size());
  element.out_base = static_cast<std::uint32_t>(output_configs_.size());
  element.ready_base = static_cast<std::uint32_t>(ready_.size());
  element.waiter_base = static_cast<std::uint32_t>(waiters_.size());
  element.local = local;
  element.inputs = static_cast<std::uint16_t>(inputs);
  element.outputs = static_cast<std::uint16_t>(outputs);
  element.ready_words = static_cast<std::uint16_t>((inputs + 63) / 64);
  element.waiter_words = static_cast<std::uint16_t>(((inputs << channel_bits_) + 63) / 64);
  element.plane = plane;
  element.is_node = is_node;
  const auto id = static_cast<std::uint32_t>(elements_.size());
  for (std::uint32_t port = 0; port < inputs; ++port) {
    InputConfig config;
    config.element = id;
    config.local = static_cast<std::uint16_t>(port);
    config.ready_word = element.ready_base + port / 64;
    input_configs_.push_back(config);
  }
  OutputConfig config;
  config.owner = id;
  output_configs_.resize(output_configs_.size() + outputs, config);
  ready_.resize(ready_.size() + element.ready_words);
  waiters_.resize(waiters_.size() + std::size_t{outputs} * element.waiter_words);
  elements_.push_back(element);
  return id;
}

// Time from the first bit of a flit on a link of length 0 until it may leave the element at its end. The flit must be
// received first, and with store and forward the switch delay starts then. The routing delay of heads is added later.
Tick Engine::visible_after(const Element& to, Tick flit_ticks) const {
  if (to.is_node) return flit_ticks;
  const PlanePlan& plane = plan_.planes[to.plane];
  const Tick delay = plan_.switch_delay_of(plane, to.local);
  if (plan_.flow_control == FlowControl::kStoreAndForward) return delay + flit_ticks - plan_.flit_ticks;
  return std::max(delay - plan_.routing_delay_of(plane, to.local), flit_ticks);
}

void Engine::connect(std::uint32_t from, std::uint32_t out, std::uint32_t to, std::uint32_t in, Tick cable,
                     Tick flit_ticks) {
  const std::uint32_t index = elements_[from].out_base + out;
  OutputConfig& output = output_configs_[index];
  output.target = to;
  output.visible = static_cast<std::int32_t>(cable + visible_after(elements_[to], flit_ticks));
  output.receive = static_cast<std::int32_t>(cable + flit_ticks);
  output.credit_delay = static_cast<std::int32_t>(std::max<Tick>(cable, 1));  // usable in the next tick at the earliest
  output.between_switches = !elements_[from].is_node && !elements_[to].is_node;
  output.flit_ticks = static_cast<std::uint32_t>(flit_ticks);
  outputs_[index].slack = static_cast<std::uint32_t>((plan_.output_flits - 1) * flit_ticks);
  const bool consumes = elements_[to].is_node;
  for (int v = 0; v < plan_.channels; ++v)
    channels_[(std::size_t{index} << channel_bits_) + static_cast<std::size_t>(v)].credits =
        consumes ? std::numeric_limits<std::int32_t>::max() / 2 : static_cast<std::int32_t>(plan_.buffer_flits);
  if (consumes) return;
  output.target_input = elements_[to].in_base + in;
  input_configs_[output.target_input].upstream = index;
  input_configs_[output.target_input].credit_delay = output.credit_delay;
}

// Node links take the ports after those between switches, in ascending order of nodes.
void Engine::attach() {
  const auto planes = static_cast<std::uint8_t>(routes_.size());
  const auto has_several_links = [](const PlanePlan& plane) { return !plane.node_start.empty(); };
  if (std::ranges::any_of(plan_.planes, has_several_links)) {
    link_starts_.push_back(0);
    for (std::uint32_t node = 0; node < plan_.nodes(); ++node)
      for (const PlanePlan& plane : plan_.planes) link_starts_.push_back(link_starts_.back() + plane.links(node));
  }
  attachments_.resize(first_link(plan_.nodes(), 0));
  for (std::uint8_t p = 0; p < planes; ++p) {
    const PlanePlan& plane = plan_.planes[p];
    std::vector<std::uint32_t> next(plane.switches, plane.ports);
    for (std::uint32_t node = 0; node < plan_.nodes(); ++node) {
      for (std::uint32_t k = 0; k < plane.links(node); ++k) {
        const std::uint32_t link = plane.first_link(node) + k, at = plane.node_switch[link];
        attachments_[first_link(node, p) + k] = {at, routes_[p].target(link, at),
                                                 static_cast<std::uint16_t>(next[at]++), p};
      }
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
              static_cast<std::uint32_t>(plane.peer_port[i]), plane.cable[i],
              plane.flit_ticks.empty() ? plan_.flit_ticks : plane.flit_ticks[i]);
    }
  }
}

void Engine::connect_nodes() {
  for (std::uint32_t node = 0; node < plan_.nodes(); ++node) {
    const std::size_t first = first_link(node, 0);
    for (std::size_t link = first; link < first_link(node + 1, 0); ++link) {
      const Attachment& place = attachments_[link];
      const PlanePlan& plane = plan_.planes[place.plane];
      const std::size_t plane_link = plane.first_link(node) + (link - first_link(node, place.plane));
      const Tick cable = plan_.cable(plane, plane_link);
      const Tick flit_ticks = plane.node_flit_ticks.empty() ? plan_.flit_ticks : plane.node_flit_ticks[plane_link];
      const std::uint32_t switch_element = first_switch_[place.plane] + place.at;
      const auto local = static_cast<std::uint32_t>(link - first);
      connect(switch_element, place.port, first_node_ + node, local, cable, flit_ticks);
      connect(first_node_ + node, local, switch_element, place.port, cable, flit_ticks);
    }
  }
}

// Sets the source queues of nodes: one per link, or the one in its switch in a direct network.
void Engine::set_sources() {
  sources_.resize(attachments_.size());
  for (std::uint32_t node = 0; node < plan_.nodes(); ++node) {
    const std::size_t first = first_link(node, 0);
    for (std::size_t link = first; link < first_link(node + 1, 0); ++link) {
      const Element& element = elements_[(plan_.direct ? first_switch_[attachments_[link].plane] : first_node_) + node];
      const std::size_t local = plan_.direct ? element.inputs - 1u : link - first;
      sources_[link].queue = static_cast<std::uint32_t>((element.in_base + local) << channel_bits_);
    }
  }
  if (plan_.single_way()) return;
  turn_.assign(plan_.nodes(), 0);
  if (plan_.policy != Policy::kNearest) plane_turn_.assign(plan_.nodes() * routes_.size(), 0);
  if (plan_.policy == Policy::kShares) plane_credit_.assign(plan_.nodes() * routes_.size(), 0);
}

void Engine::build() {
  attach();
  first_node_ = static_cast<std::uint32_t>(elements_.size());
  for (std::uint32_t node = 0; !plan_.direct && node < plan_.nodes(); ++node) {
    const auto links = static_cast<std::uint32_t>(first_link(node + 1, 0) - first_link(node, 0));
    add_element(node, 0, true, links, links);
  }
  inputs_.resize(input_configs_.size());
  outputs_.resize(output_configs_.size());
  queues_.resize(inputs_.size() << channel_bits_);
  channels_.resize(outputs_.size() << channel_bits_);
  active_.resize((elements_.size() + 63) / 64);
  for (std::uint8_t p = 0; p < routes_.size(); ++p) connect_switches(p);
  if (!plan_.direct) connect_nodes();
  set_sources();
}

std::vector<Engine::Link> Engine::links() const {
  std::vector<Link> found;
  for (std::uint32_t from = 0; from < elements_.size(); ++from)
    for (std::uint32_t out = 0; out < elements_[from].outputs; ++out) {
      const std::uint32_t output = elements_[from].out_base + out;
      if (has_link(output)) found.push_back({from, output_configs_[output].target, out});
    }
  return found;
}

}  // namespace isoplane::sim
