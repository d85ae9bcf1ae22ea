#pragma once
// Memory accesses that plain C++ has no words for: 16-byte packs, and words that other blocks write while
// this one reads them.

#include <algorithm>

#include "tandem/device/launch.cuh"

namespace tandem {

/// Elements moved by one load or store: 16 bytes of T, unless fewer are asked for.
template <class T, int kCount = 16 / sizeof(T)>
struct alignas(kCount == 1 ? alignof(T) : kCount * sizeof(T)) Pack {
  static constexpr int kSize = kCount;
  T values[kSize];
};

/// 16 bytes of T in registers. Elements of 1 and 2 bytes stay in words: compilers would spread a Pack of them over a
/// register for each, and load it in pieces.
template <class T>
struct alignas(16) PackInRegisters {
  static constexpr int kSize = 16 / sizeof(T), kPerWord = sizeof(T) < 4 ? 4 / sizeof(T) : 1;
  static constexpr bool kInWords = kPerWord > 1;
  using Value = std::conditional_t<kInWords, std::uint32_t, T>;
  Value values[kSize / kPerWord];

  __device__ T get(int k) const {
    if constexpr (kInWords) {
      const std::uint32_t bits = values[k / kPerWord] >> shift(k);
      T x;
      memcpy(&x, &bits, sizeof x);
      return x;
    } else {
      return values[k];
    }
  }
  __device__ void set(int k, T x) {
    if constexpr (kInWords) {
      std::uint32_t bits = 0;
      memcpy(&bits, &x, sizeof x);
      std::uint32_t& word = values[k / kPerWord];
      word = (word & ~(kOne << shift(k))) | bits << shift(k);
    } else {
      values[k] = x;
    }
  }
  /// Between two uses of words: what was made of them is not kept in registers until the second, but made again.
  __device__ void forget() {
#ifdef __CUDA_ARCH__
#pragma unroll
    for (Value& word : values) asm volatile("" : "+r"(word));
#endif
  }

 private:
  static constexpr std::uint32_t kOne = 0xffffffffu >> (kInWords ? 32 - 8 * static_cast<int>(sizeof(T)) : 0);
  __device__ static constexpr int shift(int k) { return k % kPerWord * 8 * static_cast<int>(sizeof(T)); }
};

namespace detail {
/// Elements of a pack: 16 bytes of the widest type. One where a size is no power of two or exceeds 16.
template <class... T>
constexpr int kPackOf = ((sizeof(T) <= 16 && (sizeof(T) & (sizeof(T) - 1)) == 0) && ...)
                            ? 16 / std::max({sizeof(T)...})
                            : 1;

template <int kCount, class T>
bool is_pack_aligned(const T* data) {
  return reinterpret_cast<std::uintptr_t>(data) % alignof(Pack<T, kCount>) == 0;
}
}  // namespace detail

/// Elements before the first 16-byte boundary at or after `data`, at most n.
template <class T>
TANDEM_HD std::int64_t unaligned_head(const T* data, std::int64_t n) {
  const auto past = reinterpret_cast<std::uintptr_t>(data) % 16;
  const auto head = static_cast<std::int64_t>(past ? (16 - past) / sizeof(T) : 0);
  return head < n ? head : n;
}

/// Called by a thread: the elements from `data` on, in one load where they are aligned to a pack.
template <class Pack, bool kAligned, class T>
__device__ Pack load_pack(const T* data) {
  Pack pack;
  if constexpr (kAligned) {
    pack = *reinterpret_cast<const Pack*>(data);
  } else {
#pragma unroll
    for (int k = 0; k < Pack::kSize; ++k) pack.values[k] = data[k];
  }
  return pack;
}

/// True when 16-byte packs from the start of each line on are aligned.
template <class T>
bool lines_aligned(const T* data, std::int64_t ld) {
  return unaligned_head(data, 16) == 0 && ld % Pack<T>::kSize == 0;
}

/// Called by a thread: elements first, first + 1, … of a line of n; zeros beyond its end. One load where it
/// is `aligned` and whole.
template <class T>
__device__ Pack<T> load_pack(const T* line, std::int64_t first, std::int64_t n, bool aligned) {
  if (aligned && first + Pack<T>::kSize <= n) return *reinterpret_cast<const Pack<T>*>(line + first);
  Pack<T> pack;
#pragma unroll
  for (int e = 0; e < Pack<T>::kSize; ++e) pack.values[e] = first + e < n ? line[first + e] : T(0);
  return pack;
}
template <class T>
__device__ void store_pack(T* line, std::int64_t first, std::int64_t n, bool aligned, const Pack<T>& pack) {
  if (aligned && first + Pack<T>::kSize <= n) {
    *reinterpret_cast<Pack<T>*>(line + first) = pack;
    return;
  }
#pragma unroll
  for (int e = 0; e < Pack<T>::kSize; ++e) {
    if (first + e < n) line[first + e] = pack.values[e];
  }
}

#ifdef TANDEM_SIMT

template <class T>
T load_once(const T* address) {
  return *address;
}

inline std::uint64_t load_relaxed(const std::uint64_t* address, simt::Site site = simt::Site::current()) {
  simt::note_atomic(address, sizeof *address, simt::Kind::load, site);
  return simt::atomic_load(address, sizeof *address);
}
inline void store_relaxed(std::uint64_t* address, std::uint64_t value,
                          simt::Site site = simt::Site::current()) {
  simt::note_atomic(address, sizeof *address, simt::Kind::store, site);
  simt::atomic_store(address, sizeof *address, value);
}

template <class Condition>
void spin_until(Condition condition, simt::Site site = simt::Site::current()) {
  while (!condition()) simt::spin(site);
}
template <class Condition>
void spin_slowly_until(Condition condition, simt::Site site = simt::Site::current()) {
  spin_until(condition, site);
}

#else

/// What a grid reads once, and nobody writes meanwhile: it passes by the cache of the multiprocessor, which is left to what is
/// read again.
template <class T>
__device__ T load_once(const T* address) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8);
  T value;
  if constexpr (sizeof(T) == 4) {
    std::uint32_t bits;
    asm volatile("ld.global.L1::no_allocate.u32 %0, [%1];" : "=r"(bits) : "l"(address));
    memcpy(&value, &bits, sizeof value);
  } else {
    std::uint64_t bits;
    asm volatile("ld.global.L1::no_allocate.u64 %0, [%1];" : "=l"(bits) : "l"(address));
    memcpy(&value, &bits, sizeof value);
  }
  return value;
}

/// A word that another block may be writing: single-copy atomic, no order with other accesses.
__device__ inline std::uint64_t load_relaxed(const std::uint64_t* address) {
  std::uint64_t value;
  asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(value) : "l"(address) : "memory");
  return value;
}
__device__ inline void store_relaxed(std::uint64_t* address, std::uint64_t value) {
  asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(address), "l"(value) : "memory");
}

/// Waits for other blocks: the one way a kernel may, because the executor then lets the others run. Plain
/// data that they wrote before needs a __threadfence() behind the wait.
template <class Condition>
__device__ void spin_until(Condition condition) {
  while (!condition()) {
  }
}
/// The same where many wait for few: between two looks it leaves the multiprocessor to the others for some 20 ns.
template <class Condition>
__device__ void spin_slowly_until(Condition condition) {
  while (!condition()) __nanosleep(20);
}

#endif

}  // namespace tandem
