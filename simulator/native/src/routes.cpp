#include "isoplane/sim/routes.hpp"

namespace isoplane::sim {

Routes::Routes(const RoutePlan& plan, std::uint32_t ports) : plan_(&plan), columns_(plan.columns()), ports_(ports) {
  if (plan.group != Group::kTorus) return;
  coordinates_.reserve(plan.row.size() * plan.shape.size());
  for (std::uint32_t id = 0; id < plan.row.size(); ++id) {
    std::uint32_t rest = id;
    for (const std::uint32_t size : plan.shape) {
      coordinates_.push_back(static_cast<std::uint16_t>(rest % size));
      rest /= size;
    }
  }
}

std::size_t Routes::torus_offset(std::uint32_t from, std::uint32_t to) const {
  const std::size_t dimensions = plan_->shape.size();
  const std::uint16_t* a = &coordinates_[from * dimensions];
  const std::uint16_t* b = &coordinates_[to * dimensions];
  std::size_t offset = 0, stride = 1;
  for (std::size_t i = 0; i < dimensions; ++i) {
    const std::uint32_t size = plan_->shape[i];
    const std::uint32_t step = b[i] >= a[i] ? std::uint32_t{b[i]} - a[i] : b[i] + size - a[i];
    offset += step * stride;
    stride *= size;
  }
  return offset;
}

}  // namespace isoplane::sim
