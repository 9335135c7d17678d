#include "fluid.inl"

namespace isoplane {

template class FluidOf<true>;

}  // namespace isoplane
