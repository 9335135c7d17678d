#include "fluid.inl"

namespace isoplane {

template class FluidOf<false>;

}  // namespace isoplane
