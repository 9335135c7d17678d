// The fluid model: transfers that share resources max-min fairly, over time, all in whole numbers.
#pragma once

#include <cstdint>
#include <vector>

#include "isoplane/least.hpp"

namespace isoplane {

using Volume = unsigned __int128;  // what is sent, in units of a rate times a tick

// Transfers that wait for each other, as plain data. Lists of lists are flat, with the starts of the inner ones.
// Rates and moments are whole numbers, in doubles: below 2^53 sums and differences of those are exact.
struct Transfers {
  std::vector<double> capacity;                 // of every resource, in units of rate: 2^31 to 2^52
  std::uint32_t volume_log2 = 0;                // a bit is so many units of volume
  std::vector<double> bits;                     // at least 1; the course of all must be over before 2^52 ticks
  std::vector<double> hold, delay;              // in ticks, before the first bit may be sent and after the last one was
  std::vector<std::uint32_t> use_start, use;    // resources of every transfer, at least one, each once
  std::vector<std::uint32_t> waits;             // how many transfers must be over before it begins
  std::vector<std::uint32_t> next_start, next;  // transfers that wait for it

  std::size_t size() const { return bits.size(); }
};

// Rates are max-min fair, by progressive filling in rounds. The share of a resource is what it has left over the users
// that have no rate yet, rounded down; in a round all resources with the least share give it to those users. A transfer
// sends its last bit at the first tick at which rate times time is at least its volume. All that happens at a tick
// happens before new rates are found. So no order counts, and rates found anew for some transfers are those of all.
class Fluid {
 public:
  // The tick at which the last transfer is over; `over`, if given, receives that of each.
  double completion(const Transfers& transfers, std::vector<double>* over = nullptr);

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
    double rate = 0;         // 0 before the first one, and after the last bit; kHeld before it may begin
    std::uint32_t open = 0;  // stamp: about to get a new rate
    std::uint32_t transfer = 0;
    std::uint32_t first_use = 0, end_use = 0;
  };
  struct Rest {
    Volume volume = 0;  // what was left at that moment
    double since = 0;
  };
  struct User {
    std::uint32_t slot, use;
  };
  static constexpr double kHeld = -1;

  void reset();
  void make_room_for_users();
  void admit(std::uint32_t transfer);
  void begin(std::uint32_t slot);
  std::uint32_t take_slot();
  void leave(std::uint32_t slot, std::vector<double>* over);
  void end(std::uint32_t slot);
  void touch(std::uint32_t number);
  void share();
  double unchanged_below() const;
  double share_of(std::uint32_t number, double least) const;
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
