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
// not matter.
//
// Only levels that change are computed. A resource is saturated at the least level that is its share among the users
// without a lower level; if all users have lower levels, it never is. Levels are those of filling exactly if each is
// the least at which a resource of the transfer is saturated: by induction over the rounds, as shares increase from
// round to round. So after a change, the resources whose users have changed are followed in ascending order of levels.
// At the level at which one is saturated, its users with higher levels, or none, get this one. At the level at which it
// was saturated before, users of this level lose it, unless another of their resources is saturated there. Either may
// change at which higher levels the resources of these users are saturated, and no others. Where resources have many
// users, most levels change; filling of all resources connected by levels that may change then takes fewer steps, and
// begins at the least level of the transfers that have ended or at which a resource of a new one may be saturated.
template <bool kWeighted>
class FluidOf {
 public:
  // Arrival tick of the last transfer; `arrival_ticks`, if given, receives that of each.
  double completion(const Transfers& transfers, std::vector<double>* arrival_ticks = nullptr);

 private:
  static constexpr std::uint32_t kMany = 12;  // users of a resource from which on most levels change with one
  static constexpr std::uint32_t kRoom = 4;   // most resources have no more users at a time

  struct Resource {
    double saturation = Least::kNone;     // level at which it is saturated
    double available = 0;                 // capacity without that of users with levels below its saturation
    std::uint32_t unrated = 0;            // weight of the others
    std::uint32_t weight = 0;             // of all users
    std::uint32_t first = 0, users = 0;   // active transfers: users_[first .. first + users)
    std::uint32_t room = kRoom;           // for so many
    std::uint32_t stamp = 0, opened = 0;  // index in opened_ if the stamp is stamp_
  };
  // A resource that may be saturated at another level than before.
  struct Opened {
    double next = 0;           // a lower bound on the levels of users that are not below its saturation
    double former = 0;         // its saturation before, until users of this level have been looked at
    std::uint32_t number = 0;  // of the resource
    std::uint32_t above = 0;   // upper bound on the number of users with levels above its saturation
    bool is_stale = false;     // whether the numbers of this list are to be computed from all users
    bool has_changed = false;  // listed in changed_
    bool has_begun = false;    // whether a user has just begun
  };
  // A transfer that has been admitted but has not yet arrived. Its slot is reused afterwards.
  struct ActiveTransfer {
    double level = 0;         // infinite while it waits for one, 0 after the last bit; kHeld while its start is delayed
    std::uint32_t stamp = 0;  // stamp_ while it waits for a new level in `fill`
    std::uint32_t transfer = 0;
    std::uint32_t first_use = 0, end_use = 0;
  };
  struct Remaining {
    Volume volume = 0;  // at tick `since`
    double since = 0;
    double level = 0;  // from then on
  };
  struct User {
    std::uint32_t slot, use;
  };
  static constexpr double kHeld = -1;

  void reset();
  void make_room(Resource& resource);
  void admit(std::uint32_t transfer);
  void begin(std::uint32_t slot);
  std::uint32_t take_slot();
  void finish_sending(std::uint32_t slot);
  void await_arrival(std::uint32_t slot, double last_bit);
  void arrive(std::uint32_t slot);
  std::uint32_t weight_of(const ActiveTransfer& state) const;
  void share();
  double unchanged_below() const;
  double share_of(std::uint32_t number, double least) const;
  void fill(double least);
  void collect(std::uint32_t index, double least);
  void fill_users(std::uint32_t full, double level);
  void assign(std::uint32_t slot, double level, std::uint32_t full);
  void follow();
  void saturate(const Resource& resource, double level);
  void release(const Resource& resource, double level);
  void raise(std::uint32_t slot);
  bool is_bound(std::uint32_t slot, double level) const;
  void fix(std::uint32_t slot, double level);
  void lower(std::uint32_t number, double former, double level, std::uint32_t weight);
  void open(std::uint32_t number);
  Opened& opened(std::uint32_t number);
  void await_estimate(Opened& opened);
  void estimate_changed(double least);
  void schedule(std::uint32_t index);
  void estimate(Opened& opened, double level);
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
  std::vector<std::uint32_t> user_index_;  // index of each use in users_
  std::uint32_t stamp_ = 0;                // of the next computation of levels
  double min_finished_level_ = 0;          // minimum level of transfers that have sent their last bit
  std::vector<Opened> opened_;
  std::vector<std::uint32_t> changed_;  // indices in opened_ of resources that have changed since their last estimate
  std::vector<std::uint32_t> members_;  // transfers collected from a resource
  Least due_;                           // by index in opened_: the level at which users may have to change theirs
};

extern template class FluidOf<false>;
extern template class FluidOf<true>;
using Fluid = FluidOf<false>;         // of transfers whose weights are all 1
using WeightedFluid = FluidOf<true>;  // of transfers with weights

}  // namespace isoplane
