#include "isoplane/fluid.hpp"

#include <algorithm>
#include <limits>

namespace isoplane {
namespace {

constexpr double kRounding = 1e-12;  // what sums of rates may be off by, relative to them

}  // namespace

double Fluid::completion_ns(const Transfers& transfers, std::vector<double>* over) {
  plan_ = &transfers;
  reset();
  if (over != nullptr) over->assign(transfers.size(), 0);
  for (std::uint32_t i = 0; i < transfers.size(); ++i)
    if (waits_[i] == 0) begin(i);
  share();
  for (std::size_t next = moments_.first(); next < moments_.size(); next = moments_.first()) {
    now_ = moments_.key(next);
    for (; next < moments_.size() && moments_.key(next) <= now_ + kSameNs; next = moments_.first()) {
      const auto slot = static_cast<std::uint32_t>(next);
      if (courses_[slot].rate == 0)
        end(slot);
      else
        leave(slot, over);
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
  least_left_ = std::numeric_limits<double>::infinity();
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

void Fluid::begin(std::uint32_t transfer) {
  const std::uint32_t slot = take_slot(), first = plan_->use_start[transfer], end = plan_->use_start[transfer + 1];
  courses_[slot] = {0, 0, transfer, first, end};
  rests_[slot] = {plan_->bits[transfer], now_};
  for (std::uint32_t use = first; use < end; ++use) {
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
  const double end_ns = now_ + plan_->latency_ns[course.transfer];
  last_ = std::max(last_, end_ns);
  if (over != nullptr) (*over)[course.transfer] = end_ns;
  const bool awaited = plan_->next_start[course.transfer] < plan_->next_start[course.transfer + 1];
  if (awaited)
    moments_.set(slot, end_ns);
  else
    end(slot);
}

void Fluid::end(std::uint32_t slot) {
  const std::uint32_t transfer = courses_[slot].transfer;
  moments_.set(slot, Least::kNone);
  free_.push_back(slot);
  for (std::uint32_t i = plan_->next_start[transfer]; i < plan_->next_start[transfer + 1]; ++i)
    if (--waits_[plan_->next[i]] == 0) begin(plan_->next[i]);
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
    give(reached_[0], resources_[reached_[0]].left / resources_[reached_[0]].open);
  else
    fill();
  ++stamp_;
  touched_.clear();
  begun_.clear();
  least_left_ = std::numeric_limits<double>::infinity();
}

// Rates below this stay: progressive filling goes on as before until the least rate of those that have left, or until a
// resource of one that has begun is full. The latter is not before its users, those that stay apart, share it equally.
double Fluid::unchanged_below() const {
  double least = 0;
  for (bool higher = true; higher;) {
    double next = least_left_;
    for (const std::uint32_t resource : begun_) next = std::min(next, full_at(resource, least));
    higher = next > least;
    least = std::max(least, next);
  }
  return least * (1 - kRounding);
}

double Fluid::full_at(std::uint32_t number, double least) const {
  const Resource& resource = resources_[number];
  double capacity = plan_->capacity[number];
  std::uint32_t sharing = resource.users;
  for (std::uint32_t k = resource.first; least > 0 && k < resource.first + resource.users; ++k) {
    const double rate = courses_[users_[k].slot].rate;
    if (rate == 0 || rate >= least) continue;  // 0: begun, too
    capacity -= rate;
    --sharing;
  }
  return capacity / sharing;
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

// Progressive filling: all rates grow alike until a resource is full, which fixes those of its users.
void Fluid::fill() {
  due_.reset(reached_.size());
  for (std::size_t i = 0; i < reached_.size(); ++i) {
    const Resource& resource = resources_[reached_[i]];
    if (resource.open > 0) due_.set(i, resource.left / resource.open);
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

// Other resources of the transfer are full later than they seemed, never earlier.
void Fluid::fix(std::uint32_t slot, double rate, std::uint32_t full) {
  Course& course = courses_[slot];
  course.open = 0;
  for (std::uint32_t use = course.first_use; use < course.end_use; ++use) {
    if (plan_->use[use] == full) continue;
    Resource& resource = resources_[plan_->use[use]];
    resource.left = std::max(resource.left - rate, 0.0);
    --resource.open;
    due_.set(resource.due, resource.open > 0 ? resource.left / resource.open : Least::kNone);
  }
  if (rate != course.rate) change(slot, rate);
}

void Fluid::change(std::uint32_t slot, double rate) {
  Rest& rest = rests_[slot];
  rest.bits = std::max(rest.bits - courses_[slot].rate * (now_ - rest.since), 0.0);
  rest.since = now_;
  courses_[slot].rate = rate;
  moments_.set(slot, now_ + rest.bits / rate);
}

}  // namespace isoplane
