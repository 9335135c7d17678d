// The events of the fluid model, for transfers with or without weights. Two files compile one each: in a single one the
// compiler inlines less, and transfers without weights pay 3 % for those with them. Attributes fix what matters of the
// rest.
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
  if (!opened_.empty()) share();
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
    if (!opened_.empty()) share();
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
  user_index_.resize(plan_->use.size());
  const std::size_t resources = plan_->capacity.size();
  resources_.resize(resources);
  users_.resize(kRoom * resources);
  for (std::uint32_t i = 0; i < resources; ++i) {
    resources_[i] = {};
    resources_[i].first = kRoom * i;
  }
  opened_.clear();
  changed_.clear();
  min_finished_level_ = kInfinity;
  due_.reset(0);
}

// Moves the users of a resource to twice the room. All room is in one array, so that that of most stays in the cache.
template <bool kWeighted>
[[gnu::noinline]] void FluidOf<kWeighted>::make_room(Resource& resource) {
  const auto first = static_cast<std::uint32_t>(users_.size());
  resource.room *= 2;
  users_.resize(first + resource.room);
  for (std::uint32_t k = 0; k < resource.users; ++k) {
    users_[first + k] = users_[resource.first + k];
    user_index_[users_[first + k].use] = first + k;
  }
  resource.first = first;
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
  state.level = kInfinity;
  remaining_[slot] = {to_integer(plan_->bits[state.transfer]) << plan_->volume_log2, now_, 0};
  event_ticks_.set(slot, Least::kNone);
  const std::uint32_t weight = weight_of(state);
  for (std::uint32_t use = state.first_use; use < state.end_use; ++use) {
    const std::uint32_t number = plan_->use[use];
    Resource& resource = resources_[number];
    if (resource.users == resource.room) make_room(resource);
    user_index_[use] = resource.first + resource.users++;
    resource.weight += weight;
    users_[user_index_[use]] = {slot, use};
    open(number);
    opened_[resource.opened].has_begun = true;
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
  const std::uint32_t weight = weight_of(state);
  for (std::uint32_t use = state.first_use; use < state.end_use; ++use) {
    Resource& resource = resources_[plan_->use[use]];
    const User moved = users_[resource.first + --resource.users];
    resource.weight -= weight;
    users_[user_index_[use]] = moved;
    user_index_[moved.use] = user_index_[use];
    if (resource.users == 0 && resource.stamp != stamp_) resource.saturation = kInfinity;
    if (resource.saturation < kInfinity) open(plan_->use[use]);  // otherwise it remains so
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

// The weight of an active transfer, a constant without weights: they must not cost anything then.
template <bool kWeighted>
inline std::uint32_t FluidOf<kWeighted>::weight_of(const ActiveTransfer& state) const {
  if constexpr (kWeighted)
    return plan_->weight[state.transfer];
  else
    return 1;
}

template <bool kWeighted>
inline void FluidOf<kWeighted>::change(std::uint32_t slot, double level, std::uint32_t weight) {
  Remaining& remaining = remaining_[slot];
  remaining.volume -= to_integer(remaining.level * weight) * to_integer(now_ - remaining.since);
  remaining.since = now_;
  remaining.level = level;
  event_ticks_.set(slot, now_ + ticks_for(remaining.volume, level * weight));
}

}  // namespace isoplane
