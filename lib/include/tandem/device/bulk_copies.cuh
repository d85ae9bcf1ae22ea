#pragma once
// Bulk copies between global and shared memory, which the copy engine (TMA) makes by itself, and mbarriers,
// on which threads wait for them and for each other. Hopper and later, for files named .sm90.cu: the executor
// has neither. PTX ISA, "mbarrier" and "cp.async.bulk".
//
// The copy engine reaches shared memory by another way than threads (the async proxy): what a thread wrote
// there, the initial state of an mbarrier included, it sees only behind fence_for_copies() of that thread.
// What the engine wrote, threads see once they have waited for the mbarrier that counts its bytes.

#include "tandem/device/launch.cuh"

namespace tandem {

__device__ inline unsigned shared_address(const void* pointer) {
  return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}

/// A barrier in shared memory, `__shared__ Mbarrier barrier;`. A phase ends when as many threads have arrived
/// as init was told, and all bytes that they expect have been copied; then the next phase begins. What a
/// thread did before it arrived is seen by those that have waited.
struct Mbarrier {
  std::uint64_t state;

  /// By one thread, before the others use it (fence_for_copies, then __syncthreads).
  __device__ void init(int arrivals) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(this)), "r"(arrivals)
                 : "memory");
  }
  __device__ void arrive() {
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_address(this)) : "memory");
  }
  /// Arrives; the phase does not end before `bytes` more, fewer than 2^20, have been copied.
  __device__ void arrive_and_expect(unsigned bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(this)),
                 "r"(bytes)
                 : "memory");
  }
  /// Waits until phase 0, 2, 4 … (parity 0) or 1, 3, 5 … (parity 1) has ended: the running phase or the one
  /// before it.
  __device__ void wait(unsigned parity) {
    unsigned ended;
    do {
      asm volatile(
          "{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
          : "=r"(ended)
          : "r"(shared_address(this)), "r"(parity)
          : "memory");
    } while (!ended);
  }
};

/// The mbarriers of a ring of slots that are used again and again: use i is a phase of slot i % kSlots.
template <int kSlots>
struct MbarrierRing {
  Mbarrier slots[kSlots];

  __device__ void init(int arrivals) {
    for (Mbarrier& slot : slots) slot.init(arrivals);
  }
  __device__ Mbarrier& operator[](unsigned use) { return slots[use % kSlots]; }
  /// Waits until the phase of this use has ended. No thread may come so late that the next use of the slot
  /// has ended, too.
  __device__ void wait(unsigned use) { (*this)[use].wait(use / kSlots % 2); }
};

/// Makes what the calling thread wrote to shared memory visible to copies that start behind it.
__device__ inline void fence_for_copies() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }

/// Called by one thread: starts a copy to shared memory, whose bytes `barrier` counts. Both addresses and
/// `bytes` are multiples of 16.
__device__ inline void bulk_load(void* to, const void* from, unsigned bytes, Mbarrier& barrier) {
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
          shared_address(to)),
      "l"(from), "r"(bytes), "r"(shared_address(&barrier))
      : "memory");
}
/// Called by one thread: starts a copy from shared to global memory. Both addresses and `bytes` are multiples
/// of 16.
__device__ inline void bulk_store(void* to, const void* from, unsigned bytes) {
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to),
               "r"(shared_address(from)), "r"(bytes)
               : "memory");
}
/// Makes the thread's bulk stores since the last commit a group, perhaps an empty one.
__device__ inline void commit_bulk_stores() { asm volatile("cp.async.bulk.commit_group;" ::: "memory"); }
/// Waits until all groups of the thread but the last kGroups have been read from shared memory.
template <int kGroups>
__device__ void wait_for_bulk_reads() {
  asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(kGroups) : "memory");
}
/// Waits until all groups of the thread are written.
__device__ inline void wait_for_bulk_stores() { asm volatile("cp.async.bulk.wait_group 0;" ::: "memory"); }

}  // namespace tandem
