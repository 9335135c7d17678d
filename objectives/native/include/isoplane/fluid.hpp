// The fluid model: transfers that share resources max-min fairly, over time.
#pragma once

#include <cstdint>
#include <vector>

#include "isoplane/least.hpp"

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
  struct Resource {
    double left = 0;                                    // capacity that is not given away yet
    std::uint32_t open = 0;                             // users without a new rate
    std::uint32_t due = 0;                              // where due_ has it
    std::uint32_t first = 0, users = 0;                 // transfers under way: users_[first .. first + users)
    std::uint32_t touched = 0, begun = 0, reached = 0;  // stamps: listed in touched_, begun_, reached_
  };
  // A transfer that has begun and is not over. Its slot is then free for another one.
  struct Course {
    double rate = 0;         // 0 before the first one, and after the last bit
    std::uint32_t open = 0;  // stamp: about to get a new rate
    std::uint32_t transfer = 0;
    std::uint32_t first_use = 0, end_use = 0;
  };
  struct Rest {
    double bits = 0, since = 0;  // what was left at that moment
  };
  struct User {
    std::uint32_t slot, use;
  };
  static constexpr double kSameNs = 1e-3;  // moments nearer than a picosecond are one

  void reset();
  void make_room_for_users();
  void begin(std::uint32_t transfer);
  std::uint32_t take_slot();
  void leave(std::uint32_t slot, std::vector<double>* over);
  void end(std::uint32_t slot);
  void touch(std::uint32_t number);
  void share();
  double unchanged_below() const;
  double full_at(std::uint32_t number, double least) const;
  void collect(double least);
  void open(std::uint32_t number, double least);
  void reach(std::uint32_t number);
  void fill();
  void give(std::uint32_t full, double rate);
  void fix(std::uint32_t slot, double rate, std::uint32_t full);
  void change(std::uint32_t slot, double rate);

  const Transfers* plan_ = nullptr;
  double now_ = 0, last_ = 0;
  std::vector<std::uint32_t> waits_;
  Least moments_;                    // by slot: of the last bit, then of the end
  std::vector<Course> courses_;      // by slot
  std::vector<Rest> rests_;          // by slot
  std::vector<std::uint32_t> free_;  // slots
  std::vector<Resource> resources_;
  std::vector<User> users_;
  std::vector<std::uint32_t> place_;              // of every use: where users_ has it
  std::vector<std::uint32_t> touched_;            // resources whose users have changed
  std::vector<std::uint32_t> begun_;              // resources of transfers without a rate so far
  double least_left_ = 0;                         // least rate of those that have left
  std::uint32_t stamp_ = 0;                       // of the next new rates
  std::vector<std::uint32_t> reached_, members_;  // resources that a change can reach; slots over the last one of them
  Least due_;                                     // by place in reached_: the rate at which the resource is full
};

}  // namespace isoplane
