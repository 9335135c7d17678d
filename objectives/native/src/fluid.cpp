#include "isoplane/fluid.hpp"

#include <algorithm>
#include <limits>

namespace isoplane {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Volume whole(double number) { return static_cast<std::uint64_t>(static_cast<std::int64_t>(number)); }

// Of numbers below 2^52: the quotient in floating point is never rounded up to a whole number above the true one.
double share_of_each(double left, std::uint32_t users) {
  return static_cast<double>(static_cast<std::int64_t>(left / users));
}

// The quotient, rounded up. That of floating point is off by a few ticks at most, which the lower halves of the exact
// product tell. From 2^53 ticks on it may be inexact: no transfer goes on for so long, as it gets more before.
double ticks_for(Volume volume, double rate) {
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

}  // namespace

double Fluid::completion(const Transfers& transfers, std::vector<double>* over) {
  plan_ = &transfers;
  reset();
  if (over != nullptr) over->assign(transfers.size(), 0);
  for (std::uint32_t i = 0; i < transfers.size(); ++i)
    if (waits_[i] == 0) admit(i);
  share();
  for (std::size_t next = moments_.first(); next < moments_.size(); next = moments_.first()) {
    now_ = moments_.key(next);
    for (; next < moments_.size() && moments_.key(next) == now_; next = moments_.first()) {
      const auto slot = static_cast<std::uint32_t>(next);
      if (courses_[slot].rate > 0)
        leave(slot, over);
      else if (courses_[slot].rate == kHeld)
        begin(slot);
      else
        end(slot);
    }
    share();
  }
  return last_;
}

void Fluid::reset() {
  now_ = last_ = 0;
  stamp_ = 1;
  waits_ = plan_->waits;
  courses_.clear();
  rests_.clear();
  free_.clear();
  moments_.reset(0);
  make_room_for_users();
  touched_.clear();
  begun_.clear();
  least_left_ = kInfinity;
}

// For all that each resource will ever have; none is under way.
void Fluid::make_room_for_users() {
  resources_.assign(plan_->capacity.size(), {});
  for (const std::uint32_t resource : plan_->use) ++resources_[resource].users;
  std::uint32_t first = 0;
  for (Resource& resource : resources_) {
    resource.first = first;
    first += resource.users;
    resource.users = 0;
  }
  users_.resize(plan_->use.size());
  place_.resize(plan_->use.size());
}

// A transfer that waits for no other one any more.
void Fluid::admit(std::uint32_t transfer) {
  const std::uint32_t slot = take_slot();
  const double hold = plan_->hold[transfer];
  courses_[slot] = {hold > 0 ? kHeld : 0, 0, transfer, plan_->use_start[transfer], plan_->use_start[transfer + 1]};
  if (hold > 0)
    moments_.set(slot, now_ + hold);
  else
    begin(slot);
}

void Fluid::begin(std::uint32_t slot) {
  Course& course = courses_[slot];
  course.rate = 0;
  rests_[slot] = {whole(plan_->bits[course.transfer]) << plan_->volume_log2, now_};
  moments_.set(slot, Least::kNone);
  for (std::uint32_t use = course.first_use; use < course.end_use; ++use) {
    const std::uint32_t number = plan_->use[use];
    Resource& resource = resources_[number];
    place_[use] = resource.first + resource.users++;
    users_[place_[use]] = {slot, use};
    if (resource.begun != stamp_) begun_.push_back(number);
    resource.begun = stamp_;
    touch(number);
  }
}

std::uint32_t Fluid::take_slot() {
  if (free_.empty()) {
    free_.push_back(static_cast<std::uint32_t>(courses_.size()));
    courses_.emplace_back();
    rests_.emplace_back();
    moments_.grow(courses_.size());
  }
  const std::uint32_t slot = free_.back();
  free_.pop_back();
  return slot;
}

void Fluid::leave(std::uint32_t slot, std::vector<double>* over) {
  Course& course = courses_[slot];
  for (std::uint32_t use = course.first_use; use < course.end_use; ++use) {
    Resource& resource = resources_[plan_->use[use]];
    const User moved = users_[resource.first + --resource.users];
    users_[place_[use]] = moved;
    place_[moved.use] = place_[use];
    touch(plan_->use[use]);
  }
  least_left_ = std::min(least_left_, course.rate);
  course.rate = 0;
  const double end_tick = now_ + plan_->delay[course.transfer];
  last_ = std::max(last_, end_tick);
  if (over != nullptr) (*over)[course.transfer] = end_tick;
  const bool awaited = plan_->next_start[course.transfer] < plan_->next_start[course.transfer + 1];
  if (awaited)
    moments_.set(slot, end_tick);
  else
    end(slot);
}

void Fluid::end(std::uint32_t slot) {
  const std::uint32_t transfer = courses_[slot].transfer;
  moments_.set(slot, Least::kNone);
  free_.push_back(slot);
  for (std::uint32_t i = plan_->next_start[transfer]; i < plan_->next_start[transfer + 1]; ++i)
    if (--waits_[plan_->next[i]] == 0) admit(plan_->next[i]);
}

void Fluid::touch(std::uint32_t number) {
  if (resources_[number].touched != stamp_) touched_.push_back(number);
  resources_[number].touched = stamp_;
}

// Gives new rates to all transfers that a change can reach, and plans their last bits.
void Fluid::share() {
  if (touched_.empty()) return;
  collect(unchanged_below());
  if (reached_.size() == 1)
    give(reached_[0], share_of_each(resources_[reached_[0]].left, resources_[reached_[0]].open));
  else
    fill();
  ++stamp_;
  touched_.clear();
  begun_.clear();
  least_left_ = kInfinity;
}

// Rates below this stay: progressive filling goes on as before until the least rate of those that have left, or until a
// resource of one that has begun is full. The latter is not before its users, those that stay apart, share it equally:
// from round to round shares grow.
double Fluid::unchanged_below() const {
  double least = 0;
  for (bool higher = true; higher;) {
    double next = least_left_;
    for (const std::uint32_t resource : begun_) next = std::min(next, share_of(resource, least));
    higher = next > least;
    least = std::max(least, next);
  }
  return least;
}

double Fluid::share_of(std::uint32_t number, double least) const {
  const Resource& resource = resources_[number];
  double capacity = plan_->capacity[number];
  std::uint32_t sharing = resource.users;
  for (std::uint32_t k = resource.first; least > 0 && k < resource.first + resource.users; ++k) {
    const double rate = courses_[users_[k].slot].rate;
    if (rate == 0 || rate >= least) continue;  // 0: begun, too
    capacity -= rate;
    --sharing;
  }
  return share_of_each(capacity, sharing);
}

// Finds what is joined to the touched resources by transfers that use two and whose rates are not less than this: all
// others keep their rates.
void Fluid::collect(double least) {
  reached_.clear();
  members_.resize(courses_.size() + 1);
  for (const std::uint32_t number : touched_) reach(number);
  for (std::size_t i = 0; i < reached_.size(); ++i) open(reached_[i], least);
}

// Takes back what the resource has given to members, and reaches whatever else they use. All are written to the list,
// and those that are none or are known are written over: no processor foresees which.
void Fluid::open(std::uint32_t number, double least) {
  Resource& resource = resources_[number];
  const std::uint32_t stamp = stamp_;
  double left = plan_->capacity[number];
  std::uint32_t stay = 0, *end = members_.data();
  for (std::uint32_t k = resource.first; k < resource.first + resource.users; ++k) {
    Course& course = courses_[users_[k].slot];
    const bool stays = (course.rate < least) & (course.rate != 0);
    left -= stays ? course.rate : 0;
    stay += stays;
    *end = users_[k].slot;
    end += !stays & (course.open != stamp);
    course.open = stays ? course.open : stamp;
  }
  resource.left = left;
  resource.open = resource.users - stay;
  for (const std::uint32_t* slot = members_.data(); slot != end; ++slot) {
    const Course& course = courses_[*slot];
    for (std::uint32_t use = course.first_use; use < course.end_use; ++use) reach(plan_->use[use]);
  }
}

void Fluid::reach(std::uint32_t number) {
  Resource& resource = resources_[number];
  if (resource.reached == stamp_) return;
  resource.reached = stamp_;
  if (resource.users == 0) return;
  resource.due = static_cast<std::uint32_t>(reached_.size());
  reached_.push_back(number);
}

// Progressive filling. Resources with the least share keep it until their turn comes, so that a round has no order.
void Fluid::fill() {
  due_.reset(reached_.size());
  for (std::size_t i = 0; i < reached_.size(); ++i) {
    const Resource& resource = resources_[reached_[i]];
    if (resource.open > 0) due_.set(i, share_of_each(resource.left, resource.open));
  }
  for (std::size_t next = due_.first(); next < due_.size(); next = due_.first()) {
    give(reached_[next], due_.key(next));
    due_.set(next, Least::kNone);
  }
}

// To its users that are open.
void Fluid::give(std::uint32_t full, double rate) {
  const Resource& resource = resources_[full];
  for (std::uint32_t k = resource.first; k < resource.first + resource.users; ++k)
    if (courses_[users_[k].slot].open == stamp_) fix(users_[k].slot, rate, full);
}

// Other resources of the transfer are full later than they seemed, never earlier, or in the same round.
void Fluid::fix(std::uint32_t slot, double rate, std::uint32_t full) {
  Course& course = courses_[slot];
  course.open = 0;
  for (std::uint32_t use = course.first_use; use < course.end_use; ++use) {
    if (plan_->use[use] == full) continue;
    Resource& resource = resources_[plan_->use[use]];
    resource.left -= rate;
    --resource.open;
    if (resource.open == 0)
      due_.set(resource.due, Least::kNone);
    else if (due_.key(resource.due) > rate)
      due_.set(resource.due, share_of_each(resource.left, resource.open));
  }
  if (rate != course.rate) change(slot, rate);
}

void Fluid::change(std::uint32_t slot, double rate) {
  Rest& rest = rests_[slot];
  rest.volume -= whole(courses_[slot].rate) * whole(now_ - rest.since);
  rest.since = now_;
  courses_[slot].rate = rate;
  moments_.set(slot, now_ + ticks_for(rest.volume, rate));
}

}  // namespace isoplane
