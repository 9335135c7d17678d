#include "isoplane/exact.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <ctime>
#include <numeric>
#include <stdexcept>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "isoplane/random.hpp"

namespace isoplane {
namespace {

// Number of generators of a unit: gives enough units to distribute, each taking at most a second without cables.
constexpr int kDepth = 4;

std::size_t index(int i) { return static_cast<std::size_t>(i); }

// The units in an order without a trend: every step-th one, with a step near the golden section.
template <class Unit>
std::vector<Unit> scatter(const std::vector<Unit>& units) {
  std::size_t step = std::max<std::size_t>(1, units.size() * 618 / 1000);
  while (std::gcd(step, units.size()) != 1) ++step;
  std::vector<Unit> all;
  for (std::size_t i = 0; i < units.size(); ++i) all.push_back(units[i * step % units.size()]);
  return all;
}

// CPU time of this thread.
double thread_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

bool promising(const Goal& goal, const std::optional<ExactMetrics>& lower) { return lower && goal.beatable(*lower); }

}  // namespace

ExactCounts::ExactCounts(int n) : sets(index(n) + 1), labelled(sets.size()), cut(sets.size()) {}

// The depth-first search of one worker.
class ExactSearch::Walk {
 public:
  explicit Walk(const ExactSearch& search)
      : search_(search),
        n_(search.n()),
        counts_(n_),
        incumbents_(search.goal()),
        sums_(n_, search.evaluator_->folded(), chosen_isa()) {
    for (int w = 1; w <= n_; ++w)
      for (std::uint32_t v = 1; v < 1u << n_; ++v)
        if (std::popcount(v) == w) by_weight_.push_back(static_cast<std::uint16_t>(v));
    first_of_weight_.assign(index(n_) + 1, 0);
    for (std::size_t i = by_weight_.size(); i-- > 0;) first_of_weight_[index(std::popcount(by_weight_[i]))] = i;
    if (search.everything_) counts_.histogram.assign((std::size_t{1} << n_) * index(n_), 0);
  }

  // Collects the units. The classes of single vectors are their weights.
  std::vector<Unit> units() {
    most_ = search_.most_;
    count(0, search_.permutations_);
    std::int64_t weight_factorial = 1;  // w!
    for (int w = 1; w <= n_; ++w) {
      weight_factorial *= w;
      std::int64_t symmetries = weight_factorial;
      for (int i = 2; i <= n_ - w; ++i) symmetries *= i;
      set_[0] = static_cast<std::uint16_t>((1u << w) - 1);
      count(1, symmetries);
      sums_.extend(0, set_[0]);
      descend(1, symmetries, most_);
    }
    return std::move(units_);
  }

  // Searches a unit and returns the survivors.
  std::vector<Columns> walk(const Unit& unit) {
    goal_ = search_.goal();
    most_ = search_.most_;
    for (int size = 0; size < search_.depth_; ++size) sums_.extend(size, unit.set[index(size)]);
    set_ = unit.set;
    below_units_ = true;
    descend(search_.depth_, unit.symmetries, most_);
    return goal_->designs();
  }

  // Returns the estimate for a unit from a random path, each step weighted by its number of siblings.
  Work probe(const Unit& unit, Random& random);

  ExactCounts& counts() { return counts_; }

 private:
  // Counts a set. `symmetries` is 0 if a class may be visited more than once; its orbit is then not counted.
  void count(int size, std::int64_t symmetries) {
    ++counts_.sets[index(size)];
    if (symmetries != 0)
      counts_.labelled[index(size)] += static_cast<unsigned __int128>(search_.permutations_ / symmetries);
  }

  void descend(int size, std::int64_t symmetries, int most);
  template <class Visit>
  void visit_children(int size, std::int64_t symmetries, int& most, Visit visit);
  int largest_promising_sum(int size, int least_weight, int least, int most);
  void visit_bases(const PartialSet& parent, int size, int most);
  void visit_last_two(int size, int most);
  void evaluate(int sum);

  const ExactSearch& search_;
  int n_;
  ExactCounts counts_;
  std::unique_ptr<Goal> incumbents_;  // those before the search
  std::unique_ptr<Goal> goal_;
  PartialSums sums_;
  std::vector<std::uint16_t> by_weight_;      // all vectors
  std::vector<std::size_t> first_of_weight_;  // index of the first vector of each weight
  Vectors set_{};
  int most_ = 0;  // the largest sum of distances that is of interest
  bool below_units_ = false;
  std::vector<std::uint16_t> candidates_, others_;
  std::vector<Unit> units_;
  // The largest sum that could beat the incumbents if `attainable`; otherwise only an upper bound on it.
  struct Horizon {
    int sum;
    bool attainable;
  };
  std::unordered_map<std::uint64_t, Horizon> horizons_;
};

// An upper bound on the sum of distances, within least .. most, of a basis that contains the set and could beat the
// incumbents. It depends only on the weights of the set. All sums are tried from the largest down, because the valid
// inequalities for loads are not monotone: a larger sum may allow a smaller score.
int ExactSearch::Walk::largest_promising_sum(int size, int least_weight, int least, int most) {
  if (!search_.cables_) return std::min(most, most_);
  std::uint64_t key = static_cast<std::uint64_t>(least_weight);
  for (int e = 0; e < size; ++e) key += std::uint64_t{1} << 4 * weight(set_[index(e)]);
  Horizon& horizon = horizons_.try_emplace(key, Horizon{search_.most_, false}).first->second;
  while (!horizon.attainable && horizon.sum >= least) {
    horizon.attainable = promising(*incumbents_, search_.orders_.lowest(horizon.sum, set_, size, least_weight));
    if (!horizon.attainable) --horizon.sum;
  }
  return std::min({most, most_, horizon.sum});
}

void ExactSearch::Walk::descend(int size, std::int64_t symmetries, int most) {
  if (search_.cancelled_.load(std::memory_order_relaxed)) return;
  if (!below_units_ && size == search_.depth_) {
    units_.push_back({set_, symmetries});
    return;
  }
  if (!search_.everything_ && size == n_ - 2) return visit_last_two(size, most);
  if (size == n_ - 1) return visit_bases(PartialSet(n_, set_, size, symmetries), size, most);
  visit_children(size, symmetries, most, [&](std::uint16_t vector, std::int64_t found) {
    set_[index(size)] = vector;
    sums_.extend(size, vector);
    descend(size + 1, found, most);
  });
}

// Visits the child classes of the set, unless it is pruned; `most` is lowered to the largest sum of distances that
// could still win. Pruning is safe: the outlook is a lower bound on the sum of every completion, whatever its class.
template <class Visit>
void ExactSearch::Walk::visit_children(int size, std::int64_t symmetries, int& most, Visit visit) {
  const bool prune = !search_.everything_;
  const PartialSet parent(n_, set_, size, symmetries);
  PartialSums::Outlook outlook{};
  if (prune) {
    outlook = sums_.outlook(size, parent.least_weight());
    most = largest_promising_sum(size, parent.least_weight(), outlook.least, most);
    if (outlook.least > most) {
      ++counts_.cut[index(size)];
      return;
    }
  }
  const std::uint16_t* added = sums_.added(size, 1);
  for (std::size_t i = first_of_weight_[index(parent.least_weight())]; i < by_weight_.size(); ++i) {
    const std::uint16_t vector = by_weight_[i];
    if (sums_.coset(size)[vector] == 0) continue;
    if (prune && outlook.rest[index(sums_.place(size, vector))] + added[vector] > most) continue;
    // With pruning, the last sets are numerous but cheap: visiting some twice costs less than the full canonicity test.
    const bool quick = prune && size + 1 == n_ - 2;
    const std::int64_t found =
        quick ? std::int64_t{parent.may_be_parent_of(vector)} : parent.child_automorphisms(vector);
    if (found == 0) continue;
    count(size + 1, quick ? 0 : found);
    visit(vector, found);
  }
}

ExactSearch::Work ExactSearch::Walk::probe(const Unit& unit, Random& random) {
  goal_ = search_.goal();
  int most = most_ = search_.most_;
  const auto work_done = [&] {
    return Work{thread_seconds(), static_cast<double>(std::reduce(counts_.sets.begin(), counts_.sets.end()))};
  };
  Work work, before = work_done();
  double siblings = 1;
  const auto lap = [&] {
    const Work now = work_done();
    work.seconds += siblings * (now.seconds - before.seconds);
    work.sets += siblings * (now.sets - before.sets);
    before = now;
  };
  for (int size = 0; size < search_.depth_; ++size) sums_.extend(size, unit.set[index(size)]);
  set_ = unit.set;
  std::int64_t symmetries = unit.symmetries;
  below_units_ = true;
  std::vector<std::pair<std::uint16_t, std::int64_t>> found;
  int size = search_.depth_;
  // The last levels are searched in full: a single step there takes no longer than reading the clock.
  for (; size < n_ - 3; ++size) {
    found.clear();
    visit_children(size, symmetries, most,
                   [&](std::uint16_t vector, std::int64_t order) { found.emplace_back(vector, order); });
    lap();
    if (found.empty()) return work;
    siblings *= static_cast<double>(found.size());
    std::tie(set_[index(size)], symmetries) = found[random.below(static_cast<std::uint32_t>(found.size()))];
    sums_.extend(size, set_[index(size)]);
  }
  descend(size, symmetries, most);
  lap();
  return work;
}

void ExactSearch::Walk::visit_bases(const PartialSet& parent, int size, int most) {
  const std::uint16_t* added = sums_.added(size, 1);
  for (std::size_t i = first_of_weight_[index(parent.least_weight())]; i < by_weight_.size(); ++i) {
    const std::uint16_t vector = by_weight_[i];
    if (sums_.coset(size)[vector] == 0) continue;
    const std::int64_t symmetries = parent.child_automorphisms(vector);
    if (symmetries == 0) continue;
    count(n_, symmetries);
    ++counts_.evaluations;
    const int sum = sums_.sum(size) + added[vector];
    if (search_.everything_) ++counts_.histogram[index(sum)];
    if (sum > most) continue;
    set_[index(size)] = vector;
    if (largest_promising_sum(n_, 0, sum, sum) == sum) evaluate(sum);
  }
}

// The last two generators x, y lie in different cosets of the span, and x + y in the third. So the minima of f_1, f_1
// and f_2 over these cosets bound the added sum f_1(x) + f_1(y) + f_2(x + y) from below.
void ExactSearch::Walk::visit_last_two(int size, int most) {
  int least_weight = 0;
  for (int e = 0; e < size; ++e) least_weight = std::max(least_weight, weight(set_[index(e)]));
  most = largest_promising_sum(size, least_weight, sums_.sum(size), most);
  const std::uint16_t* one = sums_.added(size, 1);
  const std::uint16_t* both = sums_.added(size, 2);
  const std::uint16_t* coset = sums_.coset(size);
  std::array<int, 4> least_one{}, least_both{};
  for (int c = 1; c < 4; ++c) {
    least_one[index(c)] = sums_.least(size, 1, c, least_weight);
    least_both[index(c)] = sums_.least(size, 2, c, 0);
  }
  LastTwo bases(n_, set_);
  bool pruned = true;
  for (int third = 1; third < 4; ++third) {
    const int a = third == 1 ? 2 : 1, b = third == 3 ? 2 : 3;
    const int budget = most - sums_.sum(size) - least_both[index(third)];  // budget for f_1 of the two generators
    if (least_one[index(a)] + least_one[index(b)] > budget) continue;
    pruned = false;
    candidates_.clear();
    others_.clear();
    for (std::size_t i = first_of_weight_[index(least_weight)]; i < by_weight_.size(); ++i) {
      const std::uint16_t vector = by_weight_[i];
      if (coset[vector] == a && one[vector] <= budget - least_one[index(b)]) candidates_.push_back(vector);
      if (coset[vector] == b && one[vector] <= budget - least_one[index(a)]) others_.push_back(vector);
    }
    counts_.evaluations += static_cast<std::int64_t>(candidates_.size() * others_.size());
    for (const std::uint16_t x : candidates_)
      for (const std::uint16_t y : others_) {
        const int sum = sums_.sum(size) + one[x] + one[y] + both[x ^ y];
        if (sum > most) continue;
        set_[index(size)] = x;
        set_[index(size) + 1] = y;
        if (largest_promising_sum(n_, 0, sum, sum) == sum && bases.accepts(x, y)) evaluate(sum);
      }
  }
  if (pruned) ++counts_.cut[index(size)];
}

void ExactSearch::Walk::evaluate(int sum) {
  Columns columns{}, rows{};
  std::copy_n(set_.begin(), n_, columns.begin());
  transpose(columns.data(), n_, rows.data());
  const Evaluator& evaluator = *search_.evaluator_;
  const Loads loads = evaluator.loads(rows.data());
  if (loads.sum_of_distances != sum) throw std::logic_error("the tables and the kernel disagree");
  if (search_.cables_)
    counts_.evaluations += search_.orders_.search(loads, columns, *goal_);
  else
    goal_->note(evaluator.from_loads(loads, columns.data()), columns);
  most_ = search_.largest_sum(*goal_, most_);
}

ExactSearch::ExactSearch(std::shared_ptr<const Evaluator> evaluator, bool front, bool everything,
                         std::vector<Columns> incumbents, ValidInequalities inequalities)
    : evaluator_(std::move(evaluator)),
      front_(front),
      everything_(everything),
      cables_(evaluator_->scalarisation().uses_cables() || evaluator_->scalarisation().uses_racks()),
      incumbents_(std::move(incumbents)),
      orders_(*evaluator_, std::move(inequalities)),
      most_(0),
      depth_(std::clamp(n() - 2, 1, kDepth)),
      above_(n()) {
  if (n() > kExactMaxN) throw std::invalid_argument("n is too large for an exact search");
  for (int i = 2; i <= n(); ++i) permutations_ *= i;
  most_ = largest_sum(*goal(), n() << (n() - 1));  // no sum exceeds that of plane 0 alone
  Walk walk(*this);
  units_ = scatter(walk.units());
  above_ = walk.counts();
}

std::unique_ptr<Goal> ExactSearch::goal() const {
  auto goal = front_ ? pareto_front(*evaluator_) : best_score(*evaluator_);
  for (const Columns& generators : incumbents_) {
    const Basis basis(n(), generators.data());
    ExactMetrics found;
    evaluator_->exact_metrics(basis.rows(), basis.columns(), found);
    goal->note(found, generators);
  }
  return goal;
}

int ExactSearch::largest_sum(const Goal& goal, int from) const {
  int sum = from;
  while (sum >= 0 && !promising(goal, orders_.lowest(sum, {}, 0, 1))) --sum;
  return sum;
}

ExactSearch::Result ExactSearch::run(std::size_t first, std::size_t last) const {
  Walk walk(*this);
  Result result{ExactCounts(n()), {}, {}};
  std::int64_t before = 0;
  for (std::size_t unit = first; unit < std::min(last, units_.size()); ++unit) {
    for (const Columns& design : walk.walk(units_[unit]))
      if (std::find(incumbents_.begin(), incumbents_.end(), design) == incumbents_.end())
        result.designs.emplace_back(unit - first, design);
    result.evaluations.push_back(walk.counts().evaluations - before);
    before = walk.counts().evaluations;
  }
  result.counts = std::move(walk.counts());
  return result;
}

std::vector<ExactSearch::Work> ExactSearch::probe(std::uint64_t seed, int paths) const {
  Walk walk(*this);
  Random random(seed, 0);
  const auto units = static_cast<double>(units_.size());
  std::vector<Work> all;
  for (int path = 0; path < paths && !units_.empty() && !cancelled_; ++path) {
    const Work path_work = walk.probe(units_[random.below(static_cast<std::uint32_t>(units_.size()))], random);
    all.push_back({units * path_work.seconds, units * path_work.sets});
  }
  return all;
}

}  // namespace isoplane
