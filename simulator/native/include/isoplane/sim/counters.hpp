// What a run has seen since it began; whoever measures takes differences.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

namespace isoplane::sim {

// Counts of latencies, in classes of a relative width of at most 1/32.
class Histogram {
 public:
  static constexpr int kFine = 5;
  static constexpr std::size_t kClasses = (64 - kFine + 1) << kFine;

  static std::size_t class_of(std::uint64_t value) {
    if (value < 2u << kFine) return value;
    const int shift = 63 - std::countl_zero(value) - kFine;
    return (static_cast<std::size_t>(shift) << kFine) + (value >> shift);
  }
  // The smallest value of a class.
  static std::uint64_t least(std::size_t index) {
    if (index < 2u << kFine) return index;
    const std::size_t shift = (index >> kFine) - 1;
    return ((index & ((1u << kFine) - 1)) + (1u << kFine)) << shift;
  }

  void add(std::uint64_t value) { ++counts_[class_of(value)]; }
  const std::array<std::uint64_t, kClasses>& counts() const { return counts_; }

 private:
  std::array<std::uint64_t, kClasses> counts_{};
};

// Latencies of packets and messages of one kind: all, those of one distance, those of one pair. In ticks.
struct Latencies {
  std::uint64_t packets = 0;
  std::uint64_t network = 0;  // sum, from leaving the queue of the source to the last bit
  std::uint64_t total = 0;    // sum, from the creation of the message to the last bit of the packet
  std::uint64_t messages = 0;
  std::uint64_t message = 0;          // sum, from creation to the last bit of the last packet
  std::uint64_t longest = 0;          // of a packet in the network
  std::uint64_t longest_message = 0;  // from creation
};

struct Counters {
  std::uint64_t messages_created = 0, bits_created = 0, packets_created = 0;
  std::uint64_t ticks_held = 0;  // of nodes that must not create their message, for too many are in the network
  std::uint64_t bits_arrived = 0;
  std::uint64_t messages_dropped = 0, bits_dropped = 0;
  std::uint64_t packets_injected = 0, flits_injected = 0;
  std::uint64_t flits_arrived = 0;
  std::uint64_t packets_dropped = 0, flits_dropped = 0;
  std::uint64_t flit_hops = 0;  // flits over links, those between nodes and switches included
  std::uint64_t collisions = 0, collided_packets = 0;
  std::uint64_t deadlocks = 0;
  Latencies all;
  std::vector<Latencies> by_distance;         // links between switches
  std::vector<Latencies> by_pair;             // of those that are watched
  Histogram histogram;                        // of latencies in the network
  std::vector<std::uint64_t> sent, received;  // messages of every node
  std::vector<std::uint64_t> collisions_at;   // by element: switches of plane 0, of plane 1, ..., nodes
  std::vector<std::uint64_t> link_flits;      // that were sent, by link, in the order of `Engine::links`
};

}  // namespace isoplane::sim
