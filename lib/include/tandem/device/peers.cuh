#pragma once
// Memory of several ranks, each on a GPU of its own, into which all of them store: no message, no host. A call is a launch on
// every rank, of equally many blocks, which all run at once (launch_together.cuh); block b of a rank waits for block b of the others.
// What a rank needs of the others' calls is double: a call fills one half of the room while a slower rank may still read the
// other. Two halves suffice, because nobody ends a call before all have begun it.

#include "tandem/device/launch_together.cuh"
#include "tandem/device/peers.h"
#include "tandem/device/vector_access.cuh"

namespace tandem {

#ifdef TANDEM_SIMT

inline std::uint64_t load_system(const std::uint64_t* address, simt::Site site = simt::Site::current()) {
  simt::note_atomic(address, sizeof *address, simt::Kind::load, site, simt::Scope::system);
  return simt::atomic_load(address, sizeof *address);
}
inline void store_system(std::uint64_t* address, std::uint64_t value,
                         simt::Site site = simt::Site::current()) {
  simt::note_atomic(address, sizeof *address, simt::Kind::store, site, simt::Scope::system);
  simt::atomic_store(address, sizeof *address, value);
}

/// On the executor no time passes: who waits in vain is found at once.
template <class Condition, class Stop>
bool spin_at_most(std::int64_t, Stop, Condition condition, simt::Site site = simt::Site::current()) {
  spin_until(condition, site);
  return true;
}

#else

/// As load_relaxed and store_relaxed, for a word that another GPU may be writing or reading.
__device__ inline std::uint64_t load_system(const std::uint64_t* address) {
  std::uint64_t value;
  asm volatile("ld.relaxed.sys.global.u64 %0, [%1];" : "=l"(value) : "l"(address) : "memory");
  return value;
}
__device__ inline void store_system(std::uint64_t* address, std::uint64_t value) {
  asm volatile("st.relaxed.sys.global.u64 [%0], %1;" ::"l"(address), "l"(value) : "memory");
}

/// spin_until, but no longer than so many nanoseconds, nor once stop() holds; then false.
template <class Condition, class Stop>
__device__ bool spin_at_most(std::int64_t nanoseconds, Stop stop, Condition condition) {
  constexpr int kSpins = 1024;  // between two looks at the clock
  const auto now = [] {
    std::int64_t time;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time));
    return time;
  };
  std::int64_t begin = 0;
  for (int spins = 1; !condition(); ++spins) {
    if (spins % kSpins != 0) continue;
    if (begin == 0) begin = now();
    if (stop() || now() - begin > nanoseconds) return false;
  }
  return true;
}

#endif

/// Called by all threads of all blocks, once: the number of this call, from 1 on. It counts in the rank's memory, so a launch that a
/// graph replays gets a new one.
__device__ inline std::uint64_t begin_call(const Peers& peers) {
  PeerHead* own = peers.head(peers.rank);
  const std::uint64_t call = own->calls + 1;
  __syncthreads();
  if (threadIdx.x == 0 && atomicInc(&own->come, gridDim.x - 1) == gridDim.x - 1) own->calls = call;
  return call;
}

/// The room of rank r for this call, from element `first` on.
template <class T>
__device__ T* room(const Peers& peers, int r, std::uint64_t call, std::int64_t first = 0) {
  const auto half = static_cast<std::int64_t>(call % 2) * peers.half;
  return reinterpret_cast<T*>(peers.memory[r] + kPeerHeadBytes + half) + first;
}
/// The k-th rank from this one on, so that not all ranks store into the same one at once.
__device__ inline int from_here(const Peers& peers, int k) {
  const int r = peers.rank + k;
  return r < peers.ranks ? r : r - peers.ranks;
}

/// Waits for rank r; where that takes too long, `lost` says so, and nobody waits any longer.
template <class Condition>
__device__ void wait_for(const Peers& peers, int r, Condition condition) {
  std::uint64_t* lost = &peers.head(peers.rank)->lost;
  if (!spin_at_most(
          peers.patience, [&] { return load_system(lost) != 0; }, condition))
    store_system(lost, static_cast<std::uint64_t>(r) + 1);
}

/// Called by all threads of a block: what they stored before is there for block b of every rank behind its wait_for_all().
__device__ inline void tell_all(const Peers& peers, int phase, std::uint64_t call) {
  __syncthreads();
  if (const int r = static_cast<int>(threadIdx.x); r < peers.ranks) {
    __threadfence_system();
    store_system(&peers.head(r)->told[phase][blockIdx.x][peers.rank], call);
  }
}
/// A rank that is faster may have told of its next call already.
__device__ inline void wait_for_all(const Peers& peers, int phase, std::uint64_t call) {
  if (const int r = static_cast<int>(threadIdx.x); r < peers.ranks) {
    const std::uint64_t* told = &peers.head(peers.rank)->told[phase][blockIdx.x][r];
    wait_for(peers, r, [&] { return load_system(told) >= call; });
    __threadfence_system();
  }
  __syncthreads();
}

}  // namespace tandem
