#pragma once
// For kernels that are launched early (launch.cuh) and have work that needs nothing of the grid before them.

#include "tandem/device/launch.cuh"

namespace tandem {

/// Waits for the grid before this one and its writes. Instead of start_early(), in the kernel that launch_early starts behind
/// another of the same implementation: before it, a thread may read what was in memory before that other grid began. That one
/// calls start_early(), so that this one comes, and was started by launch(), so that what was before it has ended.
__device__ inline void wait_for_grid_before() {
#if !defined(TANDEM_SIMT) && (!defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900)
  cudaGridDependencySynchronize();
#endif
}

}  // namespace tandem
