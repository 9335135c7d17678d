// The fluid model, for transfers with or without weights. Two files compile one each: in a single one the compiler
// inlines less, and transfers without weights pay 3 % for those with them. Attributes fix what matters of the rest.
#pragma once

#include "isoplane/fluid.hpp"

#include <algorithm>
#include <limits>

namespace isoplane {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

inline Volume to_integer(double number) { return static_cast<std::uint64_t>(static_cast<std::int64_t>(number)); }

// Rounds down exactly: for integers below 2^52 the floating-point quotient never rounds up to the next integer.
inline double share_of_each(double available, std::uint32_t weight) {
  return static_cast<double>(static_cast<std::int64_t>(available / weight));
}

// The quotient, rounded up. The floating-point quotient is off by a few ticks at most, so the low 64 bits of the exact
// product suffice to correct it. From 2^53 ticks upwards it may be inexact, but no transfer lasts that long: it
// receives a higher rate first.
inline double ticks_for(Volume volume, double rate) {
  constexpr std::uint64_t kLower = (std::uint64_t{1} << 62) - 1;
  const double above = static_cast<double>(static_cast<std::int64_t>(volume >> 62));
  const double below = static_cast<double>(static_cast<std::int64_t>(static_cast<std::uint64_t>(volume) & kLower));
  const double quotient = (above * 0x1p62 + below) / rate;
  if (quotient >= 0x1p53) return quotient;
  auto ticks = static_cast<std::int64_t>(quotient);
  const auto each = static_cast<std::int64_t>(rate);
  auto missing = static_cast<std::int64_t>(static_cast<std::uint64_t>(volume) -
                                           static_cast<std::uint64_t>(ticks) * static_cast<std::uint64_t>(each));
  for (; missing > 0; missing -= each) ++ticks;
  for (; missing <= -each; missing += each) --ticks;
  return static_cast<double>(ticks);
}

template <bool kWeighted>
double FluidOf<kWeighted>::completion(const Transfers& transfers, std::vector<double>* arrival_ticks) {
  plan_ = &transfers;
  arrival_ticks_ = arrival_ticks;
  reset();
  if (arrival_ticks != nullptr) arrival_ticks->assign(transfers.size(), 0);
  for (std::uint32_t i = 0; i < plan_->size(); ++i)
    if (waits_[i] == 0) admit(i);
  if (!touched_.empty()) share();
  for (std::size_t next = event_ticks_.first(); next < event_ticks_.size(); next = event_ticks_.first()) {
    now_ = event_ticks_.key(next);
    for (; next < event_ticks_.size() && event_ticks_.key(next) == now_; next = event_ticks_.first()) {
      const auto slot = static_cast<std::uint32_t>(next);
      if (active_[slot].level > 0)
        finish_sending(slot);
      else if (active_[slot].level == kHeld)
        begin(slot);
      else
        arrive(slot);
    }
    if (!touched_.empty()) share();
  }
  return last_;
}

template <bool kWeighted>
void FluidOf<kWeighted>::reset() {
  now_ = last_ = 0;
  stamp_ = 1;
  waits_ = plan_->waits;
  active_.clear();
  remaining_.clear();
  free_.clear();
  event_ticks_.reset(0);
  make_room_for_users();
  touched_.clear();
  begun_.clear();
  min_finished_level_ = kInfinity;
}

// Reserves space for all users that each resource will ever have; none is active.
template <bool kWeighted>
void FluidOf<kWeighted>::make_room_for_users() {
  resources_.assign(plan_->capacity.size(), {});
  for (const std::uint32_t resource : plan_->use) ++resources_[resource].users;
  std::uint32_t first = 0;
  for (Resource& resource : resources_) {
    resource.first = first;
    first += resource.users;
    resource.users = 0;
  }
  users_.resize(plan_->use.size());
  user_index_.resize(plan_->use.size());
}

// Admits a transfer whose dependencies have all arrived.
template <bool kWeighted>
void FluidOf<kWeighted>::admit(std::uint32_t transfer) {
  const std::uint32_t slot = take_slot();
  const double hold = plan_->hold[transfer];
  active_[slot] = {hold > 0 ? kHeld : 0, 0, transfer, plan_->use_start[transfer], plan_->use_start[transfer + 1]};
  if (active_[slot].first_use == active_[slot].end_use) {
    active_[slot].level = 0;
    await_arrival(slot, now_ + hold);
  } else if (hold > 0) {
    event_ticks_.set(slot, now_ + hold);
  } else {
    begin(slot);
  }
}

template <bool kWeighted>
inline void FluidOf<kWeighted>::begin(std::uint32_t slot) {
  ActiveTransfer& state = active_[slot];
  state.level = 0;
  remaining_[slot] = {to_integer(plan_->bits[state.transfer]) << plan_->volume_log2, now_};
  event_ticks_.set(slot, Least::kNone);
  for (std::uint32_t use = state.first_use; use < state.end_use; ++use) {
    const std::uint32_t number = plan_->use[use];
    Resource& resource = resources_[number];
    user_index_[use] = resource.first + resource.users++;
    users_[user_index_[use]] = {slot, use};
    if (resource.begun != stamp_) begun_.push_back(number);
    resource.begun = stamp_;
    touch(number);
  }
}

template <bool kWeighted>
std::uint32_t FluidOf<kWeighted>::take_slot() {
  if (free_.empty()) {
    free_.push_back(static_cast<std::uint32_t>(active_.size()));
    active_.emplace_back();
    remaining_.emplace_back();
    event_ticks_.grow(active_.size());
  }
  const std::uint32_t slot = free_.back();
  free_.pop_back();
  return slot;
}

template <bool kWeighted>
void FluidOf<kWeighted>::finish_sending(std::uint32_t slot) {
  ActiveTransfer& state = active_[slot];
  for (std::uint32_t use = state.first_use; use < state.end_use; ++use) {
    Resource& resource = resources_[plan_->use[use]];
    const User moved = users_[resource.first + --resource.users];
    users_[user_index_[use]] = moved;
    user_index_[moved.use] = user_index_[use];
    touch(plan_->use[use]);
  }
  min_finished_level_ = std::min(min_finished_level_, state.level);
  state.level = 0;
  await_arrival(slot, now_);
}

// Schedules the arrival if others wait for it: an event even at this tick, so that chains of transfers do not recurse.
template <bool kWeighted>
void FluidOf<kWeighted>::await_arrival(std::uint32_t slot, double last_bit) {
  const std::uint32_t transfer = active_[slot].transfer;
  const double end_tick = last_bit + plan_->delay[transfer];
  last_ = std::max(last_, end_tick);
  if (arrival_ticks_ != nullptr) (*arrival_ticks_)[transfer] = end_tick;
  const bool awaited = plan_->next_start[transfer] < plan_->next_start[transfer + 1];
  if (awaited)
    event_ticks_.set(slot, end_tick);
  else
    arrive(slot);
}

template <bool kWeighted>
void FluidOf<kWeighted>::arrive(std::uint32_t slot) {
  const std::uint32_t transfer = active_[slot].transfer;
  event_ticks_.set(slot, Least::kNone);
  free_.push_back(slot);
  for (std::uint32_t i = plan_->next_start[transfer]; i < plan_->next_start[transfer + 1]; ++i)
    if (--waits_[plan_->next[i]] == 0) admit(plan_->next[i]);
}

template <bool kWeighted>
void FluidOf<kWeighted>::touch(std::uint32_t number) {
  if (resources_[number].touched != stamp_) touched_.push_back(number);
  resources_[number].touched = stamp_;
}

// The weight of an active transfer, a constant without weights: they must not cost anything then.
template <bool kWeighted>
inline std::uint32_t FluidOf<kWeighted>::weight_of(const ActiveTransfer& state) const {
  if constexpr (kWeighted)
    return plan_->weight[state.transfer];
  else
    return 1;
}

// Computes new levels of all transfers affected by a change, and schedules their last bits.
template <bool kWeighted>
void FluidOf<kWeighted>::share() {
  collect(unchanged_below());
  if (reached_.size() == 1)
    saturate(reached_[0], share_of_each(resources_[reached_[0]].available, resources_[reached_[0]].unrated));
  else
    fill();
  ++stamp_;
  touched_.clear();
  begun_.clear();
  min_finished_level_ = kInfinity;
}

// Levels below this value are unchanged: progressive filling proceeds as before up to the minimum level of the finished
// transfers, or until a resource of a transfer that has just begun is saturated. The latter happens at a level of no
// less than the resource's share among its users that are not fixed at lower levels, because shares increase from round
// to round.
template <bool kWeighted>
inline double FluidOf<kWeighted>::unchanged_below() const {
  double least = 0;
  for (bool higher = true; higher;) {
    double next = min_finished_level_;
    for (const std::uint32_t resource : begun_) next = std::min(next, share_of(resource, least));
    higher = next > least;
    least = std::max(least, next);
  }
  return least;
}

template <bool kWeighted>
double FluidOf<kWeighted>::share_of(std::uint32_t number, double least) const {
  const Resource& resource = resources_[number];
  double capacity = plan_->capacity[number];
  std::uint32_t sharing = kWeighted ? 0 : resource.users;
  for (std::uint32_t k = resource.first; (kWeighted || least > 0) && k < resource.first + resource.users; ++k) {
    const ActiveTransfer& state = active_[users_[k].slot];
    const std::uint32_t weight = weight_of(state);
    sharing += kWeighted ? weight : 0;
    if (state.level == 0 || state.level >= least) continue;  // level 0: a transfer that has just begun
    capacity -= state.level * weight;
    sharing -= weight;
  }
  return share_of_each(capacity, sharing);
}

// Finds the resources connected to the touched ones by transfers with levels of at least `least`; all other transfers
// keep their levels.
template <bool kWeighted>
[[gnu::always_inline]] inline void FluidOf<kWeighted>::collect(double least) {
  reached_.clear();
  members_.resize(active_.size() + 1);
  for (const std::uint32_t number : touched_) reach(number);
  for (std::size_t i = 0; i < reached_.size(); ++i) release(reached_[i], least);
}

// Releases the capacity that the resource has assigned to members, and reaches all other resources that they use. Every
// user is written to the list and overwritten if it is not a new member, which avoids an unpredictable branch.
template <bool kWeighted>
inline void FluidOf<kWeighted>::release(std::uint32_t number, double least) {
  Resource& resource = resources_[number];
  const std::uint32_t stamp = stamp_;
  double available = plan_->capacity[number];
  std::uint32_t stay = 0, all = 0, *end = members_.data();
  for (std::uint32_t k = resource.first; k < resource.first + resource.users; ++k) {
    ActiveTransfer& state = active_[users_[k].slot];
    const std::uint32_t weight = weight_of(state);
    const bool stays = (state.level < least) & (state.level != 0);
    available -= stays ? state.level * weight : 0;
    stay += stays ? weight : 0;
    all += kWeighted ? weight : 0;
    *end = users_[k].slot;
    end += !stays & (state.rate_stamp != stamp);
    state.rate_stamp = stays ? state.rate_stamp : stamp;
  }
  resource.available = available;
  resource.unrated = (kWeighted ? all : resource.users) - stay;
  for (const std::uint32_t* slot = members_.data(); slot != end; ++slot) {
    const ActiveTransfer& state = active_[*slot];
    for (std::uint32_t use = state.first_use; use < state.end_use; ++use) reach(plan_->use[use]);
  }
}

template <bool kWeighted>
void FluidOf<kWeighted>::reach(std::uint32_t number) {
  Resource& resource = resources_[number];
  if (resource.reached == stamp_) return;
  resource.reached = stamp_;
  if (resource.users == 0) return;
  resource.due = static_cast<std::uint32_t>(reached_.size());
  reached_.push_back(number);
}

// Progressive filling. All bottlenecks of a round keep their share until processed, so their order does not matter.
template <bool kWeighted>
[[gnu::always_inline]] inline void FluidOf<kWeighted>::fill() {
  due_.reset(reached_.size());
  for (std::size_t i = 0; i < reached_.size(); ++i) {
    const Resource& resource = resources_[reached_[i]];
    if (resource.unrated > 0) due_.set(i, share_of_each(resource.available, resource.unrated));
  }
  for (std::size_t next = due_.first(); next < due_.size(); next = due_.first()) {
    saturate(reached_[next], due_.key(next));
    due_.set(next, Least::kNone);
  }
}

// Assigns a level to the unrated users of a saturated resource.
template <bool kWeighted>
[[gnu::noinline]] void FluidOf<kWeighted>::saturate(std::uint32_t full, double level) {
  const Resource& resource = resources_[full];
  for (std::uint32_t k = resource.first; k < resource.first + resource.users; ++k)
    if (active_[users_[k].slot].rate_stamp == stamp_) fix(users_[k].slot, level, full);
}

// Fixes the level of a transfer. Its other resources saturate later than estimated or in the same round, never earlier.
template <bool kWeighted>
inline void FluidOf<kWeighted>::fix(std::uint32_t slot, double level, std::uint32_t full) {
  ActiveTransfer& state = active_[slot];
  const std::uint32_t weight = weight_of(state);
  state.rate_stamp = 0;
  for (std::uint32_t use = state.first_use; use < state.end_use; ++use) {
    if (plan_->use[use] == full) continue;
    Resource& resource = resources_[plan_->use[use]];
    resource.available -= level * weight;
    resource.unrated -= weight;
    if (resource.unrated == 0)
      due_.set(resource.due, Least::kNone);
    else if (due_.key(resource.due) > level)
      due_.set(resource.due, share_of_each(resource.available, resource.unrated));
  }
  if (level != state.level) change(slot, level, weight);
}

template <bool kWeighted>
inline void FluidOf<kWeighted>::change(std::uint32_t slot, double level, std::uint32_t weight) {
  Remaining& remaining = remaining_[slot];
  remaining.volume -= to_integer(active_[slot].level * weight) * to_integer(now_ - remaining.since);
  remaining.since = now_;
  active_[slot].level = level;
  event_ticks_.set(slot, now_ + ticks_for(remaining.volume, level * weight));
}

}  // namespace isoplane
