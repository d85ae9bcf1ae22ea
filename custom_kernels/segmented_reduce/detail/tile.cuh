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
    for (int p = threadIdx.x; p * kPack < before_ + n; p += kThreads) {
      const int first = p * kPack - before_;
      if (first >= 0 && first + kPack <= n) {
        copies_.copy(memory_[p], reinterpret_cast<const Pack<T>*>(data + first));
      } else {
#pragma unroll
        for (int k = 0; k < kPack; ++k) {
          if (first + k >= 0 && first + k < n) memory_[p].values[k] = data[first + k];
        }
      }
    }
  }
  __device__ void wait() { copies_.wait(); }

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
};

}  // namespace tandem
