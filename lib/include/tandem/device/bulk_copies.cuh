#pragma once
// Bulk copies between global and shared memory, which the copy engine (TMA) makes by itself, and mbarriers,
// on which threads wait for them and for each other. Hopper and later, for files named .sm90.cu. PTX ISA,
// "mbarrier" and "cp.async.bulk".
//
// The copy engine reaches shared memory by another way than threads (the async proxy): what a thread wrote
// there, the initial state of an mbarrier included, it sees only behind fence_for_copies() of that thread. What a thread
// reads there may still be on its way when it arrives at a barrier: a copy that another thread then starts could overwrite
// it, unless the reader's fence_for_copies() lies between, or the reader has used what it read.
// What the engine wrote, threads see once they have waited for the mbarrier that counts its bytes.

#include "tandem/device/warp.cuh"
#ifdef TANDEM_SIMT
#include "lib/simt/mbarriers.h"
#endif

namespace tandem {

#ifdef TANDEM_SIMT

// Copies are made at once, by the thread that starts them: whoever does not wait for one is found as a race.

struct Mbarrier {
  std::uint64_t state;

  void init(int arrivals, simt::Site site = simt::Site::current()) {
    simt::mbarrier_init(&state, static_cast<unsigned>(arrivals), site);
  }
  void arrive(simt::Site site = simt::Site::current()) { simt::mbarrier_arrive(&state, 0, site); }
  void arrive_and_expect(unsigned bytes, simt::Site site = simt::Site::current()) {
    simt::mbarrier_arrive(&state, bytes, site);
  }
  void wait(unsigned parity, simt::Site site = simt::Site::current()) {
    simt::mbarrier_wait(&state, parity, site);
  }
};

inline void fence_for_copies() {}
inline void bulk_store(void* to, const void* from, unsigned bytes, simt::Site site = simt::Site::current()) {
  simt::bulk_copy(to, from, bytes, site);
}
inline void bulk_load(void* to, const void* from, unsigned bytes, Mbarrier& barrier,
                      simt::Site site = simt::Site::current()) {
  simt::bulk_copy(to, from, bytes, site);
  simt::mbarrier_complete(&barrier.state, bytes, site);
}
template <class T>
void leave_unspecified(const T* first, int count, simt::Site site = simt::Site::current()) {
  simt::note_unspecified(first, static_cast<std::size_t>(count) * sizeof(T), site);
}
inline void commit_bulk_stores() {}
template <int kGroups>
void wait_for_bulk_reads() {}
inline void wait_for_bulk_stores() {}
template <class Copies>
void arrive_behind(Copies& copies, Mbarrier& barrier, simt::Site site = simt::Site::current()) {
  copies.wait();
  barrier.arrive(site);
}

#else

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

/// Makes what the calling thread wrote to shared memory visible to copies that start behind it, and waits for what it
/// reads there.
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
/// Says that shared memory is not filled, though threads may read it: nothing depends on what it holds. The executor
/// would report it.
template <class T>
__device__ void leave_unspecified(const T*, int) {}
/// Makes the thread's bulk stores since the last commit a group, perhaps an empty one.
__device__ inline void commit_bulk_stores() { asm volatile("cp.async.bulk.commit_group;" ::: "memory"); }
/// Waits until all groups of the thread but the last kGroups have been read from shared memory.
template <int kGroups>
__device__ void wait_for_bulk_reads() {
  asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(kGroups) : "memory");
}
/// Waits until all groups of the thread are written.
__device__ inline void wait_for_bulk_stores() { asm volatile("cp.async.bulk.wait_group 0;" ::: "memory"); }

/// Called by one thread: it arrives at `barrier` as soon as its own copies (async_copies.cuh) are in shared
/// memory, and need not wait for them.
template <class Copies>
__device__ void arrive_behind(Copies&, Mbarrier& barrier) {
  asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(shared_address(&barrier))
               : "memory");
}

#endif

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

/// An array's elements 0 … count − 1 from `first` on, and where they lie in a row of shared memory that is
/// aligned to a line of 128 bytes: `shift` elements behind its start, so that lines are lines in both (bulk
/// copies demand it of packs of 16 bytes, but are slower where it holds for no more). Elements [from, to) are
/// whole packs, for bulk copies; threads move the others.
template <class T>
struct BulkPiece {
  static constexpr int kLine = 128 / sizeof(T), kPack = 16 / sizeof(T);
  int shift, from, to, count;

  __device__ BulkPiece(const T* first, int count) : count(count) {
    shift = static_cast<int>(reinterpret_cast<std::uintptr_t>(first) / sizeof(T) % kLine);
    from = min((kLine - shift) % kPack, count);
    to = from + (count - from) / kPack * kPack;
  }
  __device__ unsigned bytes() const { return static_cast<unsigned>((to - from) * sizeof(T)); }
  /// The element that thread t of 2 · kPack moves: one before the whole packs, one behind them, or −1, none.
  __device__ int end_of_thread(int t) const {
    const int i = t < kPack ? t : to + t - kPack;
    return i < (t < kPack ? from : count) && t < 2 * kPack ? i : -1;
  }
};

/// Called by a warp whose lane 0 has told `loaded` to expect piece.bytes(): starts the copy of a piece of `from` to `to`; its
/// ends the lanes copy at once, which arrive at `loaded` afterwards.
template <class T>
__device__ void load_piece(T* to, const T* from, const BulkPiece<T>& piece, Mbarrier& loaded) {
  const int lane = threadIdx.x % kWarp, end = piece.end_of_thread(lane);
  __syncwarp();  // the bytes are expected
  if (lane == 0 && piece.bytes() > 0) bulk_load(to + piece.from, from + piece.from, piece.bytes(), loaded);
  if (end >= 0) to[end] = from[end];
}

}  // namespace tandem
