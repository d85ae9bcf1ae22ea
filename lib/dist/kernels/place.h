#pragma once
// Where the kernels of a file run.

#include "tandem/context.h"

namespace tandem {

#ifdef TANDEM_SIMT
inline constexpr Place kKernelPlace = Place::simt;
#else
inline constexpr Place kKernelPlace = Place::device;
#endif

}  // namespace tandem
