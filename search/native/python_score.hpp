// Scores that Python states, or computes.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <tuple>
#include <utility>
#include <vector>

#include "isoplane/measured_places.hpp"
#include "isoplane/score.hpp"

namespace isoplane {

// Terms with the high and the low half of their weights, and numbers of metrics.
using Terms = std::vector<std::tuple<std::int64_t, std::uint64_t, std::vector<int>>>;

inline std::vector<Sum> sums_of(const std::vector<Terms>& all) {
  std::vector<Sum> sums;
  for (const Terms& terms : all) {
    sums.emplace_back();
    for (const auto& [high, low, metrics] : terms) {
      Term& term = sums.back().emplace_back();
      term.weight = static_cast<Int128>(high) * (static_cast<Int128>(1) << 64) + low;
      for (const int metric : metrics) {
        if (metric < 0 || metric >= kMetricCount) throw nanobind::value_error("unknown metric");
        term.factors.push_back(static_cast<Metric>(metric));
      }
    }
  }
  return sums;
}

// A score from the integers of its parts.
inline Score score_of(const nanobind::object& parts) {
  Score score;
  std::size_t part = 0;
  for (const nanobind::handle value : parts) {
    if (part == score.part.size()) throw nanobind::value_error("too many parts of a score");
    const auto high = nanobind::cast<std::int64_t>(value >> nanobind::int_(64));
    const auto low = nanobind::cast<std::uint64_t>(value & nanobind::int_(~std::uint64_t{0}));
    score.part[part++] = static_cast<Int128>(high) * (static_cast<Int128>(1) << 64) + low;
  }
  return score;
}

// A function of Python that measures designs. It may be called by any thread, and is let go of by any.
inline std::function<Measure(const std::vector<std::uint32_t>&)> measuring(nanobind::object function) {
  const std::shared_ptr<nanobind::object> shared(new nanobind::object(std::move(function)), [](nanobind::object* kept) {
    const nanobind::gil_scoped_acquire acquire;
    delete kept;
  });
  return [shared](const std::vector<std::uint32_t>& design) {
    const nanobind::gil_scoped_acquire acquire;
    const nanobind::object returned = (*shared)(design);
    return Measure{nanobind::cast<double>(returned[0]), score_of(returned[1])};
  };
}

// A function of Python, which is called once for each combination of metrics; any thread may call and copy it.
class PythonScore {
 public:
  explicit PythonScore(nanobind::object function) : function_(std::move(function)) {}
  PythonScore(const PythonScore&) = delete;
  PythonScore& operator=(const PythonScore&) = delete;
  ~PythonScore() {
    const nanobind::gil_scoped_acquire acquire;
    function_.reset();
  }

  Score operator()(const ExactMetrics& metrics) {
    {
      const std::lock_guard lock(mutex_);
      if (const auto known = known_.find(metrics); known != known_.end()) return known->second;
    }
    const Score score = called(metrics);
    const std::lock_guard lock(mutex_);
    if (known_.size() >= kMost) known_.clear();
    known_.emplace(metrics, score);
    return score;
  }

 private:
  static constexpr std::size_t kMost = 1 << 20;

  Score called(const ExactMetrics& metrics) const {
    const nanobind::gil_scoped_acquire acquire;
    return score_of(function_(std::vector<std::int64_t>(metrics.begin(), metrics.end())));
  }

  nanobind::object function_;
  std::mutex mutex_;
  std::map<ExactMetrics, Score> known_;
};

}  // namespace isoplane
