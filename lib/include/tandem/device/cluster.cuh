#pragma once
// A cluster: up to eight blocks that run at the same time on neighbouring multiprocessors and reach each
// other's shared memory (Hopper and later).

#include "tandem/device/bulk_copies.cuh"

namespace tandem {

/// Starts `clusters` of `size` blocks, 1 to 8, early (launch_early).
template <class... P, class... A>
void launch_clusters(Context& ctx, std::int64_t clusters, int size, int threads, std::size_t shared_bytes,
                     void (*kernel)(P...), A... args) {
  detail::launch<P...>(ctx, clusters * size, threads, shared_bytes,
                       {.early = true, .cluster = static_cast<unsigned>(size)}, kernel, args...);
}

/// Starts one cluster of `blocks`, 1 to 8, early.
template <class... P, class... A>
void launch_cluster(Context& ctx, int blocks, int threads, void (*kernel)(P...), A... args) {
  launch_clusters(ctx, 1, blocks, threads, 0, kernel, args...);
}

#ifdef TANDEM_SIMT

inline unsigned rank_in_cluster() { return simt::rank_in_cluster(); }
inline void cluster_arrive(simt::Site site = simt::Site::current()) { simt::cluster_arrive(site); }
inline void cluster_wait(simt::Site site = simt::Site::current()) { simt::cluster_wait(site); }
inline void arrive_in_block(unsigned rank, Mbarrier& barrier, simt::Site site = simt::Site::current()) {
  simt::mbarrier_arrive(static_cast<std::uint64_t*>(simt::in_block(rank, &barrier.state, site)), 0, site);
}
template <class T>
T& in_block(unsigned rank, T& own, simt::Site site = simt::Site::current()) {
  return *static_cast<T*>(simt::in_block(rank, &own, site));
}
template <class T>
void store_in_block(unsigned rank, T& to, T value, Mbarrier& barrier,
                    simt::Site site = simt::Site::current()) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8);
  simt::store_in_block(rank, &to, &value, sizeof value, &barrier.state, site);
}

#else

/// Which block of its cluster this one is.
__device__ inline unsigned rank_in_cluster() {
  unsigned rank;
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  return rank;
}

/// A barrier of all threads of the cluster in two halves: what threads wrote before they arrived is there for
/// those that have waited. Another block's shared memory may be touched once a barrier says that the block has
/// started, and before it ends.
__device__ inline void cluster_arrive() { asm volatile("barrier.cluster.arrive.release;" ::: "memory"); }
__device__ inline void cluster_wait() { asm volatile("barrier.cluster.wait.acquire;" ::: "memory"); }

/// What block `rank` has in its shared memory where this one has `own`.
template <class T>
__device__ T& in_block(unsigned rank, T& own) {
  T* there;
  asm("mapa.u64 %0, %1, %2;" : "=l"(there) : "l"(&own), "r"(rank));
  return *there;
}

/// Called by one thread: arrives at the barrier that block `rank` has where this one has `barrier`.
__device__ inline void arrive_in_block(unsigned rank, Mbarrier& barrier) {
  asm volatile(
      "{ .reg .b32 there; mapa.shared::cluster.u32 there, %0, %1; mbarrier.arrive.shared::cluster.b64 _, "
      "[there]; }" ::"r"(shared_address(&barrier)),
      "r"(rank)
      : "memory");
}

/// Called by one thread: writes `value`, of 4 or 8 bytes, to the shared memory of block `rank`, where that block
/// has what this one has at `to`. That block's `barrier` counts the bytes.
template <class T>
__device__ void store_in_block(unsigned rank, T& to, T value, Mbarrier& barrier) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8);
  unsigned address, counter;
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(address) : "r"(shared_address(&to)), "r"(rank));
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;"
               : "=r"(counter)
               : "r"(shared_address(&barrier)), "r"(rank));
  if constexpr (sizeof(T) == 4) {
    std::uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.b32 [%0], %1, [%2];" ::"r"(address),
                 "r"(bits), "r"(counter)
                 : "memory");
  } else {
    std::uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.b64 [%0], %1, [%2];" ::"r"(address),
                 "l"(bits), "r"(counter)
                 : "memory");
  }
}

#endif

}  // namespace tandem
