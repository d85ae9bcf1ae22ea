#pragma once
// For kernels that are launched early (launch.cuh) and have work that needs nothing of the grid before them.

#include "tandem/device/launch.cuh"

namespace tandem {

/// Waits for the grid before this one and its writes. Instead of start_early(), in a kernel that launch_early starts behind
/// another of the same implementation, which begins with start_early() and was itself started by launch(). Until this call a
/// thread may read only what was in memory before that other grid began, and write to none of it. Does not let the next grid come.
__device__ inline void wait_for_grid_before() {
#if !defined(TANDEM_SIMT) && (!defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900)
  cudaGridDependencySynchronize();
#endif
}

}  // namespace tandem
