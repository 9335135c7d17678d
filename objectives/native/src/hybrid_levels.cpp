#include <algorithm>
#include <stdexcept>

#include "isoplane/hybrid.hpp"

namespace isoplane {

double HybridModel::synchronised_ns() {
  if (level_start_.empty()) set_levels();
  level_bits_.assign(capacity_.size(), 0);
  double sum = 0;
  for (std::size_t level = 0; level + 1 < level_start_.size(); ++level) {
    level_used_.clear();
    for (std::uint32_t k = level_start_[level]; k < level_start_[level + 1]; ++k) {
      const std::uint32_t message = by_level_[k];
      const std::uint32_t first = stage_start_[first_stage_[message]], last = stage_start_[first_stage_[message + 1]];
      for (std::uint32_t use = transfers_.use_start[first], transfer = first; transfer < last; ++transfer)
        for (; use < transfers_.use_start[transfer + 1]; ++use) {
          const std::uint32_t resource = transfers_.use[use];
          if (level_bits_[resource] == 0) level_used_.push_back(resource);
          level_bits_[resource] += transfers_.bits[transfer];
        }
    }
    double busiest = 0;
    for (const std::uint32_t resource : level_used_) {
      busiest = std::max(busiest, level_bits_[resource] / capacity_[resource]);
      level_bits_[resource] = 0;
    }
    sum += busiest;
  }
  return sum;
}

// Level by level: a message follows once all that it depends on have a level.
void HybridModel::set_levels() {
  const auto count = static_cast<std::uint32_t>(plan_.source.size());
  std::vector<std::uint32_t> missing(count);
  for (std::uint32_t i = 0; i < count; ++i) missing[i] = plan_.wait_start[i + 1] - plan_.wait_start[i];
  by_level_.clear();
  for (std::uint32_t i = 0; i < count; ++i)
    if (missing[i] == 0) by_level_.push_back(i);
  level_start_.assign(1, 0);
  for (std::uint32_t first = 0; first < by_level_.size();) {
    const auto last = static_cast<std::uint32_t>(by_level_.size());
    level_start_.push_back(last);
    for (; first < last; ++first) {
      const std::uint32_t message = by_level_[first];
      for (std::uint32_t k = successor_start_[message]; k < successor_start_[message + 1]; ++k)
        if (--missing[successor_[k]] == 0) by_level_.push_back(successor_[k]);
    }
  }
  if (by_level_.size() < count) throw std::logic_error("messages that wait for each other");
}

}  // namespace isoplane
