// Local search for the phases of an all-to-all exchange in which no two messages share a link.
#pragma once

#include <cstdint>
#include <vector>

#include "isoplane/random.hpp"

namespace isoplane {

// Messages and what they occupy: in a phase, each directed link, and each sender and receiver, serves one message.
struct ExchangeProblem {
  std::uint32_t resources = 0;
  std::vector<std::uint32_t> start;     // by message, and one more: where its resources begin in `resource`
  std::vector<std::uint32_t> resource;  // of each message, in route order, each once
  std::uint32_t messages() const { return static_cast<std::uint32_t>(start.size()) - 1; }
};

// Assigns all messages to as few phases as it can find. It dissolves the smallest phase and searches for other places
// for its messages, as partial colourings of graphs are completed (Blöchliger and Zufferey, 2008): an evaluation puts
// an open message into the phase where the messages in its way are the cheapest, and those move to a phase where they
// fit, or become open and may not return at once. The cost of a message is the load of what it occupies, a fifth of
// it if it fits elsewhere. After each evaluation, a random message moves to another phase if it fits there.
class PhaseSearch {
 public:
  static constexpr std::int32_t kOpen = -1;

  // Begins with the given phases (kOpen for none), as far as messages do not collide; the others follow by first fit,
  // those of the highest cost first. Throws std::invalid_argument if the problem or a phase is out of range.
  PhaseSearch(ExchangeProblem problem, const std::vector<std::int32_t>& given, std::uint64_t seed,
              std::uint64_t stream);

  // Searches until as many evaluations are done, or the number of phases has reached the bound or is lower than before.
  void run(std::uint64_t evaluations);

  std::uint64_t evaluations() const { return evaluations_; }
  std::uint32_t phases() const { return best_phases_; }  // of the best assignment
  std::uint32_t bound() const { return bound_; }         // messages of the heaviest resource
  std::uint32_t open_messages() const { return static_cast<std::uint32_t>(open_.size()); }
  const std::vector<std::int32_t>& best() const { return best_; }  // phase of each message

 private:
  using Message = std::uint32_t;
  static constexpr std::uint32_t kStuck = 5;  // factor of the cost of a message that fits nowhere else

  void check() const;
  void check_costs() const;
  std::vector<Message> by_cost();
  void resize(std::uint32_t phases);
  void count_choices();
  void fill(const std::vector<std::int32_t>& given);
  void place(Message message, std::uint32_t phase);
  void lift(Message message);
  void drop_smallest_phase();
  void keep();
  void evaluate();
  void displace(Message message, std::uint32_t phase);
  void drift();
  std::uint32_t cheapest(Message message);
  std::uint32_t any_choice(Message message);
  void open(Message message);
  void close(Message message);
  void set_cost(Message message) { cost_[message] = weight_[message] * (choices_[message] > 0 ? 1 : kStuck); }

  ExchangeProblem problem_;
  Random random_;
  std::uint32_t bound_ = 0, phases_ = 0, best_phases_ = 0, width_ = 0;
  std::uint64_t evaluations_ = 0;
  std::vector<std::uint32_t> user_start_, user_;  // by resource: its messages
  std::vector<std::uint32_t> weight_;             // by message: sum of the loads of its resources
  std::vector<std::uint32_t> cost_;               // by message, and 0 for the one past the last, which stands for none
  std::vector<std::uint32_t> choices_;            // by message: phases in which it fits
  std::vector<std::uint8_t> busy_;                // [phase, message]: resources of the message that are occupied
  std::vector<Message> occupant_;                 // [resource, phase]
  std::vector<std::int32_t> phase_, best_;        // by message
  std::vector<Message> open_;
  std::vector<std::uint32_t> open_place_;  // by message
  std::vector<std::uint32_t> left_phase_;  // by message: the last phase that it had to leave, and the last
  std::vector<std::uint64_t> barred_;      // evaluation in which it may not return
  std::vector<std::uint32_t> total_, displaced_;
  std::vector<Message> before_;
};

}  // namespace isoplane
