#pragma once
// Asynchronous copies from global to shared memory, which pass through no register: for data that is used
// from shared memory, and of which more must be in flight than registers could hold.

#include "tandem/device/launch.cuh"
#ifndef TANDEM_SIMT
#include <cuda_pipeline_primitives.h>
#endif

namespace tandem {

#ifdef TANDEM_SIMT

/// Copies arrive in wait(), so that a kernel which does not wait reads poison.
template <class T, int kMost>
class AsyncCopies {
 public:
  void copy(T& to, const T* from) { pending_[count_++] = {&to, *from}; }
  void wait() {
    for (int i = 0; i < count_; ++i) *pending_[i].to = pending_[i].value;
    count_ = 0;
  }

 private:
  struct {
    T* to;
    T value;
  } pending_[kMost];
  int count_ = 0;
};

#else

/// A thread's copies, at most kMost of them between two waits. Behind wait() the thread sees its own copies;
/// other threads see them behind a barrier that follows. Values of less than 4 bytes, of which hardware has no such copies,
/// pass through a register.
template <class T, int kMost>
struct AsyncCopies {
  __device__ void copy(T& to, const T* from) {
    if constexpr (sizeof(T) < 4)
      to = *from;
    else
      __pipeline_memcpy_async(&to, from, sizeof(T));
  }
  __device__ void wait() {
    __pipeline_commit();
    __pipeline_wait_prior(0);
  }
};

#endif

/// Called by a thread: copies *from to `to`, in shared memory, if it is `there`, else stores `otherwise`.
template <class Copies, class T>
__device__ void copy_or_fill(Copies& copies, T& to, bool there, const T* from, T otherwise) {
  if (there)
    copies.copy(to, from);
  else
    to = otherwise;
}

}  // namespace tandem
