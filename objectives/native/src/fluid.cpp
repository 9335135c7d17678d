#include "fluid_levels.inl"

namespace isoplane {

template class FluidOf<false>;

}  // namespace isoplane
