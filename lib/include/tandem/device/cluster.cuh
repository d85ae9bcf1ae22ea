#pragma once
// A cluster: up to eight blocks that run at the same time on neighbouring multiprocessors and reach each
// other's shared memory (Hopper and later).

#include "tandem/device/launch.cuh"

namespace tandem {

/// Starts one cluster of `blocks`, 1 to 8, early (launch_early).
template <class... P, class... A>
void launch_cluster(Context& ctx, int blocks, int threads, void (*kernel)(P...), A... args) {
  detail::launch<P...>(ctx, blocks, threads, 0, {.early = true, .cluster = static_cast<unsigned>(blocks)},
                       kernel, args...);
}

/// A barrier of all threads of the cluster in two halves: what threads wrote before they arrived is there for
/// those that have waited. Another block's shared memory may be touched once a first barrier says that the
/// block has started, and must be before a last one lets it end.
__device__ inline void cluster_arrive() { asm volatile("barrier.cluster.arrive.release;" ::: "memory"); }
__device__ inline void cluster_wait() { asm volatile("barrier.cluster.wait.acquire;" ::: "memory"); }

/// Where block `rank` of the cluster has what this block has at `mine`, in shared memory.
template <class T>
__device__ T* in_block(T* mine, unsigned rank) {
  T* there;
  asm volatile("mapa.u64 %0, %1, %2;" : "=l"(there) : "l"(mine), "r"(rank));
  return there;
}

}  // namespace tandem
