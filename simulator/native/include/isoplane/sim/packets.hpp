// Packets of transfers over links of any rates and delays, from event to event: the first and the last bit of a packet
// at each link are known, so that no flit needs to be followed.
#pragma once

#include <cstdint>
#include <optional>
#include <queue>
#include <string>
#include <vector>

#include "isoplane/sim/plan.hpp"
#include "isoplane/sim/pool.hpp"

namespace isoplane::sim {

// Links and transfers, as plain data. A tick is so short that all times are whole ticks.
struct TransferPlan {
  std::vector<Tick> byte_ticks;    // by link: of a byte
  std::vector<Tick> delay;         // by link: until a bit may leave the element at its end
  std::vector<Tick> credit_delay;  // by link: of a credit that comes back

  std::vector<std::uint64_t> bytes;       // by transfer
  std::vector<Tick> begin_delay;          // by transfer: after all that it waits for has arrived
  std::vector<std::uint32_t> path_start;  // [transfer + 1]
  std::vector<std::uint32_t> path;        // links
  std::vector<std::uint32_t> waits;       // by transfer: for how many others
  std::vector<std::uint32_t> next_start;  // [transfer + 1]
  std::vector<std::uint32_t> next;        // transfers that wait for this one

  std::uint64_t packet_bytes = 4096;
  std::uint32_t window = 2;  // packets of a transfer for which an element has room

  // Throws std::invalid_argument where the numbers do not fit together.
  void check() const;
};

// Every transfer has a queue of its own at the beginning of each link of its path. A link that is free takes the next
// packet of the queues that may send, in turn; a queue may send while the next one has room. Elements cut through. A
// packet that comes in more slowly than its link could send it leaves gaps, which its last bits and the packets of
// other queues share: the link is taken for as long as the packet needs of it, and the last bit follows the first one
// as far behind as on the slowest link before.
class PacketNetwork {
 public:
  explicit PacketNetwork(TransferPlan plan);
  PacketNetwork(const PacketNetwork&) = delete;
  PacketNetwork& operator=(const PacketNetwork&) = delete;

  // Goes on for at least so many events, or to the end; whether that is reached.
  bool run(std::uint64_t events);

  const std::vector<Tick>& arrived() const { return arrived_; }  // by transfer: its last bit; -1: not yet
  const std::vector<std::uint64_t>& link_bytes() const { return link_bytes_; }

  // Counts everything again; the first law of conservation that does not hold, or nothing.
  std::optional<std::string> audit() const;

 private:
  enum class Kind : std::uint8_t { kFree, kCome, kCredit, kBegin, kArrive };
  struct Event {
    Tick when;
    std::uint64_t order;    // events of a tick come in the order in which they were planned
    std::uint32_t subject;  // a link; a queue; a transfer
    Kind kind;
    bool operator>(const Event& other) const { return when != other.when ? when > other.when : order > other.order; }
  };
  struct Queue {
    std::uint32_t transfer = 0, link = 0, room = 0;
    std::uint32_t come = 0, sent = 0;  // packets
    Tick slowest = 0;                  // time of a byte on the slowest link up to here
    std::uint32_t behind = kNone;      // the queue that has its turn after this one
    bool in_turn = false;
  };
  struct Turns {
    std::uint32_t first = kNone, last = kNone;
    Tick free_at = 0;
  };

  void plan_event(Tick when, Kind kind, std::uint32_t subject) { events_.push({when, planned_++, subject, kind}); }
  void take(const Event& event);
  void begin(std::uint32_t transfer);
  void arrive(std::uint32_t transfer);
  void line_up(std::uint32_t queue_index);
  void serve(std::uint32_t link);
  void send(std::uint32_t queue_index);
  bool starts(std::uint32_t queue_index) const {
    return queue_index == plan_.path_start[queues_[queue_index].transfer];
  }
  bool ends(std::uint32_t queue_index) const {
    return queue_index + 1 == plan_.path_start[queues_[queue_index].transfer + 1];
  }
  std::uint32_t packets(std::uint32_t transfer) const {
    return static_cast<std::uint32_t>((plan_.bytes[transfer] + plan_.packet_bytes - 1) / plan_.packet_bytes);
  }
  std::uint64_t length(std::uint32_t transfer, std::uint32_t packet) const;

  TransferPlan plan_;
  Tick now_ = 0;
  std::uint64_t planned_ = 0;
  std::vector<Queue> queues_;  // one for each entry of `path`
  std::vector<Turns> turns_;   // by link
  std::vector<std::uint32_t> waits_, touched_;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  std::vector<Tick> arrived_;
  std::vector<std::uint64_t> link_bytes_;
};

}  // namespace isoplane::sim
