#pragma once
// Copies from global to shared memory that no register holds on their way: for numbers whose place is in shared memory
// anyway, and of which more are to be in flight than there are registers.

#include "tandem/device/launch.cuh"
#ifndef TANDEM_SIMT
#include <cuda_pipeline_primitives.h>
#endif

namespace tandem {

#ifdef TANDEM_SIMT

/// They arrive when they are waited for, so that a kernel which does not wait reads poison.
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

/// One thread's copies, at most kMost of them between two waits. After wait() this thread sees its own; others see them
/// after a barrier behind it.
template <class T, int kMost>
struct AsyncCopies {
  __device__ void copy(T& to, const T* from) { __pipeline_memcpy_async(&to, from, sizeof(T)); }
  __device__ void wait() {
    __pipeline_commit();
    __pipeline_wait_prior(0);
  }
};

#endif

/// to = there ? *from : otherwise. Where `to` is in shared memory, what is there arrives with the copies.
template <bool kInRegisters, class Copies, class T>
__device__ void bring(Copies& copies, T& to, bool there, const T* from, T otherwise) {
  if (kInRegisters || !there)
    to = there ? *from : otherwise;
  else
    copies.copy(to, from);
}

}  // namespace tandem
