#pragma once
// A barrier for all blocks of a grid, which must all run at once (launch_together.cuh).

#include "tandem/device/launch_together.cuh"
#include "tandem/device/vector_access.cuh"

namespace tandem {

/// In memory that is zeroed once. Calls of a context use it one after the other.
struct GridBarrier {
  std::uint64_t times;  // how often all blocks had come
  unsigned come;        // blocks that have come for the next time

  /// Called by all threads of all blocks: what any of them wrote before is there for all of them behind it.
  __device__ void wait() {
    __syncthreads();
    if (threadIdx.x == 0) {
      const std::uint64_t before = load_relaxed(&times);
      __threadfence();
      if (atomicInc(&come, gridDim.x - 1) == gridDim.x - 1) {
        __threadfence();
        store_relaxed(&times, before + 1);
      } else {
        spin_until([&] { return load_relaxed(&times) != before; });
      }
      __threadfence();
    }
    __syncthreads();
  }
};

}  // namespace tandem
