#include "isoplane/phase_search.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace isoplane {

namespace {

constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint32_t kMaxResources = 255;  // of a message
constexpr std::uint32_t kMaxMessages = 1u << 18;
constexpr std::size_t kMaxEntries = std::size_t{1} << 28;  // of a table by message or resource, and phase
constexpr std::uint32_t kBarred = 3;      // evaluations for which a displaced message may not return, at least
constexpr std::uint32_t kOpenPerBar = 5;  // open messages for which it is one longer

}  // namespace

PhaseSearch::PhaseSearch(ExchangeProblem problem, const std::vector<std::int32_t>& given, std::uint64_t seed,
                         std::uint64_t stream)
    : problem_(std::move(problem)), random_(seed, stream) {
  check();
  const std::uint32_t messages = problem_.messages();
  if (given.size() != messages) throw std::invalid_argument("expected a phase for each message");
  std::vector<std::uint32_t> load(problem_.resources, 0);
  for (const std::uint32_t resource : problem_.resource) ++load[resource];
  bound_ = *std::max_element(load.begin(), load.end());
  user_start_.assign(problem_.resources + 1, 0);
  std::partial_sum(load.begin(), load.end(), user_start_.begin() + 1);
  user_.resize(problem_.resource.size());
  std::vector<std::uint32_t> next(user_start_.begin(), user_start_.end() - 1);
  weight_.assign(messages, 0);
  for (Message message = 0; message < messages; ++message)
    for (std::uint32_t i = problem_.start[message]; i < problem_.start[message + 1]; ++i) {
      user_[next[problem_.resource[i]]++] = message;
      weight_[message] += load[problem_.resource[i]];
    }
  check_costs();
  cost_.assign(messages + 1, 0);
  choices_.assign(messages, 0);
  phase_.assign(messages, kOpen);
  open_place_.assign(messages, kNone);
  fill(given);
  keep();
}

void PhaseSearch::check() const {
  const auto& start = problem_.start;
  if (start.size() < 2 || start.size() > kMaxMessages + 1 || start.front() != 0 ||
      start.back() != problem_.resource.size())
    throw std::invalid_argument("expected 1 to 2^18 messages, with the starts of their resources");
  std::vector<Message> last(problem_.resources, kNone);
  for (Message message = 0; message < problem_.messages(); ++message) {
    if (start[message + 1] <= start[message] || start[message + 1] > start.back() ||
        start[message + 1] - start[message] > kMaxResources)
      throw std::invalid_argument("expected 1 to 255 resources of each message");
    for (std::uint32_t i = start[message]; i < start[message + 1]; ++i) {
      if (problem_.resource[i] >= problem_.resources || last[problem_.resource[i]] == message)
        throw std::invalid_argument("expected different resources of each message, within their number");
      last[problem_.resource[i]] = message;
    }
  }
}

// The costs of all messages in the way of one fit into 32 bits.
void PhaseSearch::check_costs() const {
  const std::uint64_t most = *std::max_element(weight_.begin(), weight_.end());
  if (most * kStuck * kMaxResources >= kNone)
    throw std::invalid_argument("loads of links too high for costs of 32 bits");
}

// Messages by descending weight, at random among equals.
std::vector<PhaseSearch::Message> PhaseSearch::by_cost() {
  std::vector<Message> order(problem_.messages());
  std::iota(order.begin(), order.end(), 0u);
  for (std::uint32_t i = problem_.messages(); i > 1; --i) std::swap(order[i - 1], order[random_.below(i)]);
  std::stable_sort(order.begin(), order.end(), [this](Message a, Message b) { return weight_[a] > weight_[b]; });
  return order;
}

void PhaseSearch::fill(const std::vector<std::int32_t>& given) {
  const std::uint32_t messages = problem_.messages();
  for (const std::int32_t phase : given)
    if (phase < kOpen || phase >= static_cast<std::int32_t>(messages))
      throw std::invalid_argument("phase out of range");
  // Sets of occupied resources by phase, before the tables have their size.
  std::vector<std::vector<bool>> taken(static_cast<std::size_t>(*std::max_element(given.begin(), given.end()) + 1),
                                       std::vector<bool>(problem_.resources, false));
  const auto enter = [&](Message message, std::size_t phase) {
    if (phase == taken.size()) taken.emplace_back(problem_.resources, false);
    const auto from = problem_.resource.begin() + problem_.start[message];
    const auto to = problem_.resource.begin() + problem_.start[message + 1];
    auto& here = taken[phase];
    if (std::any_of(from, to, [&](std::uint32_t resource) { return here[resource]; })) return false;
    std::for_each(from, to, [&](std::uint32_t resource) { here[resource] = true; });
    phase_[message] = static_cast<std::int32_t>(phase);
    return true;
  };
  for (Message message = 0; message < messages; ++message)
    if (given[message] != kOpen) enter(message, static_cast<std::size_t>(given[message]));
  for (const Message message : by_cost())
    for (std::size_t phase = 0; phase_[message] == kOpen; ++phase) enter(message, phase);
  resize(static_cast<std::uint32_t>(taken.size()));
}

// Gives the tables room for a number of phases, and enters the current ones.
void PhaseSearch::resize(std::uint32_t phases) {
  const std::size_t messages = problem_.messages();
  phases_ = width_ = phases;
  if (std::max<std::size_t>(messages, problem_.resources) * phases > kMaxEntries)
    throw std::invalid_argument("expected at most 2^28 pairs of a message, or a resource, and a phase");
  busy_.assign(messages * phases, 0);
  occupant_.assign(std::size_t{problem_.resources} * phases, static_cast<Message>(messages));
  left_phase_.assign(messages, kNone);
  barred_.assign(messages, 0);
  total_.resize(phases);
  before_.resize(phases);
  const std::vector<std::int32_t> current = std::exchange(phase_, std::vector<std::int32_t>(messages, kOpen));
  for (Message message = 0; message < messages; ++message)
    if (current[message] != kOpen) place(message, static_cast<std::uint32_t>(current[message]));
  count_choices();
}

void PhaseSearch::count_choices() {
  const std::size_t messages = problem_.messages();
  std::fill(choices_.begin(), choices_.end(), 0u);
  for (std::uint32_t phase = 0; phase < phases_; ++phase)
    for (std::size_t message = 0; message < messages; ++message)
      choices_[message] += busy_[phase * messages + message] == 0;
  for (Message message = 0; message < messages; ++message) set_cost(message);
}

void PhaseSearch::place(Message message, std::uint32_t phase) {
  phase_[message] = static_cast<std::int32_t>(phase);
  std::uint8_t* busy = &busy_[std::size_t{phase} * problem_.messages()];
  for (std::uint32_t i = problem_.start[message]; i < problem_.start[message + 1]; ++i) {
    const std::uint32_t resource = problem_.resource[i];
    occupant_[std::size_t{resource} * width_ + phase] = message;
    for (std::uint32_t k = user_start_[resource]; k < user_start_[resource + 1]; ++k) {
      const Message user = user_[k];
      if (busy[user]++ == 0 && --choices_[user] == 0) set_cost(user);
    }
  }
}

void PhaseSearch::lift(Message message) {
  const auto phase = static_cast<std::uint32_t>(phase_[message]);
  phase_[message] = kOpen;
  std::uint8_t* busy = &busy_[std::size_t{phase} * problem_.messages()];
  for (std::uint32_t i = problem_.start[message]; i < problem_.start[message + 1]; ++i) {
    const std::uint32_t resource = problem_.resource[i];
    occupant_[std::size_t{resource} * width_ + phase] = problem_.messages();
    for (std::uint32_t k = user_start_[resource]; k < user_start_[resource + 1]; ++k) {
      const Message user = user_[k];
      if (--busy[user] == 0 && choices_[user]++ == 0) set_cost(user);
    }
  }
}

void PhaseSearch::open(Message message) {
  open_place_[message] = static_cast<std::uint32_t>(open_.size());
  open_.push_back(message);
}

void PhaseSearch::close(Message message) {
  const std::uint32_t place = std::exchange(open_place_[message], kNone);
  open_[place] = open_.back();
  open_place_[open_[place]] = place;
  if (open_[place] == message) open_place_[message] = kNone;
  open_.pop_back();
}

void PhaseSearch::keep() {
  best_ = phase_;
  best_phases_ = phases_;
}

void PhaseSearch::drop_smallest_phase() {
  std::vector<std::uint32_t> size(phases_, 0);
  for (const std::int32_t phase : phase_) ++size[static_cast<std::uint32_t>(phase)];
  const auto smallest = static_cast<std::int32_t>(std::min_element(size.begin(), size.end()) - size.begin());
  const auto last = static_cast<std::int32_t>(phases_ - 1);
  std::vector<Message> moved;
  for (Message message = 0; message < problem_.messages(); ++message) {
    if (phase_[message] == smallest) {
      lift(message);
      open(message);
    } else if (phase_[message] == last) {
      moved.push_back(message);
    }
  }
  for (const Message message : moved) {
    lift(message);
    place(message, static_cast<std::uint32_t>(smallest));
  }
  --phases_;
  count_choices();
}

void PhaseSearch::run(std::uint64_t evaluations) {
  const std::uint32_t before = best_phases_;
  while (evaluations-- > 0 && best_phases_ > bound_ && best_phases_ == before) {
    if (open_.empty()) drop_smallest_phase();
    ++evaluations_;
    if (!open_.empty()) evaluate();  // it is empty if the dropped phase was
    if (open_.empty())
      keep();
    else
      drift();
  }
}

void PhaseSearch::evaluate() {
  const Message message = open_[random_.below(static_cast<std::uint32_t>(open_.size()))];
  if (choices_[message] > 0) {
    close(message);
    place(message, any_choice(message));
    return;
  }
  const std::uint32_t phase = cheapest(message);
  if (phase != kNone) displace(message, phase);
}

// The phase where messages in the way cost least, at random among equals. A message that meets the route in separate
// parts counts several times.
std::uint32_t PhaseSearch::cheapest(Message message) {
  std::fill_n(total_.begin(), phases_, 0u);
  std::fill_n(before_.begin(), phases_, problem_.messages());
  for (std::uint32_t i = problem_.start[message]; i < problem_.start[message + 1]; ++i) {
    const Message* here = &occupant_[std::size_t{problem_.resource[i]} * width_];
    for (std::uint32_t phase = 0; phase < phases_; ++phase) {
      total_[phase] += here[phase] != before_[phase] ? cost_[here[phase]] : 0;
      before_[phase] = here[phase];
    }
  }
  std::uint32_t best = kNone, least = kNone, ties = 0;
  if (barred_[message] >= evaluations_ && left_phase_[message] < phases_) total_[left_phase_[message]] = kNone;
  for (std::uint32_t phase = 0; phase < phases_; ++phase) {
    if (total_[phase] > least || total_[phase] == kNone) continue;
    if (total_[phase] < least) {
      least = total_[phase];
      best = phase;
      ties = 1;
    } else if (random_.below(++ties) == 0) {
      best = phase;
    }
  }
  return best;
}

void PhaseSearch::displace(Message message, std::uint32_t phase) {
  displaced_.clear();
  for (std::uint32_t i = problem_.start[message]; i < problem_.start[message + 1]; ++i) {
    const Message other = occupant_[std::size_t{problem_.resource[i]} * width_ + phase];
    if (other == problem_.messages()) continue;
    displaced_.push_back(other);
    lift(other);
  }
  close(message);
  place(message, phase);
  for (const Message other : displaced_) {
    if (choices_[other] > 0) {
      place(other, any_choice(other));
      continue;
    }
    open(other);
    left_phase_[other] = phase;
    barred_[other] = evaluations_ + kBarred + open_.size() / kOpenPerBar + random_.below(kBarred + 1);
  }
}

// Moves a random message to another phase in which it fits, if there is one.
void PhaseSearch::drift() {
  const Message message = random_.below(problem_.messages());
  if (phase_[message] == kOpen || choices_[message] == 0) return;
  const std::uint32_t phase = any_choice(message);
  lift(message);
  place(message, phase);
}

std::uint32_t PhaseSearch::any_choice(Message message) {
  std::uint32_t skipped = random_.below(choices_[message]), phase = 0;
  const std::uint8_t* busy = &busy_[message];
  for (;; ++phase)
    if (busy[std::size_t{phase} * problem_.messages()] == 0 && skipped-- == 0) return phase;
}

}  // namespace isoplane
