// Objectives of the searches in the tests.
#pragma once

#include <vector>

#include "isoplane/score.hpp"

namespace cases {

using isoplane::Component;
using isoplane::Metric;

inline const std::vector<Component> kHops{{Metric::kSumOfDistances, Metric::kMaxLoad}};
inline const std::vector<Component> kHopsAndCables{{Metric::kSumOfDistances, Metric::kMaxLoad}, {Metric::kCableLength}};
inline const std::vector<Component> kDelayAndLoad{{Metric::kDelay}, {Metric::kMaxLoad}};
inline const std::vector<Component> kSumAndLoad{{Metric::kSumOfDistances}, {Metric::kMaxLoad}};
inline const std::vector<Component> kCost{{Metric::kCost}};

struct Case {
  std::vector<Component> components;
  bool layout;
  bool front;
};
inline const Case kCases[] = {{kHops, false, false},
                              {kHopsAndCables, true, false},
                              {kDelayAndLoad, true, false},
                              {kDelayAndLoad, true, true},
                              {kSumAndLoad, false, true},
                              {kCost, true, false},
                              {{{Metric::kDelayPaper}, {Metric::kCost}, {Metric::kMaxLoad}}, true, true}};

}  // namespace cases
