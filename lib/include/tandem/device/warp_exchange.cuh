#pragma once
// Warp-wide exchange between striped and blocked arrangement through shared memory. Striped: lane l holds
// elements l, 32 + l, 64 + l, …, so that accesses to global memory coalesce. Blocked: lane l holds the chunk
// of kItems neighbouring elements from l·kItems on.

#include "tandem/device/warp.cuh"

namespace tandem {

/// 32 chunks of kItems elements in the block's dynamic shared memory, from element `base` on; every warp
/// needs memory of its own. Each chunk is padded by one element: an odd distance between the lanes' chunks
/// keeps blocked accesses free of bank conflicts, and striped ones conflict two ways at most.
template <class T, int kItems>
struct WarpExchange {
  static constexpr int kSize = kWarp * (kItems + 1);  // elements
  int base;

  /// Called by a thread: element k of its lane in striped arrangement, which is element k·32 + lane of all.
  __device__ T& striped(int k) const {
    const int element = k * kWarp + int(threadIdx.x) % kWarp;
    auto memory = dynamic_shared<T>();
    return memory[base + element / kItems * (kItems + 1) + element % kItems];
  }
  /// Called by a thread: where its lane's chunk begins in dynamic shared memory, and element i of it.
  __device__ int chunk() const { return base + int(threadIdx.x) % kWarp * (kItems + 1); }
  __device__ T& blocked(int i) const {
    auto memory = dynamic_shared<T>();
    return memory[chunk() + i];
  }

  /// Called by a thread: the chunk of its lane.
  __device__ void load_blocked(T (&to)[kItems]) const {
#pragma unroll
    for (int i = 0; i < kItems; ++i) to[i] = blocked(i);
  }
  /// Called by a warp.
  __device__ void striped_to_blocked(const T (&from)[kItems], T (&to)[kItems]) const {
    __syncwarp();
#pragma unroll
    for (int k = 0; k < kItems; ++k) striped(k) = from[k];
    __syncwarp();
    load_blocked(to);
  }
  /// Called by a warp: stores its chunks, which may then be read by striped(k).
  __device__ void store_blocked(const T (&chunks)[kItems]) const {
    __syncwarp();
#pragma unroll
    for (int i = 0; i < kItems; ++i) blocked(i) = chunks[i];
    __syncwarp();
  }
};

}  // namespace tandem
