// The fluid model: transfers that share resources max-min fairly, simulated in integers.
#pragma once

#include <cstdint>
#include <vector>

#include "isoplane/least.hpp"

namespace isoplane {

using Volume = unsigned __int128;  // in units of rate times tick

// Transfers with dependencies, as plain data. Lists of lists are flat, with the offsets of the inner lists.
// Rates and times are integers stored in doubles: below 2^53 their sums and differences are exact.
struct Transfers {
  std::vector<double> capacity;  // of each resource, in units of rate: 2^31 to 2^52
  // Of each transfer, at least 1, read by WeightedFluid; empty if all are 1. All that ever use a resource weigh at most
  // as much as it has units of rate, and less than 2^32 together, so that no share rounds to 0.
  std::vector<std::uint32_t> weight;
  std::uint32_t volume_log2 = 0;    // 2^volume_log2 units of volume per bit
  std::vector<double> bits;         // at least 1, or 0 without resources; a run ends before 2^52 ticks
  std::vector<double> hold, delay;  // ticks before the first bit and after the last bit
  std::vector<std::uint32_t> use_start,
      use;                           // resources of each transfer, all different; without any, it takes no time
  std::vector<std::uint32_t> waits;  // number of transfers that must arrive before it begins
  std::vector<std::uint32_t> next_start, next;  // transfers that depend on it

  std::size_t size() const { return bits.size(); }
};

// Rates are max-min fair, by progressive filling in rounds (Bertsekas and Gallager, Data Networks, section 6.5.2): each
// is the level of the transfer times its weight, and levels are max-min fair. The share of a resource is its free
// capacity over the weights of its users without a level, rounded down; in each round every bottleneck, a resource with
// the smallest share, assigns that share to those users. A transfer sends its last bit at the first tick at which rate
// times time reaches its volume. All events of a tick are processed before new levels are computed, so their order does
// not matter, and recomputing only the affected transfers gives the same levels as a full pass.
template <bool kWeighted>
class FluidOf {
 public:
  // Arrival tick of the last transfer; `arrival_ticks`, if given, receives that of each.
  double completion(const Transfers& transfers, std::vector<double>* arrival_ticks = nullptr);

 private:
  struct Resource {
    double available = 0;                               // free capacity
    std::uint32_t unrated = 0;                          // weight of the users without a new level
    std::uint32_t due = 0;                              // index in due_
    std::uint32_t first = 0, users = 0;                 // active transfers: users_[first .. first + users)
    std::uint32_t touched = 0, begun = 0, reached = 0;  // stamps: listed in touched_, begun_, reached_
  };
  // A transfer that has been admitted but has not yet arrived. Its slot is reused afterwards.
  struct ActiveTransfer {
    double level = 0;              // 0 before the first one and after the last bit; kHeld while its start is delayed
    std::uint32_t rate_stamp = 0;  // stamp_ while it waits for a new level
    std::uint32_t transfer = 0;
    std::uint32_t first_use = 0, end_use = 0;
  };
  struct Remaining {
    Volume volume = 0;  // at tick `since`
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
  void finish_sending(std::uint32_t slot);
  void await_arrival(std::uint32_t slot, double last_bit);
  void arrive(std::uint32_t slot);
  void touch(std::uint32_t number);
  std::uint32_t weight_of(const ActiveTransfer& state) const;
  void share();
  double unchanged_below() const;
  double share_of(std::uint32_t number, double least) const;
  void collect(double least);
  void release(std::uint32_t number, double least);
  void reach(std::uint32_t number);
  void fill();
  void saturate(std::uint32_t full, double level);
  void fix(std::uint32_t slot, double level, std::uint32_t full);
  void change(std::uint32_t slot, double level, std::uint32_t weight);

  const Transfers* plan_ = nullptr;
  std::vector<double>* arrival_ticks_ = nullptr;
  double now_ = 0, last_ = 0;
  std::vector<std::uint32_t> waits_;
  Least event_ticks_;                   // by slot: tick of the last bit, then of the arrival
  std::vector<ActiveTransfer> active_;  // by slot
  std::vector<Remaining> remaining_;    // by slot
  std::vector<std::uint32_t> free_;     // slots
  std::vector<Resource> resources_;
  std::vector<User> users_;
  std::vector<std::uint32_t> user_index_;         // index of each use in users_
  std::vector<std::uint32_t> touched_;            // resources whose users have changed
  std::vector<std::uint32_t> begun_;              // resources of transfers that have just begun
  double min_finished_level_ = 0;                 // minimum level of transfers that have sent their last bit
  std::uint32_t stamp_ = 0;                       // of the next computation of levels
  std::vector<std::uint32_t> reached_, members_;  // resources affected by a change; slots that use the last of them
  Least due_;                                     // by index in reached_: the level at which the resource is saturated
};

extern template class FluidOf<false>;
extern template class FluidOf<true>;
using Fluid = FluidOf<false>;         // of transfers whose weights are all 1
using WeightedFluid = FluidOf<true>;  // of transfers with weights

}  // namespace isoplane
