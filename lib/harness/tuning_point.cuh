#pragma once
// tuning_point.h for files that launch kernels: their points say what a kernel takes from a multiprocessor.

#include "lib/harness/tuning_point.h"
#include "tandem/device/launch.cuh"

namespace tandem {

/// Resources of a kernel that is launched with so many threads and no dynamic shared memory.
template <auto kernel, int kThreads>
Resources resources_of([[maybe_unused]] Context& ctx) {
#ifdef TANDEM_SIMT
  return {};
#else
  cudaFuncAttributes attributes;
  check_cuda(cudaFuncGetAttributes(&attributes, kernel), ctx, "cudaFuncGetAttributes");
  constexpr int kWarp = 32;
  return {attributes.numRegs, attributes.localSizeBytes,
          blocks_per_multiprocessor(ctx, kThreads, 0, kernel) * kThreads / kWarp};
#endif
}

/// As above, of a launcher that starts `kernel` with so many threads.
template <class Contract, class C, auto launcher, auto kernel, int kThreads>
bool add_point(TuningPoint point) {
  if (TANDEM_PLACE == Place::device) point.resources = resources_of<kernel, kThreads>;
  return add_point<Contract, C, launcher>(std::move(point));
}

}  // namespace tandem
