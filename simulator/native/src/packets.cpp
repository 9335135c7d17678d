#include "isoplane/sim/packets.hpp"

#include <algorithm>
#include <stdexcept>

namespace isoplane::sim {

void TransferPlan::check() const {
  const auto require = [](bool holds, const char* what) {
    if (!holds) throw std::invalid_argument(what);
  };
  const std::size_t links = byte_ticks.size(), count = bytes.size();
  require(delay.size() == links && credit_delay.size() == links, "link lists of different lengths");
  for (std::size_t i = 0; i < links; ++i)
    require(byte_ticks[i] > 0 && delay[i] >= 0 && credit_delay[i] >= 0, "a link out of range");
  require(packet_bytes > 0 && window > 0, "packets out of range");
  require(begin_delay.size() == count && predecessors.size() == count, "transfer lists of different lengths");
  require(path_start.size() == count + 1 && path_start.back() == path.size(), "paths");
  require(next_start.size() == count + 1 && next_start.back() == next.size(), "successors of transfers");
  for (std::size_t i = 0; i < count; ++i) {
    require(path_start[i] <= path_start[i + 1] && next_start[i] <= next_start[i + 1], "lists out of order");
    require(bytes[i] > 0 || path_start[i] == path_start[i + 1], "an empty transfer");
    require(bytes[i] / packet_bytes < kNone && begin_delay[i] >= 0, "a transfer out of range");
  }
  for (const std::uint32_t link : path) require(link < links, "a link that does not exist");
  for (const std::uint32_t transfer : next) require(transfer < count, "a transfer that does not exist");
}

PacketNetwork::PacketNetwork(TransferPlan plan) : plan_((plan.check(), std::move(plan))), pending_(plan_.predecessors) {
  const auto count = static_cast<std::uint32_t>(plan_.bytes.size());
  queues_.resize(plan_.path.size());
  waiters_.resize(plan_.byte_ticks.size());
  arrived_.assign(count, -1);
  link_bytes_.assign(waiters_.size(), 0);
  for (std::uint32_t i = 0; i < count; ++i) {
    Tick slowest = 0;
    for (std::uint32_t q = plan_.path_start[i]; q < plan_.path_start[i + 1]; ++q) {
      slowest = std::max(slowest, plan_.byte_ticks[plan_.path[q]]);
      queues_[q] = {.transfer = i, .link = plan_.path[q], .room = plan_.window, .slowest = slowest};
    }
    if (pending_[i] == 0) schedule(plan_.begin_delay[i], Kind::kBegin, i);
  }
}

bool PacketNetwork::run(std::uint64_t events) {
  std::uint64_t processed = 0;
  while (!events_.empty() && processed < events) {
    now_ = events_.top().when;
    for (; !events_.empty() && events_.top().when == now_; ++processed) {
      const Event event = events_.top();
      events_.pop();
      process(event);
    }
    // After all events of a tick, so that packets arriving as a link becomes free are served like earlier ones.
    for (const std::uint32_t link : touched_) serve(link);
    touched_.clear();
  }
  return events_.empty();
}

void PacketNetwork::process(const Event& event) {
  switch (event.kind) {
    case Kind::kFree:
      return touched_.push_back(event.subject);
    case Kind::kReceive:
      ++queues_[event.subject].received;
      return enqueue(event.subject);
    case Kind::kCredit:
      ++queues_[event.subject].room;
      return enqueue(event.subject);
    case Kind::kBegin:
      return begin(event.subject);
    case Kind::kArrive:
      return arrive(event.subject);
  }
}

void PacketNetwork::begin(std::uint32_t transfer) {
  const std::uint32_t first = plan_.path_start[transfer];
  if (first == plan_.path_start[transfer + 1]) return arrive(transfer);  // without links, it takes no time
  queues_[first].received = packets(transfer);
  enqueue(first);
}

void PacketNetwork::arrive(std::uint32_t transfer) {
  arrived_[transfer] = now_;
  for (std::uint32_t k = plan_.next_start[transfer]; k < plan_.next_start[transfer + 1]; ++k) {
    const std::uint32_t next = plan_.next[k];
    if (--pending_[next] == 0) schedule(now_ + plan_.begin_delay[next], Kind::kBegin, next);
  }
}

// Appends an eligible queue to those that wait for its link.
void PacketNetwork::enqueue(std::uint32_t queue_index) {
  Queue& queue = queues_[queue_index];
  if (queue.waiting || queue.sent == queue.received || (queue.room == 0 && !is_last(queue_index))) return;
  Waiters& waiters = waiters_[queue.link];
  (waiters.first == kNone ? waiters.first : queues_[waiters.last].next_waiting) = queue_index;
  waiters.last = queue_index;
  queue.waiting = true;
  if (waiters.free_at <= now_) touched_.push_back(queue.link);
}

void PacketNetwork::serve(std::uint32_t link) {
  Waiters& waiters = waiters_[link];
  if (waiters.free_at > now_ || waiters.first == kNone) return;
  const std::uint32_t queue_index = waiters.first;
  Queue& queue = queues_[queue_index];
  waiters.first = queue.next_waiting;
  queue.next_waiting = kNone;
  queue.waiting = false;
  send(queue_index);
  enqueue(queue_index);
}

std::uint64_t PacketNetwork::length(std::uint32_t transfer, std::uint32_t packet) const {
  return std::min(plan_.packet_bytes, plan_.bytes[transfer] - plan_.packet_bytes * packet);
}

void PacketNetwork::send(std::uint32_t queue_index) {
  Queue& queue = queues_[queue_index];
  const auto bytes = static_cast<Tick>(length(queue.transfer, queue.sent++));
  const Tick delay = plan_.delay[queue.link], last_bit = now_ + bytes * queue.slowest;
  link_bytes_[queue.link] += static_cast<std::uint64_t>(bytes);
  waiters_[queue.link].free_at = now_ + bytes * plan_.byte_ticks[queue.link];
  schedule(waiters_[queue.link].free_at, Kind::kFree, queue.link);
  if (!is_first(queue_index))
    schedule(last_bit + plan_.credit_delay[queues_[queue_index - 1].link], Kind::kCredit, queue_index - 1);
  if (!is_last(queue_index)) {
    --queue.room;
    schedule(now_ + delay, Kind::kReceive, queue_index + 1);
  } else if (queue.sent == packets(queue.transfer)) {
    schedule(last_bit + delay, Kind::kArrive, queue.transfer);
  }
}

// Links have carried the packets that queues sent, and no queue exceeds its capacity.
std::optional<std::string> PacketNetwork::audit() const {
  std::vector<std::uint64_t> carried(waiters_.size(), 0);
  for (std::uint32_t q = 0; q < queues_.size(); ++q) {
    const Queue& queue = queues_[q];
    for (std::uint32_t packet = 0; packet < queue.sent; ++packet) carried[queue.link] += length(queue.transfer, packet);
    const std::string name = "queue " + std::to_string(q) + ": ";
    if (queue.received > packets(queue.transfer) || queue.sent > queue.received)
      return name + std::to_string(queue.sent) + " packets sent of " + std::to_string(queue.received);
    if (!is_last(q) && queue.sent - queues_[q + 1].sent + queue.room > plan_.window)
      return name + std::to_string(queue.sent - queues_[q + 1].sent) +
             " packets that the next queue has not forwarded, and room for " + std::to_string(queue.room);
    if (events_.empty() && queue.sent != packets(queue.transfer)) return name + "some packets were never sent";
  }
  for (std::size_t link = 0; link < carried.size(); ++link)
    if (carried[link] != link_bytes_[link])
      return "link " + std::to_string(link) + ": bytes carried differ from bytes sent";
  return std::nullopt;
}

}  // namespace isoplane::sim
