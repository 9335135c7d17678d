// The flit-level simulator, cycle by cycle.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "isoplane/sim/counters.hpp"
#include "isoplane/sim/look_ups.hpp"
#include "isoplane/sim/memory.hpp"
#include "isoplane/sim/plan.hpp"
#include "isoplane/sim/pool.hpp"
#include "isoplane/sim/routes.hpp"
#include "isoplane/sim/traffic.hpp"
#include "isoplane/sim/wheel.hpp"

namespace isoplane::sim {

// A channel in a cycle of waiting channels.
struct WaitingChannel {
  std::uint32_t plane, element, port, channel;
};

class Engine {
 public:
  using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

  Engine(Plan plan, TrafficPlan traffic, std::uint64_t seed, const Pairs& tracked_pairs = {});
  Engine(const Engine&) = delete;  // has pointers to its own members
  Engine& operator=(const Engine&) = delete;

  // Advances to this tick, or stops earlier when all messages have arrived or a deadlock ends the run. Without NDEBUG
  // it audits itself periodically, and throws std::logic_error with the violated law.
  void run(Tick until);

  Tick now() const { return now_; }
  bool ended() const;  // all messages have arrived or were dropped
  const std::vector<WaitingChannel>& deadlock() const { return deadlock_; }  // the cycle that ended the run, if any
  const Counters& counters() const { return counters_; }                     // at the end of the last `run`
  std::uint64_t messages_alive() const { return messages_.alive(); }
  std::uint64_t bits_alive() const { return counters_.bits_created - counters_.bits_arrived - counters_.bits_dropped; }
  std::uint64_t packets_in_network() const;
  std::vector<std::uint64_t> link_busy() const;  // by link: number of ticks in which it carried a flit
  const std::vector<Tick>& listed_created() const { return listed_created_; }  // by listed message; -1: not yet
  const std::vector<Tick>& listed_arrived() const { return listed_arrived_; }

  struct Link {
    std::uint32_t from, to, port;  // elements: switches of plane 0, of plane 1, ..., then nodes
  };
  std::vector<Link> links() const;
  const LookUps* look_ups() const { return look_ups_.get(); }  // null if they only take a constant time

  // Recounts everything; returns the first violated law of conservation, if any.
  std::optional<std::string> audit() const;

 private:
  bool has_link(std::size_t output) const { return output_configs_[output].target != kNone; }

  friend struct Tamper;  // test access: breaks a law of conservation
  static constexpr std::uint16_t kNoOut = 0xFFFF, kNoRegion = 0xFFFF;
  static constexpr std::uint8_t kNoChannel = 0xFF;
  enum State : std::uint8_t { kBlocked = 1, kCollided = 2, kDropping = 4, kFinal = 8, kRouting = 16 };

  struct Message {
    std::uint32_t source = 0, destination = 0, next = kNone, listed = kUnlisted;
    std::uint64_t bits = 0, to_send = 0;
    std::uint32_t packets_left = 0;
    bool dropped = false;
    std::uint16_t end = 0;  // index of the link of the destination in its plane
    Tick created = 0;
  };
  struct Packet {
    std::uint32_t message = 0, destination = 0, target = 0;  // destination: switch; target: element
    std::uint32_t route_index = 0;                           // start of its path, or the look-up key of its next ports
    Tick injected = 0;
    std::uint16_t flits = 0, hops = 0, collisions = 0;
    std::uint8_t channel_class = 0;
    std::int32_t dimension = -1;
    std::uint16_t exit = 0;         // port of the destination switch to the destination
    std::uint16_t via = kNoRegion;  // the region that it has yet to reach before its destination
  };
  static_assert(sizeof(Packet) == 40);
  // The other end of a node link.
  struct Attachment {
    std::uint32_t at = 0, target = 0;  // switch; look-up key of routes to it
    std::uint16_t port = 0;            // of the switch
    std::uint8_t plane = 0;
  };
  // A packet behind another one in a queue.
  struct Follower {
    std::uint32_t packet = 0, next = kNone;
    std::uint16_t flits_arrived = 0, flits = 0;  // flits: of the packet in total
  };
  // The queue of a virtual channel at an input: the packet at its front, and the followers.
  struct Queue {
    std::uint32_t packet = kNone;
    std::uint16_t flits_arrived = 0, flits_unsent = 0;  // of the packet at the front; arrived: not yet forwarded
    std::uint16_t out = kNoOut;                         // output of this element
    std::uint8_t channel = kNoChannel, state = 0, preferred_channel = 0;
    std::uint32_t first_follower = kNone, last_follower = kNone;
  };
  // Inputs and outputs are split into mutable state and constant configuration: the speed of large networks is limited
  // by the memory that a tick touches.
  struct Input {
    std::uint16_t ready = 0;   // channels that may request an output
    std::uint8_t pointer = 0;  // the channel with priority
  };
  struct InputConfig {
    std::uint32_t element = 0, upstream = kNone;  // the link into this input; kNone for the queue of a source
    std::int32_t credit_delay = 0;
    std::uint32_t ready_word = 0;
    std::uint16_t local = 0;
  };
  struct Output {
    Tick free_at = 0;
    std::uint32_t flits = 0;        // since the last update of the counters
    std::uint32_t current = kNone;  // the queue whose packet is being sent
    std::uint16_t pointer = 0;      // the input with priority
    std::uint16_t waiting = 0;      // number of heads that wait for a channel
    std::uint32_t slack = 0;        // ticks to drain a full buffer, except the flit on the link
  };
  static_assert(sizeof(Output) == 24);
  struct OutputConfig {
    std::uint32_t owner = 0, target = kNone;  // elements; kNone at a free port
    std::uint32_t target_input = kNone;       // kNone at a node, which consumes flits
    // Ticks until a flit may leave the target, and until it is received completely; delay of a returning credit.
    std::int32_t visible = 0, receive = 0, credit_delay = 0;
    std::uint32_t flit_ticks = 1;  // flit time
    bool between_switches = false;
  };
  struct Channel {
    std::uint32_t owner = kNone;  // the queue whose packet holds it
    std::int32_t credits = 0;
  };
  struct Element {
    std::uint32_t in_base = 0, out_base = 0, ready_base = 0, waiter_base = 0;
    std::uint32_t local = 0;  // switch or node
    std::uint16_t inputs = 0, outputs = 0, ready_words = 0, waiter_words = 0;
    std::uint8_t plane = 0;
    bool is_node = false;
  };
  struct Arrival {
    // packet: kBody for a body flit, kWake for a source that may begin, kRouted for a head after its routing delay
    std::uint32_t queue, packet;
  };
  // Messages that wait for a node link.
  struct Source {
    std::uint32_t first = kNone, last = kNone, waiting = 0;
    std::uint32_t queue = 0;  // of the packet being sent
    std::uint64_t flits = 0;  // not yet in that queue; counted for policies that look at queues
  };
  struct Way {
    std::uint32_t link;  // of the source
    std::uint16_t end;   // index of the link of the destination in that plane
    std::int64_t cost;   // number of hops, or of flits to send; the minimum is taken
  };
  struct Request {
    std::uint32_t queue;
    std::uint16_t out;
    std::uint8_t channel;
  };
  static constexpr std::uint32_t kBody = kNone - 1, kWake = kNone - 2, kRouted = kNone - 3;

  // engine.cpp: the phases of a tick
  void step();
  void receive_credits();
  void receive_flits();
  void consume_packets();
  bool begin_routing(std::uint32_t queue_index, Queue& queue);
  // With store and forward: whether the packet at the front may leave.
  bool stored(std::uint32_t queue_index, Queue& queue) {
    return queue.flits_arrived == queue.flits_unsent && (look_ups_ == nullptr || !awaits_look_up(queue_index, queue));
  }
  bool store_and_forward() const { return plan_.flow_control == FlowControl::kStoreAndForward; }
  void consume(std::uint32_t packet);
  void drop_packet(std::uint32_t packet);
  void finish_message(std::uint32_t id, std::uint32_t hops);
  template <class Count>
  void count_latency(const Message& message, std::uint32_t hops, Count&& count);
  bool idle() const;
  void count_links();
  void prefetch(std::uint32_t element) const;

  // build.cpp: elements and links
  void build();
  void attach();
  void connect_switches(std::uint8_t plane);
  // First link of a node in a plane; the links of a node are ordered by plane.
  std::size_t first_link(std::uint32_t node, std::size_t plane) const {
    const std::size_t index = std::size_t{node} * routes_.size() + plane;
    return link_starts_.empty() ? index : link_starts_[index];
  }
  std::uint32_t add_element(std::uint32_t local, std::uint8_t plane, bool is_node, std::uint32_t inputs,
                            std::uint32_t outputs);
  void connect(std::uint32_t from, std::uint32_t out, std::uint32_t to, std::uint32_t in, Tick cable, Tick flit_ticks);
  void connect_nodes();
  void set_sources();
  Tick visible_after(const Element& to, Tick flit_ticks) const;
  Tick horizon() const;

  // Delay of the switch of a direct network for packets of its own node.
  Tick begin_delay(const Element& element) const {
    if (!plan_.direct) return 0;
    return plan_.switch_delay_of(plan_.planes[element.plane], element.local) - plan_.flit_ticks;
  }

  // sources.cpp: from messages to packets
  void create_messages();
  void send_message(const NewMessage& new_message);
  std::uint16_t flits_of(std::uint64_t bits) const;
  std::uint64_t flits_of_message(std::uint64_t bits) const;
  void refill(std::uint32_t link);

  // ways.cpp: selection of the links of a message
  Way choose_way(const NewMessage& message);
  void add_ways(const NewMessage& message, std::size_t plane);
  Way cheapest_way(std::uint32_t& turn, bool shorter_queue);
  std::size_t next_plane(const NewMessage& message);
  std::size_t plane_by_shares(const NewMessage& message);
  bool connected(const NewMessage& message, std::size_t plane) const;
  void count_backlogs(std::size_t first);
  std::int64_t backlog(std::uint32_t link) const;
  Way spilled_way(Way way);
  void keep_shortest(std::size_t first);

  // paths.cpp: selection of the path of a packet
  void seed_paths(std::uint64_t seed);
  std::uint16_t random_region(std::uint32_t node, const DetourPlan& detours, std::uint32_t from, std::uint32_t to);
  std::uint16_t ugal_region(const Element& element, const Packet& packet);
  std::int64_t occupancy(const Element& element, std::uint16_t out) const;
  bool reconsiders(const Element& element, const Queue& queue) const;
  const DetourPlan& detours(const Element& element) const { return plan_.planes[element.plane].detours; }
  bool on_detour(const Element& element, const Packet& packet) const {
    return packet.via != kNoRegion && detours(element).region[element.local] != packet.via;
  }

  // allocation.cpp: switch and channel allocation
  void allocate(std::uint32_t element);
  void inject(const Element& element);
  void request_outputs(const Element& element);
  void offer_flit(const Element& element, std::uint32_t input);
  bool continues_packet(std::uint32_t output, const Output& state) const;
  int channel_for(const Element& element, std::uint32_t queue_index);
  void request(const Element& element, std::uint32_t queue_index, int channel);
  std::uint32_t rank(const Element& element, const Request& request) const;
  void route(const Element& element, std::uint32_t queue_index, Queue& queue);
  std::uint16_t port_at(const Element& element, const Packet& packet, std::uint32_t hops) const;
  std::pair<int, int> wanted_channels(const Element& element, const Queue& queue) const;
  std::pair<int, int> allowed_channels(const Element& element, const Packet& packet, std::uint16_t out) const;
  int class_after(const Element& element, const Packet& packet, std::uint16_t out) const;
  int free_channel(const Element& element, const Queue& queue) const;
  void send(const Element& element, const Request& request);
  void leave_input(const Element& element, const Request& request, const InputConfig& config, bool head, Tick depart);
  void forward(const Queue& queue, std::uint32_t channel_index, bool head, Tick depart);
  // Out of line, as they serve one flit of a packet: that leaves more registers for all others.
  [[gnu::noinline]] void end_packet(const Element& element, const Request& request, std::uint32_t channel_index);
  [[gnu::noinline]] void take_channel(const Element& element, Queue& queue, const Request& request, Channel& channel);
  void return_credit(std::uint32_t queue_index, const InputConfig& config);
  void next_packet(const Element& element, std::uint32_t queue_index, Queue& queue);
  void block(const Element& element, std::uint32_t queue_index, Queue& queue);
  void toggle_waiting(const Element& element, std::uint32_t queue_index, int change);
  void count_collision(std::uint32_t element, Queue& queue);
  void set_ready(std::uint32_t queue_index);
  void clear_ready(std::uint32_t queue_index);
  void wake(std::uint32_t output);

  // look_ups.cpp: caches of input ports, and the tables of switches. Out of line, so that they do not slow down the
  // functions that call them in simulations without.
  void start_look_ups();
  std::vector<InputPort> input_ports() const;
  void warm();
  void exchange();
  std::vector<Way> possible_ways(std::uint32_t source, std::uint32_t destination);
  template <class Visit>
  void visit_ports(std::uint32_t destination, const Way& way, Visit&& visit) const;
  template <class Visit>
  void visit_path(std::uint32_t link, Packet packet, Visit&& visit) const;
  [[gnu::noinline, gnu::cold]] void announce(const Element& element, const Request& request);
  [[gnu::noinline, gnu::cold]] void look_up_heads();
  void look_up_head(const LookUps::Head& head);
  LookUps::Delay look_up(std::uint32_t queue_index, std::uint32_t packet);
  [[gnu::noinline, gnu::cold]] bool begin_look_up(std::uint32_t queue_index, Queue& queue, Tick delay);
  [[gnu::noinline, gnu::cold]] void look_up_at_source(std::uint32_t queue_index, std::uint32_t packet, Tick hit_at);
  [[gnu::noinline, gnu::cold]] bool awaits_look_up(std::uint32_t queue_index, Queue& queue);

  // deadlock.cpp
  void discard(std::uint32_t queue_index, Queue& queue);
  void check_deadlock();
  std::vector<std::uint32_t> deadlocked_queues(std::vector<std::vector<std::uint32_t>>& waits_for) const;
  bool queues_waited_for(std::uint32_t queue_index, const std::vector<std::int32_t>& returning,
                         std::vector<std::uint32_t>& found) const;
  void drop_packet_of(const std::vector<std::uint32_t>& cycle);
  WaitingChannel waiting_channel(std::uint32_t queue_index) const;

  // audit.cpp
  void require_conservation();
  std::vector<std::int32_t> credits_in_flight() const;
  std::optional<std::string> audit_credits() const;
  std::optional<std::string> audit_flits() const;
  std::optional<std::string> audit_packets() const;
  std::optional<std::string> audit_backlogs() const;

  Plan plan_;
  TrafficPlan traffic_plan_;
  Tick now_ = 0;
  std::vector<Routes> routes_;
  Traffic traffic_;
  // queue index = (input << channel_bits_) + channel; channel index = (output << channel_bits_) + channel
  int channel_bits_ = 0;
  std::uint16_t min_flits_ = 1;

  std::vector<Element> elements_;
  Memory<Input> inputs_;
  Memory<InputConfig> input_configs_;
  Memory<Queue> queues_;
  Memory<Output> outputs_;
  Memory<OutputConfig> output_configs_;
  Memory<Channel> channels_;
  std::vector<std::uint64_t> ready_, waiters_, active_;
  std::vector<std::uint32_t> first_switch_;  // by plane: the element of its switch 0
  std::uint32_t first_node_ = 0;
  std::vector<std::uint32_t> link_starts_;  // [node][plane] + 1; empty if each node has one link in each plane
  std::vector<Attachment> attachments_;     // by node link

  std::vector<Random> path_random_;  // by node; empty if all paths are minimal

  Pool<Message> messages_;
  Pool<Packet> packets_;
  Pool<Follower> followers_;
  std::vector<Source> sources_;             // by node link
  std::vector<std::uint32_t> turn_;         // by node: the next way, or plane, on a tie
  std::vector<std::uint32_t> plane_turn_;   // [node][plane]: the next way in that plane on a tie
  std::vector<std::int64_t> plane_credit_;  // [node][plane]: credit of a plane from its share
  std::vector<Way> ways_;                   // candidates for a new message
  Wheel<Arrival> arrivals_;
  Wheel<std::uint32_t> credits_, sinks_;

  std::vector<NewMessage> new_messages_;
  std::vector<std::uint32_t> ready_inputs_;  // of the current element; reused, so only a prefix is valid
  std::vector<Request> requests_;
  std::uint32_t request_count_ = 0;
  std::vector<std::uint32_t> best_;  // by output of an element: the winning request, or kNone

  std::unique_ptr<LookUps> look_ups_;  // null if they only take a constant time
  bool checks_heads_ = false;          // whether heads may have to wait at the front of their queue
  Counters counters_;
  std::unordered_map<std::uint64_t, std::uint32_t> tracked_pairs_;
  std::vector<Tick> listed_created_, listed_arrived_;
  std::vector<WaitingChannel> deadlock_;
  std::uint64_t flits_consumed_ = 0;  // counted on entry to their last link
};

}  // namespace isoplane::sim
