#pragma once
// Tiles of A and B on their way from global to shared memory, for the gemm steps that move 16 bytes at a
// time.

#include "tandem/device/vector_access.cuh"
#include "tandem/matrix.h"

namespace tandem {

/// Moves tiles of kLines × kDepth elements: rows of A, or columns of B, times steps of k. In shared memory
/// the lines of one k lie side by side, whatever the layout in global memory. Lines go through registers, so
/// that loading and storing can be apart. kAlongK says that neighbours along k are neighbours in global
/// memory.
template <class T, int kLines, int kDepth, int kThreads, bool kAlongK>
struct TileLoader {
  static constexpr int kSize = Pack<T>::kSize;
  // Packs between two steps of k. What comes in along k is stored element by element, by lanes that differ in
  // k by one pack: the extra pack puts them in different banks.
  static constexpr int kPitch = kLines / kSize + (kAlongK ? 1 : 0);
  static constexpr int kPacks = kLines * kDepth / kSize / kThreads;  // of a thread
  static_assert(kLines * kDepth % (kSize * kThreads) == 0);
  using Buffer = Shared<Pack<T>, kDepth * kPitch>;

  Pack<T> packs[kPacks];

  /// From lines line0…, at most `lines` of them, and steps p0… of `k`. Zeros beyond the edges.
  __device__ void load(const T* data, std::int64_t ld, std::int64_t line0, std::int64_t lines,
                       std::int64_t p0, std::int64_t k, bool aligned) {
    // The same answer for all threads: inside the matrix nothing is asked pack by pack.
    const bool inside = aligned && line0 + kLines <= lines && p0 + kDepth <= k;
#pragma unroll
    for (int u = 0; u < kPacks; ++u) {
      const int t = threadIdx.x + u * kThreads;
      // In which line and at which step of k the pack begins.
      const std::int64_t line = line0 + (kAlongK ? t / (kDepth / kSize) : t % (kLines / kSize) * kSize);
      const std::int64_t p = p0 + (kAlongK ? t % (kDepth / kSize) * kSize : t / (kLines / kSize));
      if (inside)
        packs[u] = *reinterpret_cast<const Pack<T>*>(data + (kAlongK ? line * ld + p : p * ld + line));
      else if (kAlongK)
        packs[u] = load_pack(data + line * ld, p, line < lines ? k : 0, aligned);
      else
        packs[u] = load_pack(data + p * ld, line, p < k ? lines : 0, aligned);
    }
  }

  __device__ void store(Buffer& shared) const {
#pragma unroll
    for (int u = 0; u < kPacks; ++u) {
      const int t = threadIdx.x + u * kThreads;
      if constexpr (kAlongK) {
        const int line = t / (kDepth / kSize), p = t % (kDepth / kSize) * kSize;
#pragma unroll
        for (int e = 0; e < kSize; ++e)
          shared[(p + e) * kPitch + line / kSize].values[line % kSize] = packs[u].values[e];
      } else {
        shared[t / (kLines / kSize) * kPitch + t % (kLines / kSize)] = packs[u];
      }
    }
  }
};

/// Calls f<a_along_k, b_along_k>() for the layouts of a product's operands.
template <class Args, class F>
void for_layouts(const Args& g, F&& f) {
  const bool a = g.a.col == 1, b = g.b.row == 1;
  if (a && b)
    f.template operator()<true, true>();
  else if (a)
    f.template operator()<true, false>();
  else if (b)
    f.template operator()<false, true>();
  else
    f.template operator()<false, false>();
}

}  // namespace tandem
