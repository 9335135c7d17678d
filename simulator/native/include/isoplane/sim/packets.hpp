// Event-driven simulation of the packets of transfers over links of any rates and delays. Times of the first and last
// bit of a packet on each link are exact, so flits need not be simulated.
#pragma once

#include <cstdint>
#include <optional>
#include <queue>
#include <string>
#include <vector>

#include "isoplane/sim/plan.hpp"
#include "isoplane/sim/pool.hpp"

namespace isoplane::sim {

// Links and transfers as plain data. All times are whole ticks.
struct TransferPlan {
  std::vector<Tick> byte_ticks;    // by link: time of a byte
  std::vector<Tick> delay;         // by link: until a bit may leave the element at its end
  std::vector<Tick> credit_delay;  // by link: delay of a returning credit

  std::vector<std::uint64_t> bytes;         // by transfer; only one without links may be empty
  std::vector<Tick> begin_delay;            // by transfer: from the arrival of its last predecessor to its start
  std::vector<std::uint32_t> path_start;    // [transfer + 1]
  std::vector<std::uint32_t> path;          // links
  std::vector<std::uint32_t> predecessors;  // by transfer: number of predecessors
  std::vector<std::uint32_t> next_start;    // [transfer + 1]
  std::vector<std::uint32_t> next;          // successors of each transfer

  std::uint64_t packet_bytes = 4096;
  std::uint32_t window = 2;  // capacity of a queue, in packets

  // Throws std::invalid_argument if the values are inconsistent.
  void check() const;
};

// Every transfer has a separate queue at each link of its path. A free link serves the eligible queues round-robin,
// packet by packet; a queue is eligible while the next one has room. Elements cut through. A packet that arrives more
// slowly than its link could send it leaves gaps, which its last bits and the packets of other queues share: the link
// is occupied only for the transmission time of the packet, and the last bit follows the first one at the distance set
// by the slowest link so far.
class PacketNetwork {
 public:
  explicit PacketNetwork(TransferPlan plan);
  PacketNetwork(const PacketNetwork&) = delete;
  PacketNetwork& operator=(const PacketNetwork&) = delete;

  // Processes at least `events` events, or all; returns whether none are left.
  bool run(std::uint64_t events);

  const std::vector<Tick>& arrived() const { return arrived_; }  // by transfer: time of its last bit; -1: not yet
  const std::vector<std::uint64_t>& link_bytes() const { return link_bytes_; }

  // Recounts everything; returns the first violated law of conservation, if any.
  std::optional<std::string> audit() const;

 private:
  enum class Kind : std::uint8_t { kFree, kReceive, kCredit, kBegin, kArrive };
  struct Event {
    Tick when;
    std::uint64_t order;    // events of a tick are processed in the order of scheduling
    std::uint32_t subject;  // a link, queue or transfer
    Kind kind;
    bool operator>(const Event& other) const { return when != other.when ? when > other.when : order > other.order; }
  };
  struct Queue {
    std::uint32_t transfer = 0, link = 0, room = 0;
    std::uint32_t received = 0, sent = 0;  // packets
    Tick slowest = 0;                      // time of a byte on the slowest link so far
    std::uint32_t next_waiting = kNone;    // the queue to be served after this one
    bool waiting = false;
  };
  // The queues that wait for a link, in order of service.
  struct Waiters {
    std::uint32_t first = kNone, last = kNone;
    Tick free_at = 0;
  };

  void schedule(Tick when, Kind kind, std::uint32_t subject) { events_.push({when, scheduled_++, subject, kind}); }
  void process(const Event& event);
  void begin(std::uint32_t transfer);
  void arrive(std::uint32_t transfer);
  void enqueue(std::uint32_t queue_index);
  void serve(std::uint32_t link);
  void send(std::uint32_t queue_index);
  bool is_first(std::uint32_t queue_index) const {
    return queue_index == plan_.path_start[queues_[queue_index].transfer];
  }
  bool is_last(std::uint32_t queue_index) const {
    return queue_index + 1 == plan_.path_start[queues_[queue_index].transfer + 1];
  }
  std::uint32_t packets(std::uint32_t transfer) const {
    return static_cast<std::uint32_t>((plan_.bytes[transfer] + plan_.packet_bytes - 1) / plan_.packet_bytes);
  }
  std::uint64_t length(std::uint32_t transfer, std::uint32_t packet) const;

  TransferPlan plan_;
  Tick now_ = 0;
  std::uint64_t scheduled_ = 0;
  std::vector<Queue> queues_;           // one per entry of `path`
  std::vector<Waiters> waiters_;        // by link
  std::vector<std::uint32_t> pending_;  // by transfer: number of predecessors that have not arrived
  std::vector<std::uint32_t> touched_;  // links to serve at the end of this tick
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  std::vector<Tick> arrived_;
  std::vector<std::uint64_t> link_bytes_;
};

}  // namespace isoplane::sim
