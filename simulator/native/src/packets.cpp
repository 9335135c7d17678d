#include "isoplane/sim/packets.hpp"

#include <algorithm>
#include <stdexcept>

namespace isoplane::sim {

void TransferPlan::check() const {
  const auto require = [](bool holds, const char* what) {
    if (!holds) throw std::invalid_argument(what);
  };
  const std::size_t links = byte_ticks.size(), count = bytes.size();
  require(delay.size() == links && credit_delay.size() == links, "links of different lists");
  for (std::size_t i = 0; i < links; ++i)
    require(byte_ticks[i] > 0 && delay[i] >= 0 && credit_delay[i] >= 0, "a link out of range");
  require(packet_bytes > 0 && window > 0, "packets out of range");
  require(begin_delay.size() == count && waits.size() == count, "transfers of different lists");
  require(path_start.size() == count + 1 && path_start.back() == path.size(), "paths");
  require(next_start.size() == count + 1 && next_start.back() == next.size(), "transfers that wait");
  for (std::size_t i = 0; i < count; ++i) {
    require(bytes[i] > 0 && bytes[i] / packet_bytes < kNone && begin_delay[i] >= 0, "a transfer out of range");
    require(path_start[i] < path_start[i + 1] && next_start[i] <= next_start[i + 1], "a transfer without links");
  }
  for (const std::uint32_t link : path) require(link < links, "a link that does not exist");
  for (const std::uint32_t transfer : next) require(transfer < count, "a transfer that does not exist");
}

PacketNetwork::PacketNetwork(TransferPlan plan) : plan_((plan.check(), std::move(plan))), waits_(plan_.waits) {
  const auto count = static_cast<std::uint32_t>(plan_.bytes.size());
  queues_.resize(plan_.path.size());
  turns_.resize(plan_.byte_ticks.size());
  arrived_.assign(count, -1);
  link_bytes_.assign(turns_.size(), 0);
  for (std::uint32_t i = 0; i < count; ++i) {
    Tick slowest = 0;
    for (std::uint32_t q = plan_.path_start[i]; q < plan_.path_start[i + 1]; ++q) {
      slowest = std::max(slowest, plan_.byte_ticks[plan_.path[q]]);
      queues_[q] = {.transfer = i, .link = plan_.path[q], .room = plan_.window, .slowest = slowest};
    }
    if (waits_[i] == 0) plan_event(plan_.begin_delay[i], Kind::kBegin, i);
  }
}

bool PacketNetwork::run(std::uint64_t events) {
  std::uint64_t done = 0;
  while (!events_.empty() && done < events) {
    now_ = events_.top().when;
    for (; !events_.empty() && events_.top().when == now_; ++done) {
      const Event event = events_.top();
      events_.pop();
      take(event);
    }
    // After all events of a tick: what comes when a link falls free has its turn like what came before.
    for (const std::uint32_t link : touched_) serve(link);
    touched_.clear();
  }
  return events_.empty();
}

void PacketNetwork::take(const Event& event) {
  switch (event.kind) {
    case Kind::kFree:
      return touched_.push_back(event.subject);
    case Kind::kCome:
      ++queues_[event.subject].come;
      return line_up(event.subject);
    case Kind::kCredit:
      ++queues_[event.subject].room;
      return line_up(event.subject);
    case Kind::kBegin:
      return begin(event.subject);
    case Kind::kArrive:
      return arrive(event.subject);
  }
}

void PacketNetwork::begin(std::uint32_t transfer) {
  const std::uint32_t first = plan_.path_start[transfer];
  queues_[first].come = packets(transfer);
  line_up(first);
}

void PacketNetwork::arrive(std::uint32_t transfer) {
  arrived_[transfer] = now_;
  for (std::uint32_t k = plan_.next_start[transfer]; k < plan_.next_start[transfer + 1]; ++k) {
    const std::uint32_t next = plan_.next[k];
    if (--waits_[next] == 0) plan_event(now_ + plan_.begin_delay[next], Kind::kBegin, next);
  }
}

// Puts a queue that may send behind the others that want its link.
void PacketNetwork::line_up(std::uint32_t queue_index) {
  Queue& queue = queues_[queue_index];
  if (queue.in_turn || queue.sent == queue.come || (queue.room == 0 && !ends(queue_index))) return;
  Turns& turns = turns_[queue.link];
  (turns.first == kNone ? turns.first : queues_[turns.last].behind) = queue_index;
  turns.last = queue_index;
  queue.in_turn = true;
  if (turns.free_at <= now_) touched_.push_back(queue.link);
}

void PacketNetwork::serve(std::uint32_t link) {
  Turns& turns = turns_[link];
  if (turns.free_at > now_ || turns.first == kNone) return;
  const std::uint32_t queue_index = turns.first;
  Queue& queue = queues_[queue_index];
  turns.first = queue.behind;
  queue.behind = kNone;
  queue.in_turn = false;
  send(queue_index);
  line_up(queue_index);
}

std::uint64_t PacketNetwork::length(std::uint32_t transfer, std::uint32_t packet) const {
  return std::min(plan_.packet_bytes, plan_.bytes[transfer] - plan_.packet_bytes * packet);
}

void PacketNetwork::send(std::uint32_t queue_index) {
  Queue& queue = queues_[queue_index];
  const auto bytes = static_cast<Tick>(length(queue.transfer, queue.sent++));
  const Tick delay = plan_.delay[queue.link], last_bit = now_ + bytes * queue.slowest;
  link_bytes_[queue.link] += static_cast<std::uint64_t>(bytes);
  turns_[queue.link].free_at = now_ + bytes * plan_.byte_ticks[queue.link];
  plan_event(turns_[queue.link].free_at, Kind::kFree, queue.link);
  if (!starts(queue_index))
    plan_event(last_bit + plan_.credit_delay[queues_[queue_index - 1].link], Kind::kCredit, queue_index - 1);
  if (!ends(queue_index)) {
    --queue.room;
    plan_event(now_ + delay, Kind::kCome, queue_index + 1);
  } else if (queue.sent == packets(queue.transfer)) {
    plan_event(last_bit + delay, Kind::kArrive, queue.transfer);
  }
}

// Links carried what queues have sent, and no element holds more than it has room for.
std::optional<std::string> PacketNetwork::audit() const {
  std::vector<std::uint64_t> carried(turns_.size(), 0);
  for (std::uint32_t q = 0; q < queues_.size(); ++q) {
    const Queue& queue = queues_[q];
    for (std::uint32_t packet = 0; packet < queue.sent; ++packet) carried[queue.link] += length(queue.transfer, packet);
    const std::string name = "queue " + std::to_string(q) + ": ";
    if (queue.come > packets(queue.transfer) || queue.sent > queue.come)
      return name + std::to_string(queue.sent) + " packets sent of " + std::to_string(queue.come);
    if (!ends(q) && queue.sent - queues_[q + 1].sent + queue.room > plan_.window)
      return name + std::to_string(queue.sent - queues_[q + 1].sent) + " packets ahead and room for " +
             std::to_string(queue.room);
    if (events_.empty() && queue.sent != packets(queue.transfer)) return name + "packets that were never sent";
  }
  for (std::size_t link = 0; link < carried.size(); ++link)
    if (carried[link] != link_bytes_[link]) return "link " + std::to_string(link) + ": other bytes than sent";
  return std::nullopt;
}

}  // namespace isoplane::sim
