#include "isoplane/fluid.hpp"

#include <algorithm>
#include <functional>
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
  while (!events_.empty()) {
    now_ = events_.top().when;
    while (!events_.empty() && events_.top().when <= now_ + kSameNs) {
      const Event event = events_.top();
      events_.pop();
      if (event.version == kOver) {
        end(event.transfer, over);
      } else if (event.version == version_[event.transfer]) {
        leave(event.transfer);
        events_.push({now_ + transfers.latency_ns[event.transfer], event.transfer, kOver});
      }
    }
    share();
  }
  return last_;
}

void Fluid::reset() {
  const std::size_t count = plan_->size(), resources = plan_->capacity.size();
  now_ = last_ = 0;
  stamp_ = 0;
  waits_ = plan_->waits;
  left_bits_ = plan_->bits;
  version_.assign(count, 0);
  rate_.assign(count, 0);
  new_rate_.assign(count, 0);
  since_.assign(count, 0);
  seen_transfer_.assign(count, 0);
  fixed_.assign(count, 0);
  seen_resource_.assign(resources, 0);
  left_capacity_.assign(resources, 0);
  open_.assign(resources, 0);
  place_.resize(plan_->use.size());
  owner_.resize(plan_->use.size());
  for (std::uint32_t i = 0; i < count; ++i)
    std::fill(owner_.begin() + plan_->use_start[i], owner_.begin() + plan_->use_start[i + 1], i);
  users_.resize(resources);
  for (auto& users : users_) users.clear();
  touched_.clear();
  begun_.clear();
  least_left_ = std::numeric_limits<double>::infinity();
}

void Fluid::begin(std::uint32_t transfer) {
  since_[transfer] = now_;
  begun_.push_back(transfer);
  for (std::uint32_t use = plan_->use_start[transfer]; use < plan_->use_start[transfer + 1]; ++use) {
    auto& users = users_[plan_->use[use]];
    place_[use] = static_cast<std::uint32_t>(users.size());
    users.push_back(use);
  }
  touch(transfer);
}

void Fluid::leave(std::uint32_t transfer) {
  ++version_[transfer];
  least_left_ = std::min(least_left_, rate_[transfer]);
  for (std::uint32_t use = plan_->use_start[transfer]; use < plan_->use_start[transfer + 1]; ++use) {
    auto& users = users_[plan_->use[use]];
    users[place_[use]] = users.back();
    place_[users.back()] = place_[use];
    users.pop_back();
  }
  touch(transfer);
}

void Fluid::end(std::uint32_t transfer, std::vector<double>* over) {
  last_ = std::max(last_, now_);
  if (over != nullptr) (*over)[transfer] = now_;
  for (std::uint32_t i = plan_->next_start[transfer]; i < plan_->next_start[transfer + 1]; ++i)
    if (--waits_[plan_->next[i]] == 0) begin(plan_->next[i]);
}

void Fluid::touch(std::uint32_t transfer) {
  for (std::uint32_t use = plan_->use_start[transfer]; use < plan_->use_start[transfer + 1]; ++use)
    touched_.push_back(plan_->use[use]);
}

// Gives new rates to all transfers that a change can reach, and plans their last bits.
void Fluid::share() {
  if (touched_.empty()) return;
  collect(unchanged_below());
  fill();
  begun_.clear();
  least_left_ = std::numeric_limits<double>::infinity();
  for (const std::uint32_t transfer : members_) {
    if (new_rate_[transfer] == rate_[transfer]) continue;
    left_bits_[transfer] = std::max(left_bits_[transfer] - rate_[transfer] * (now_ - since_[transfer]), 0.0);
    since_[transfer] = now_;
    rate_[transfer] = new_rate_[transfer];
    events_.push({now_ + left_bits_[transfer] / rate_[transfer], transfer, ++version_[transfer]});
  }
}

// Rates below this stay: progressive filling goes on as before until the least rate of those that have left, or until a
// resource of one that has begun is full. The latter is not before its users, those that stay apart, share it equally.
double Fluid::unchanged_below() const {
  double least = 0;
  for (bool higher = true; higher;) {
    double next = least_left_;
    for (const std::uint32_t transfer : begun_)
      for (std::uint32_t use = plan_->use_start[transfer]; use < plan_->use_start[transfer + 1]; ++use) {
        const std::uint32_t resource = plan_->use[use];
        double capacity = plan_->capacity[resource];
        std::size_t sharing = users_[resource].size();
        for (const std::uint32_t other : users_[resource]) {
          const double rate = rate_[owner_[other]];
          if (rate == 0 || rate >= least) continue;  // 0: begun, too
          capacity -= rate;
          --sharing;
        }
        next = std::min(next, capacity / static_cast<double>(sharing));
      }
    higher = next > least;
    least = std::max(least, next);
  }
  return least * (1 - kRounding);
}

// Finds what is joined to the touched resources by transfers that use two and whose rates are not less than this: all
// others keep their rates.
void Fluid::collect(double least) {
  ++stamp_;
  resources_.clear();
  members_.clear();
  const auto visit = [&](std::uint32_t resource) {
    if (seen_resource_[resource] == stamp_) return;
    seen_resource_[resource] = stamp_;
    if (!users_[resource].empty()) resources_.push_back(resource);
  };
  for (const std::uint32_t resource : touched_) visit(resource);
  touched_.clear();
  for (std::size_t i = 0; i < resources_.size(); ++i) {
    const std::uint32_t resource = resources_[i];
    left_capacity_[resource] = plan_->capacity[resource];
    open_[resource] = 0;
    for (const std::uint32_t use : users_[resource]) {
      const std::uint32_t transfer = owner_[use];
      if (rate_[transfer] != 0 && rate_[transfer] < least) {
        left_capacity_[resource] -= rate_[transfer];
        continue;
      }
      ++open_[resource];
      if (seen_transfer_[transfer] == stamp_) continue;
      seen_transfer_[transfer] = stamp_;
      members_.push_back(transfer);
      for (std::uint32_t k = plan_->use_start[transfer]; k < plan_->use_start[transfer + 1]; ++k) visit(plan_->use[k]);
    }
  }
}

// Progressive filling: all rates grow alike until a resource is full, which fixes those of its users. Others are then
// full later than they seemed, never earlier.
void Fluid::fill() {
  due_.clear();
  const auto later = std::greater<std::pair<double, std::uint32_t>>();
  for (const std::uint32_t resource : resources_)
    if (open_[resource] > 0) due_.emplace_back(left_capacity_[resource] / open_[resource], resource);
  std::make_heap(due_.begin(), due_.end(), later);
  while (!due_.empty()) {
    std::pop_heap(due_.begin(), due_.end(), later);
    const auto [full_at, resource] = due_.back();
    due_.pop_back();
    if (open_[resource] == 0) continue;
    const double rate = left_capacity_[resource] / open_[resource];
    if (rate > full_at && !due_.empty() && rate > due_.front().first) {
      due_.emplace_back(rate, resource);
      std::push_heap(due_.begin(), due_.end(), later);
      continue;
    }
    for (const std::uint32_t use : users_[resource]) fix(owner_[use], rate);
  }
}

void Fluid::fix(std::uint32_t transfer, double rate) {
  if (seen_transfer_[transfer] != stamp_ || fixed_[transfer] == stamp_) return;
  fixed_[transfer] = stamp_;
  new_rate_[transfer] = rate;
  for (std::uint32_t use = plan_->use_start[transfer]; use < plan_->use_start[transfer + 1]; ++use) {
    const std::uint32_t resource = plan_->use[use];
    left_capacity_[resource] = std::max(left_capacity_[resource] - rate, 0.0);
    --open_[resource];
  }
}

}  // namespace isoplane
