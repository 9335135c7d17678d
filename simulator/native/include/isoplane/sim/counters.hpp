// Counters of a run since its start; a measurement takes differences.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

namespace isoplane::sim {

// Counts of latencies, in classes of a relative width of at most 1/32.
class Histogram {
 public:
  static constexpr int kFineBits = 5;  // 2^5 classes per power of two
  static constexpr std::size_t kClasses = (64 - kFineBits + 1) << kFineBits;

  static std::size_t class_of(std::uint64_t value) {
    if (value < 2u << kFineBits) return value;
    const int shift = 63 - std::countl_zero(value) - kFineBits;
    return (static_cast<std::size_t>(shift) << kFineBits) + (value >> shift);
  }
  // The lower end of a class.
  static std::uint64_t lower_end(std::size_t index) {
    if (index < 2u << kFineBits) return index;
    const std::size_t shift = (index >> kFineBits) - 1;
    return ((index & ((1u << kFineBits) - 1)) + (1u << kFineBits)) << shift;
  }

  void add(std::uint64_t value) { ++counts_[class_of(value)]; }
  const std::array<std::uint64_t, kClasses>& counts() const { return counts_; }

 private:
  std::array<std::uint64_t, kClasses> counts_{};
};

// Latencies of a class of packets and messages: all, one distance, or one pair. In ticks.
struct Latencies {
  std::uint64_t packets = 0;
  std::uint64_t network_sum = 0;  // sum, from leaving the queue of the source to the last bit
  std::uint64_t total_sum = 0;    // sum, from the creation of the message to the last bit of the packet
  std::uint64_t messages = 0;
  std::uint64_t message_sum = 0;      // sum, from creation to the last bit of the last packet
  std::uint64_t longest = 0;          // maximum, of a packet in the network
  std::uint64_t longest_message = 0;  // maximum, from creation
};

struct Counters {
  std::uint64_t messages_created = 0, bits_created = 0, packets_created = 0;
  std::uint64_t ticks_waiting = 0;  // node ticks spent waiting because of the limit on messages in the network
  std::uint64_t bits_arrived = 0;
  std::uint64_t messages_dropped = 0, bits_dropped = 0;
  std::uint64_t packets_injected = 0, flits_injected = 0;
  std::uint64_t flits_arrived = 0;
  std::uint64_t packets_dropped = 0, flits_dropped = 0;
  std::uint64_t flit_hops = 0;  // flits over links, including node links
  std::uint64_t collisions = 0, collided_packets = 0;
  std::uint64_t deadlocks = 0;
  Latencies all;
  std::vector<Latencies> by_distance;         // by number of links between switches
  std::vector<Latencies> by_pair;             // by tracked pair
  Histogram histogram;                        // latencies of packets in the network
  std::vector<std::uint64_t> sent, received;  // number of messages by node
  std::vector<std::uint64_t> collisions_at;   // by element: switches of plane 0, of plane 1, ..., nodes
  std::vector<std::uint64_t> link_flits;      // flits sent by link, in the order of `Engine::links`
};

}  // namespace isoplane::sim
