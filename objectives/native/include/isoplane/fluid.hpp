// The fluid model: transfers that share resources max-min fairly, over time.
#pragma once

#include <cstdint>
#include <queue>
#include <utility>
#include <vector>

namespace isoplane {

// Transfers that wait for each other, as plain data. Lists of lists are flat, with the starts of the inner ones.
struct Transfers {
  std::vector<double> capacity;                 // of every resource, in bits per ns
  std::vector<double> bits, latency_ns;         // a transfer is over this long after its last bit was sent
  std::vector<std::uint32_t> use_start, use;    // resources of every transfer, at least one, each once
  std::vector<std::uint32_t> waits;             // how many transfers must be over before it begins
  std::vector<std::uint32_t> next_start, next;  // transfers that wait for it

  std::size_t size() const { return bits.size(); }
};

// At every moment the rates are max-min fair: no transfer can be faster without a slower one becoming slower still.
// They change only where a transfer begins or ends, so the course is that of a few rates at a few moments.
class Fluid {
 public:
  // The moment at which the last transfer is over; `over`, if given, receives that of each.
  double completion_ns(const Transfers& transfers, std::vector<double>* over = nullptr);

 private:
  struct Event {
    double when;
    std::uint32_t transfer;
    std::uint32_t version;  // kOver, or of the rate that sends its last bit then
    bool operator>(const Event& other) const {
      return when != other.when ? when > other.when : transfer > other.transfer;
    }
  };
  static constexpr std::uint32_t kOver = 0xFFFFFFFF;
  static constexpr double kSameNs = 1e-3;  // moments nearer than a picosecond are one

  void reset();
  void begin(std::uint32_t transfer);
  void leave(std::uint32_t transfer);
  void end(std::uint32_t transfer, std::vector<double>* over);
  void touch(std::uint32_t transfer);
  void share();
  double unchanged_below() const;
  void collect(double least);
  void fill();
  void fix(std::uint32_t transfer, double rate);

  const Transfers* plan_ = nullptr;
  double now_ = 0, last_ = 0;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  std::vector<std::uint32_t> waits_, version_;
  std::vector<double> left_bits_, rate_, new_rate_, since_;
  std::vector<std::uint32_t> place_;                                  // of every use: where its resource lists it
  std::vector<std::vector<std::uint32_t>> users_;                     // of every resource: uses of transfers under way
  std::vector<std::uint32_t> owner_;                                  // of every use: its transfer
  std::vector<std::uint32_t> touched_;                                // resources whose users have changed
  std::vector<std::uint32_t> begun_;                                  // transfers without a rate so far
  double least_left_ = 0;                                             // least rate of those that have left
  std::vector<std::uint32_t> seen_resource_, seen_transfer_, fixed_;  // stamps
  std::uint32_t stamp_ = 0;
  std::vector<std::uint32_t> resources_, members_;  // that a change can reach
  std::vector<double> left_capacity_;
  std::vector<std::uint32_t> open_;                    // of every resource: users without a rate
  std::vector<std::pair<double, std::uint32_t>> due_;  // a heap: resources by the rate at which they are full
};

}  // namespace isoplane
