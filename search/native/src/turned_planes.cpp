#include "isoplane/turned_planes.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace isoplane {
namespace {

using Words = LinearPlanes::Words;

constexpr int kAttempts = 16;  // at a turn that makes different planes, of which few bits may not allow as many

// Polynomials over GF(2), a bit for each power.
int degree_of(std::uint32_t polynomial) { return static_cast<int>(std::bit_width(polynomial)) - 1; }

std::uint32_t remainder(std::uint32_t dividend, std::uint32_t divisor) {
  while (degree_of(dividend) >= degree_of(divisor)) dividend ^= divisor << (degree_of(dividend) - degree_of(divisor));
  return dividend;
}

std::uint32_t product(std::uint32_t one, std::uint32_t other) {
  std::uint32_t sum = 0;
  for (; other != 0; other &= other - 1) sum ^= one << std::countr_zero(other);
  return sum;
}

// The powers of irreducible polynomials that divide x^k + 1, up to a degree.
std::vector<std::uint32_t> divisors(std::uint32_t k, int degree) {
  const std::uint32_t whole = 1u << k | 1u;
  const auto fits = [&](std::uint32_t f) { return degree_of(f) <= degree && remainder(whole, f) == 0; };
  std::vector<std::uint32_t> irreducible, all;
  for (std::uint32_t f = 3; f <= whole; f += 2) {
    if (!fits(f) || std::any_of(irreducible.begin(), irreducible.end(), [f](auto p) { return remainder(f, p) == 0; }))
      continue;
    irreducible.push_back(f);
    for (std::uint32_t power = f; fits(power); power = product(power, f)) all.push_back(power);
  }
  return all;
}

std::uint32_t image(const Words& columns, std::uint32_t vector) {
  std::uint32_t sum = 0;
  for (; vector != 0; vector &= vector - 1) sum ^= columns[static_cast<std::size_t>(std::countr_zero(vector))];
  return sum;
}

// The least number of turns after which all vectors are back.
std::uint32_t order_of(const Words& turn) {
  std::uint32_t order = 1;
  for (std::size_t i = 0; i < turn.size(); ++i) {
    std::uint32_t own = 1;
    for (std::uint32_t vector = turn[i]; vector != 1u << i; vector = image(turn, vector)) ++own;
    order = std::lcm(order, own);
  }
  return order;
}

// Any matrix with J^k = 1 is made of companion matrices of such polynomials, in some basis.
Words random_turn(int n, std::uint32_t planes, Random& random) {
  Words turn;
  for (int attempt = 0; attempt < kAttempts && (turn.empty() || order_of(turn) < planes); ++attempt) {
    turn.clear();
    while (static_cast<int>(turn.size()) < n) {
      const auto first = static_cast<int>(turn.size());
      const std::vector<std::uint32_t> all = divisors(planes, n - first);
      const auto drawn = [&] { return all[random.below(static_cast<std::uint32_t>(all.size()))]; };
      const std::uint32_t one = drawn(), other = drawn();
      const std::uint32_t chosen = degree_of(one) < degree_of(other) ? other : one;  // few blocks are the best
      const int degree = degree_of(chosen);
      for (int i = 1; i < degree; ++i) turn.push_back(1u << (first + i));
      turn.push_back((chosen ^ 1u << degree) << first);
    }
  }
  return turn;
}

std::variant<FreeLoads, TurnedLoads> planes_of(const std::shared_ptr<const LinearLoadTask>& task, const Words& words) {
  if (words.size() != LinearLoads::word_count(*task)) throw std::invalid_argument("expected a matrix for each plane");
  const auto basis = words.end() - task->n(), turn = basis - task->n();
  if (std::all_of(turn, words.end(), [](auto word) { return word == 0; }))
    return FreeLoads(task, Words(words.begin(), turn));
  return TurnedLoads(task, Words(turn, basis), Words(basis, words.end()));
}

}  // namespace

TurnedLoads::TurnedLoads(std::shared_ptr<const LinearLoadTask> task, const Words& turn, const Words& basis)
    : task_(std::move(task)),
      meter_(*task_),
      turn_(turn),
      basis_(task_->n(), basis.data()),
      proposed_(basis_),
      distances_(task_->planes() * task_->stride()),
      images_(task_->vertices()) {
  if (task_->is_mixed()) throw std::invalid_argument("expected planes of one topology");
  for (int i = 0; i < task_->n(); ++i) {
    std::uint32_t vector = 1u << i;
    for (std::uint32_t plane = 0; plane < task_->planes(); ++plane) {
      if (vector >> task_->n() != 0) throw std::invalid_argument("expected vectors of n bits");
      vector = image(turn_, vector);
    }
    if (vector != 1u << i) throw std::invalid_argument("expected a matrix of the order of the planes");
  }
  std::copy_n(task_->row(0), task_->stride(), distances_.data());
  for (std::size_t plane = 0; plane < task_->planes(); ++plane)
    hops_.push_back(distances_.data() + plane * task_->stride());
  measure();
  accept();
}

void TurnedLoads::measure() {
  const auto n = static_cast<std::size_t>(task_->n());
  proposed_columns_.clear();
  for (std::size_t j = 0; j < n; ++j)
    proposed_columns_.push_back(proposed_.coordinates(image(turn_, proposed_.columns()[j])));
  for (std::size_t j = n; j < (task_->planes() - 1) * n; ++j)
    proposed_columns_.push_back(image(proposed_columns_, proposed_columns_[j - n]));
  const std::uint8_t* of_image = task_->row(0);
  for (std::size_t plane = 1; plane < task_->planes(); ++plane) {
    write_images(proposed_columns_.data() + (plane - 1) * n, task_->n(), images_.data());
    std::uint8_t* own = distances_.data() + plane * task_->stride();
    for (std::size_t x = 0; x < images_.size(); ++x) own[x] = of_image[images_[x]];
  }
  const std::uint8_t* least = meter_.set(hops_);
  proposed_sum_ = std::accumulate(least, least + task_->vertices(), std::int64_t{0});
  proposed_load_ =
      task_->longest_time() * meter_.busiest(hops_[0], task_->links());  // carried in all other planes, too
}

double TurnedLoads::propose(Random& random) {
  proposed_ = basis_;
  const Move move = proposed_.propose(random, false);
  proposed_.apply(move);
  proposed_.commit(move);
  measure();
  return task_->energy(proposed_sum_, proposed_load_) - task_->energy(sum_, load_);
}

void TurnedLoads::accept() {
  basis_ = proposed_;
  columns_ = proposed_columns_;
  sum_ = proposed_sum_;
  load_ = proposed_load_;
}

LinearLoads::LinearLoads(std::shared_ptr<const Task> task, const Words& words)
    : task_(std::move(task)), planes_(planes_of(task_, words)) {}

std::optional<Words> LinearLoads::words_of(const Task& task, const Places& places) {
  std::optional<Words> words = LinearPlanes::words_of(task, places);
  if (words) words->resize(word_count(task));
  return words;
}

std::size_t LinearLoads::word_count(const Task& task) {
  return LinearPlanes::word_count(task) + 2 * static_cast<std::size_t>(task.n());
}

Words LinearLoads::random(const Task& task, Random& random) {
  if (task.is_mixed()) {  // no map turns one plane into another
    Words words = LinearPlanes::random(task, random);
    words.resize(word_count(task));
    return words;
  }
  Words words(LinearPlanes::word_count(task));
  const Words turn = random_turn(task.n(), task.planes(), random);
  const Basis basis = Basis::random(task.n(), random);
  words.insert(words.end(), turn.begin(), turn.end());
  words.insert(words.end(), basis.columns(), basis.columns() + task.n());
  return words;
}

Score LinearLoads::score() const {
  return std::visit([](const auto& planes) { return planes.score(); }, planes_);
}

Words LinearLoads::words() const {
  if (const auto* linear = std::get_if<FreeLoads>(&planes_)) {
    Words words = linear->words();
    words.resize(word_count(*task_));
    return words;
  }
  const auto& turned = std::get<TurnedLoads>(planes_);
  Words words(LinearPlanes::word_count(*task_));
  for (const Words& part : {turned.turn(), turned.basis()}) words.insert(words.end(), part.begin(), part.end());
  return words;
}

Places LinearLoads::places() const {
  const auto* turned = std::get_if<TurnedLoads>(&planes_);
  return turned != nullptr ? LinearPlanes(task_, turned->columns()).places() : std::get<FreeLoads>(planes_).places();
}

double LinearLoads::propose(Random& random) {
  return std::visit([&random](auto& planes) { return planes.propose(random); }, planes_);
}

void LinearLoads::accept() {
  std::visit([](auto& planes) { planes.accept(); }, planes_);
}

void LinearLoads::release() {
  if (const auto* turned = std::get_if<TurnedLoads>(&planes_)) planes_ = FreeLoads(task_, Words(turned->columns()));
}

}  // namespace isoplane
