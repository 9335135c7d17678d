#include "fluid_levels.inl"

namespace isoplane {

template class FluidOf<true>;

}  // namespace isoplane
