#pragma once
// Elements that a block brings to shared memory, in packs, wherever the first of them lies.

#include "tandem/device/async_copies.cuh"
#include "tandem/device/vector_access.cuh"

namespace tandem {

/// Up to kMost elements, for a block of kThreads. Other threads see them behind a barrier after wait().
template <class T, int kMost, int kThreads>
class Tile {
 public:
  static constexpr int kPack = Pack<T>::kSize, kPacks = kMost / kPack + 1;
  using Memory = Shared<Pack<T>, kPacks>;

  /// Starts to copy n elements from `data` on. Packs lie in shared memory as they do in the array.
  __device__ Tile(Memory& memory, const T* data, int n)
      : memory_(memory), before_(int(reinterpret_cast<std::uintptr_t>(data) % 16 / sizeof(T))) {
    const int t = threadIdx.x, whole = (before_ + n) / kPack,
              head = before_ > 0 ? min(n, kPack - before_) : 0, tail = max(whole * kPack - before_, head);
#pragma unroll 4
    for (int p = t + (before_ > 0 ? 1 : 0); p < whole; p += kThreads)
      copies_.copy(memory_[p], reinterpret_cast<const Pack<T>*>(data + (p * kPack - before_)));
    // What the first pack and the last one have, where these are not whole.
    if (t < head) edges_.copy((*this)[t], data + t);
    if (tail + t < n) edges_.copy((*this)[tail + t], data + (tail + t));
  }
  __device__ void wait() { copies_.wait(), edges_.wait(); }

  /// Element i of those copied; what lies behind them is free, up to element kMost − 1.
  __device__ T& operator[](int i) const {
#ifdef __CUDA_ARCH__
    return reinterpret_cast<T*>(memory_.values)[before_ + i];  // which compilers do not see in what follows
#else
    const unsigned at = unsigned(before_ + i);
    return memory_[at / kPack].values[at % kPack];
#endif
  }
  /// Elements u·kCount, …, u·kCount + kCount − 1, where kCount is 1, or the first element begins a pack and kCount is kPack.
  template <int kCount>
  __device__ Pack<T, kCount> unit(int u) const {
    if constexpr (kCount == kPack)
      return memory_[u];
    else
      return {{(*this)[u]}};
  }

 private:
  Memory& memory_;
  int before_;  // the first element in its pack
  AsyncCopies<Pack<T>, (kPacks + kThreads - 1) / kThreads> copies_;
  AsyncCopies<T, 2> edges_;
};

}  // namespace tandem
