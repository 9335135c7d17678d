// The levels of the fluid model.
#pragma once

#include "fluid.inl"

namespace isoplane {

// Computes all levels that change, in ascending order, and schedules the last bits of these transfers. The number of
// users decides how before anything is estimated, as with many of them estimates take longer than they save.
template <bool kWeighted>
void FluidOf<kWeighted>::share() {
  due_.reset(opened_.size());
  const auto has_many = [&](const Opened& opened) { return resources_[opened.number].users >= kMany; };
  if (std::any_of(opened_.begin(), opened_.end(), has_many)) {
    fill(unchanged_below());
  } else {
    estimate_changed(0);
    follow();
  }
  ++stamp_;
  opened_.clear();
  changed_.clear();
  min_finished_level_ = kInfinity;
}

// Levels below this value are unchanged: filling proceeds as before up to the minimum level of the finished transfers,
// or until a resource of a transfer that has just begun is saturated, at no less than its share among the users that
// are not fixed at lower levels.
template <bool kWeighted>
inline double FluidOf<kWeighted>::unchanged_below() const {
  double least = 0;
  for (bool higher = true; higher;) {
    double next = min_finished_level_;
    for (const Opened& opened : opened_)
      if (opened.has_begun) next = std::min(next, share_of(opened.number, least));
    higher = next > least;
    least = std::max(least, next);
  }
  return least;
}

// The share of a resource among users with levels of at least `least`.
template <bool kWeighted>
inline double FluidOf<kWeighted>::share_of(std::uint32_t number, double least) const {
  const Resource& resource = resources_[number];
  double available = plan_->capacity[number];
  std::uint32_t unrated = resource.weight;
  for (std::uint32_t k = resource.first; least > 0 && k < resource.first + resource.users; ++k) {
    const ActiveTransfer& state = active_[users_[k].slot];
    if (state.level >= least) continue;
    const std::uint32_t weight = weight_of(state);
    available -= state.level * weight;
    unrated -= weight;
  }
  return share_of_each(available, unrated);
}

// Follows changes from resource to resource.
template <bool kWeighted>
inline void FluidOf<kWeighted>::follow() {
  for (std::size_t next = due_.first(); next < due_.size(); next = due_.first()) {
    const double level = due_.key(next);
    const Resource& resource = resources_[opened_[next].number];
    opened_[next].former = kInfinity;
    if (resource.saturation == level)
      saturate(resource, level);
    else
      release(resource, level);
    schedule(resource.opened);
    estimate_changed(level);
  }
}

// Progressive filling of all resources connected by transfers with levels of at least `least`. All bottlenecks of a
// round keep their share until processed, so their order does not matter.
template <bool kWeighted>
inline void FluidOf<kWeighted>::fill(double least) {
  members_.resize(active_.size() + 1);
  for (std::size_t i = 0; i < opened_.size(); ++i) collect(static_cast<std::uint32_t>(i), least);
  if (due_.size() < opened_.size()) due_.grow(opened_.size());
  for (std::size_t i = 0; i < opened_.size(); ++i) {
    Resource& resource = resources_[opened_[i].number];
    resource.saturation = kInfinity;
    due_.set(i, resource.unrated > 0 ? share_of_each(resource.available, resource.unrated) : Least::kNone);
  }
  for (std::size_t next = due_.first(); next < due_.size(); next = due_.first()) {
    const double level = due_.key(next);
    resources_[opened_[next].number].saturation = level;
    fill_users(opened_[next].number, level);
    due_.set(next, Least::kNone);
  }
}

// Takes the capacity of all transfers with levels of at least `least`, and opens all other resources that they use.
// Every such user is written to the list and overwritten if it is no new one, which avoids an unpredictable branch.
template <bool kWeighted>
inline void FluidOf<kWeighted>::collect(std::uint32_t index, double least) {
  const std::uint32_t number = opened_[index].number;
  Resource& resource = resources_[number];
  const std::uint32_t stamp = stamp_;
  double available = plan_->capacity[number];
  std::uint32_t stay = 0, *end = members_.data();
  for (std::uint32_t k = resource.first; k < resource.first + resource.users; ++k) {
    ActiveTransfer& state = active_[users_[k].slot];
    if (state.level < least) {
      const std::uint32_t weight = weight_of(state);
      available -= state.level * weight;
      stay += weight;
      continue;
    }
    *end = users_[k].slot;
    end += state.stamp != stamp;
    state.stamp = stamp;
  }
  resource.available = available;
  resource.unrated = resource.weight - stay;
  for (const std::uint32_t* slot = members_.data(); slot != end; ++slot) {
    const ActiveTransfer& state = active_[*slot];
    for (std::uint32_t use = state.first_use; use < state.end_use; ++use)
      if (resources_[plan_->use[use]].stamp != stamp) opened(plan_->use[use]);
  }
}

// Assigns a level to the users of a saturated resource that wait for one.
template <bool kWeighted>
[[gnu::noinline]] void FluidOf<kWeighted>::fill_users(std::uint32_t full, double level) {
  const Resource& resource = resources_[full];
  for (std::uint32_t k = resource.first; k < resource.first + resource.users; ++k)
    if (active_[users_[k].slot].stamp == stamp_) assign(users_[k].slot, level, full);
}

// Assigns a level. The other resources saturate later than estimated or in the same round, never earlier.
template <bool kWeighted>
inline void FluidOf<kWeighted>::assign(std::uint32_t slot, double level, std::uint32_t full) {
  ActiveTransfer& state = active_[slot];
  const std::uint32_t weight = weight_of(state);
  state.stamp = 0;
  for (std::uint32_t use = state.first_use; use < state.end_use; ++use) {
    if (plan_->use[use] == full) continue;
    Resource& resource = resources_[plan_->use[use]];
    resource.available -= level * weight;
    resource.unrated -= weight;
    if (resource.unrated == 0)
      due_.set(resource.opened, Least::kNone);
    else if (due_.key(resource.opened) > level)
      due_.set(resource.opened, share_of_each(resource.available, resource.unrated));
  }
  if (level == state.level) return;
  state.level = level;
  change(slot, level, weight);
}

// Assigns a level to the users of a saturated resource that have a higher one, or none.
template <bool kWeighted>
inline void FluidOf<kWeighted>::saturate(const Resource& resource, double level) {
  for (std::uint32_t k = resource.first; k < resource.first + resource.users; ++k)
    if (active_[users_[k].slot].level > level) fix(users_[k].slot, level);
  opened_[resource.opened].above = 0;
}

// Takes the level at which a resource is no longer saturated from its users, unless another one still is.
template <bool kWeighted>
inline void FluidOf<kWeighted>::release(const Resource& resource, double level) {
  for (std::uint32_t k = resource.first; k < resource.first + resource.users; ++k) {
    if (active_[users_[k].slot].level == level && !is_bound(users_[k].slot, level)) raise(users_[k].slot);
  }
}

// Takes the level of a transfer.
template <bool kWeighted>
inline void FluidOf<kWeighted>::raise(std::uint32_t slot) {
  ActiveTransfer& state = active_[slot];
  state.level = kInfinity;
  for (std::uint32_t use = state.first_use; use < state.end_use; ++use) open(plan_->use[use]);
}

// Whether a resource of the transfer is saturated at the level.
template <bool kWeighted>
inline bool FluidOf<kWeighted>::is_bound(std::uint32_t slot, double level) const {
  const ActiveTransfer& state = active_[slot];
  for (std::uint32_t use = state.first_use; use < state.end_use; ++use)
    if (resources_[plan_->use[use]].saturation == level) return true;
  return false;
}

template <bool kWeighted>
inline void FluidOf<kWeighted>::fix(std::uint32_t slot, double level) {
  ActiveTransfer& state = active_[slot];
  const std::uint32_t weight = weight_of(state);
  for (std::uint32_t use = state.first_use; use < state.end_use; ++use)
    lower(plan_->use[use], state.level, level, weight);
  state.level = level;
  if (level != remaining_[slot].level) change(slot, level, weight);
}

// Notes that a user of a resource has a lower level than before. The resource is saturated at this level, or, as shares
// increase from round to round, at a higher one, no lower than estimated.
template <bool kWeighted>
inline void FluidOf<kWeighted>::lower(std::uint32_t number, double former, double level, std::uint32_t weight) {
  Resource& resource = resources_[number];
  if (resource.stamp != stamp_) {
    if (resource.saturation < kInfinity) open(number);  // otherwise it remains so
    return;
  }
  Opened& opened = opened_[resource.opened];
  opened.above -= former > resource.saturation;
  if (resource.saturation == level) {
    if (opened.above == 0) schedule(resource.opened);
    return;
  }
  const bool was_rated = former < resource.saturation;
  resource.available += (was_rated ? former - level : -level) * weight;
  resource.unrated -= was_rated ? 0 : weight;
  await_estimate(opened);
}

// Opens a resource all of whose users have to be looked at.
template <bool kWeighted>
inline void FluidOf<kWeighted>::open(std::uint32_t number) {
  Opened& resource = opened(number);
  resource.is_stale = true;
  await_estimate(resource);
}

template <bool kWeighted>
inline typename FluidOf<kWeighted>::Opened& FluidOf<kWeighted>::opened(std::uint32_t number) {
  Resource& resource = resources_[number];
  if (resource.stamp != stamp_) {
    resource.stamp = stamp_;
    resource.opened = static_cast<std::uint32_t>(opened_.size());
    opened_.push_back({0, resource.saturation, number, 0, false, false, false});
  }
  return opened_[resource.opened];
}

template <bool kWeighted>
inline void FluidOf<kWeighted>::await_estimate(Opened& opened) {
  if (!opened.has_changed) changed_.push_back(resources_[opened.number].opened);
  opened.has_changed = true;
}

// Estimates at which level each resource that has changed is saturated: none below the given one.
template <bool kWeighted>
inline void FluidOf<kWeighted>::estimate_changed(double least) {
  if (due_.size() < opened_.size()) due_.grow(opened_.size());
  for (const std::uint32_t index : changed_) {
    Opened& opened = opened_[index];
    opened.has_changed = false;
    if (opened.is_stale) {
      estimate(opened, least);
    } else {
      Resource& resource = resources_[opened.number];
      resource.saturation = resource.unrated == 0 ? kInfinity : share_of_each(resource.available, resource.unrated);
      if (resource.saturation > opened.next) estimate(opened, resource.saturation);
    }
    schedule(index);
  }
  changed_.clear();
}

template <bool kWeighted>
inline void FluidOf<kWeighted>::schedule(std::uint32_t index) {
  const Opened& opened = opened_[index];
  const double saturation = resources_[opened.number].saturation;
  const double lowered_at = opened.above > 0 ? saturation : Least::kNone;
  due_.set(index, opened.former < saturation ? opened.former : lowered_at);
}

// Looks at all users of a resource: its share among those without a lower level increases with the level, until it is
// no higher than the level of any of them.
template <bool kWeighted>
inline void FluidOf<kWeighted>::estimate(Opened& opened, double level) {
  Resource& resource = resources_[opened.number];
  const double capacity = plan_->capacity[opened.number];
  const User *const first = users_.data() + resource.first, *const end = first + resource.users;
  bool has_former = false;
  std::uint32_t among = 0;  // the weight for which the level is the share
  if (level == 0 && first != end) level = share_of_each(capacity, among = resource.weight);
  do {
    resource.available = capacity;
    resource.unrated = resource.weight;
    opened.next = kInfinity;
    opened.above = 0;
    for (const User* user = first; user != end; ++user) {
      const ActiveTransfer& state = active_[user->slot];
      const bool is_rated = state.level < level;
      const std::uint32_t weight = weight_of(state);
      resource.available -= is_rated ? state.level * weight : 0;
      resource.unrated -= is_rated ? weight : 0;
      opened.next = std::min(opened.next, is_rated ? kInfinity : state.level);
      opened.above += !is_rated;
      has_former |= state.level == opened.former;
    }
    if (resource.unrated == 0)
      level = kInfinity;
    else if (resource.unrated != among)
      level = share_of_each(resource.available, among = resource.unrated);
  } while (level > opened.next);
  if (opened.next == level)  // some are not above it
    opened.above = static_cast<std::uint32_t>(
        std::count_if(first, end, [&](User user) { return active_[user.slot].level > level; }));
  resource.saturation = level;
  if (!has_former) opened.former = kInfinity;
  opened.is_stale = false;
}

}  // namespace isoplane
