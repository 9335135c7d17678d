// Tests of the search for phases: its assignments are valid, repeatable, and as few phases as an exhaustive search
// finds.
#include "isoplane/phase_search.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

#include "check.hpp"

namespace {

using isoplane::ExchangeProblem;
using isoplane::PhaseSearch;
using isoplane::Random;

ExchangeProblem random_problem(std::uint32_t messages, std::uint32_t resources, std::uint32_t most, Random& random) {
  ExchangeProblem problem;
  problem.resources = resources;
  problem.start.push_back(0);
  for (std::uint32_t message = 0; message < messages; ++message) {
    std::set<std::uint32_t> used;
    const std::uint32_t size = 1 + random.below(most);
    while (used.size() < size) used.insert(random.below(resources));
    problem.resource.insert(problem.resource.end(), used.begin(), used.end());
    problem.start.push_back(static_cast<std::uint32_t>(problem.resource.size()));
  }
  return problem;
}

bool share(const ExchangeProblem& problem, std::uint32_t a, std::uint32_t b) {
  for (std::uint32_t i = problem.start[a]; i < problem.start[a + 1]; ++i)
    for (std::uint32_t k = problem.start[b]; k < problem.start[b + 1]; ++k)
      if (problem.resource[i] == problem.resource[k]) return true;
  return false;
}

bool valid(const ExchangeProblem& problem, const std::vector<std::int32_t>& phase, std::uint32_t phases) {
  for (std::uint32_t a = 0; a < problem.messages(); ++a) {
    if (phase[a] < 0 || phase[a] >= static_cast<std::int32_t>(phases)) return false;
    for (std::uint32_t b = 0; b < a; ++b)
      if (phase[a] == phase[b] && share(problem, a, b)) return false;
  }
  return true;
}

// Whether the messages from `next` on fit into some phases, by trying them all; an unused phase is tried once.
bool fits(const ExchangeProblem& problem, std::vector<std::int32_t>& phase, std::uint32_t next, std::int32_t used,
          std::int32_t phases) {
  if (next == problem.messages()) return true;
  for (std::int32_t here = 0; here < std::min(used + 1, phases); ++here) {
    bool free = true;
    for (std::uint32_t other = 0; other < next && free; ++other)
      free = phase[other] != here || !share(problem, next, other);
    phase[next] = here;
    if (free && fits(problem, phase, next + 1, std::max(used, here + 1), phases)) return true;
  }
  return false;
}

std::uint32_t fewest(const ExchangeProblem& problem) {
  std::vector<std::int32_t> phase(problem.messages());
  std::int32_t phases = 1;
  while (!fits(problem, phase, 0, 0, phases)) ++phases;
  return static_cast<std::uint32_t>(phases);
}

const std::vector<std::int32_t> open_phases(const ExchangeProblem& problem) {
  return std::vector<std::int32_t>(problem.messages(), PhaseSearch::kOpen);
}

void it_finds_as_few_phases_as_an_exhaustive_search() {
  Random random(1, 0);
  for (int trial = 0; trial < 200; ++trial) {
    const auto problem = random_problem(2 + random.below(11), 6, 3, random);
    PhaseSearch search(problem, open_phases(problem), 7, static_cast<std::uint64_t>(trial));
    const std::uint32_t least = fewest(problem);
    while (search.phases() > least && search.evaluations() < 20000) search.run(100);
    CHECK(search.phases() == least);
    CHECK(search.bound() <= least);
    CHECK(valid(problem, search.best(), search.phases()));
  }
}

void any_number_of_evaluations_leaves_a_valid_assignment_that_depends_on_nothing_else() {
  Random random(2, 0);
  for (int trial = 0; trial < 30; ++trial) {
    const auto problem = random_problem(60, 20, 5, random);
    PhaseSearch one(problem, open_phases(problem), 3, 1), other(problem, open_phases(problem), 3, 1);
    std::uint32_t before = one.phases();
    while (one.evaluations() < 2000 && one.phases() > one.bound()) {
      one.run(1 + random.below(50));
      CHECK(one.phases() <= before);
      before = one.phases();
      CHECK(valid(problem, one.best(), one.phases()));
    }
    while (other.evaluations() < one.evaluations()) other.run(one.evaluations() - other.evaluations());
    CHECK(other.best() == one.best());
    CHECK(other.open_messages() == one.open_messages());
  }
}

void given_phases_are_kept_where_messages_do_not_collide() {
  Random random(3, 0);
  const auto problem = random_problem(40, 40, 3, random);
  PhaseSearch first(problem, open_phases(problem), 1, 0);
  PhaseSearch second(problem, first.best(), 9, 0);
  CHECK(second.best() == first.best());
  const std::vector<std::int32_t> together(40, 0);  // message 0 stays, some others follow
  PhaseSearch third(problem, together, 1, 0);
  CHECK(third.best()[0] == 0);
  CHECK(valid(problem, third.best(), third.phases()));
}

void damaged_problems_are_refused() {
  const auto refused = [](ExchangeProblem problem, std::vector<std::int32_t> given) {
    return check::throws<std::invalid_argument>([&] { PhaseSearch(std::move(problem), given, 1, 0); });
  };
  CHECK(refused({2, {0, 1}, {2}}, {-1}));     // no such resource
  CHECK(refused({2, {0, 2}, {1, 1}}, {-1}));  // twice the same
  CHECK(refused({2, {0, 2, 1}, {0, 1}}, {-1, -1}));
  CHECK(refused({2, {0, 0, 2}, {0, 1}}, {-1, -1}));  // a message without resources
  CHECK(refused({2, {0, 1}, {0}}, {1}));             // more phases than messages
  CHECK(refused({2, {0, 1}, {0}}, {-1, -1}));
  CHECK(!refused({2, {0, 1}, {0}}, {0}));
}

}  // namespace

void test_phase_search() {
  it_finds_as_few_phases_as_an_exhaustive_search();
  any_number_of_evaluations_leaves_a_valid_assignment_that_depends_on_nothing_else();
  given_phases_are_kept_where_messages_do_not_collide();
  damaged_problems_are_refused();
}
