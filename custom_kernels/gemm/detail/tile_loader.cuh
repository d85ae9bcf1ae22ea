#pragma once
// Tiles of A and B on their way from global to shared memory, 16 bytes per access (steps 09 to 12).

#include "tandem/device/vector_access.cuh"
#include "tandem/matrix.h"

namespace tandem {

/// Block-wide copy of a (BK, kLines) tile, where lines are rows of A or columns of B. In shared memory the
/// lines of one k are contiguous; a K-major operand (contiguous along k in global memory) is transposed on
/// its way. The tile is staged in registers, so that load() and store() can be apart.
template <class T, int kLines, int BK, int kThreads, bool kKMajor>
struct TileLoader {
  static constexpr int kSize = Pack<T>::kSize;
  // Packs from one k to the next. The transposing store writes along k: padding spreads it over the banks.
  static constexpr int kPitch = kLines / kSize + (kKMajor ? 1 : 0);
  static constexpr int kPacks = kLines * BK / kSize / kThreads;  // per thread
  static_assert(kLines * BK % (kSize * kThreads) == 0);
  using Buffer = Shared<Pack<T>, BK * kPitch>;  // (BK, kLines / kSize) packs, pitch kPitch

  Pack<T> packs[kPacks];  // (kPacks)

  /// Block-wide, global memory to registers: steps p0 … of `k`, lines line0 … of `lines`, zeros beyond the
  /// edges. `aligned`: `data` is aligned to 16 bytes, and `ld` is a multiple of a pack (lines_aligned).
  __device__ void load(const T* data, std::int64_t ld, std::int64_t line0, std::int64_t lines,
                       std::int64_t p0, std::int64_t k, bool aligned) {
    // Uniform over the block: tiles inside the matrix need no check per pack.
    const bool inside = aligned && line0 + kLines <= lines && p0 + BK <= k;
#pragma unroll
    for (int u = 0; u < kPacks; ++u) {
      const int t = threadIdx.x + u * kThreads;
      // Line and step of k of the pack's first element.
      const std::int64_t line = line0 + (kKMajor ? t / (BK / kSize) : t % (kLines / kSize) * kSize);
      const std::int64_t p = p0 + (kKMajor ? t % (BK / kSize) * kSize : t / (kLines / kSize));
      if (inside)
        packs[u] = *reinterpret_cast<const Pack<T>*>(data + (kKMajor ? line * ld + p : p * ld + line));
      else if (kKMajor)
        packs[u] = load_pack(data + line * ld, p, line < lines ? k : 0, aligned);
      else
        packs[u] = load_pack(data + p * ld, line, p < k ? lines : 0, aligned);
    }
  }

  /// Block-wide, registers to shared memory. The barriers around it are the caller's.
  __device__ void store(Buffer& shared) const {
#pragma unroll
    for (int u = 0; u < kPacks; ++u) {
      const int t = threadIdx.x + u * kThreads;
      if constexpr (kKMajor) {
        const int line = t / (BK / kSize), p = t % (BK / kSize) * kSize;
#pragma unroll
        for (int e = 0; e < kSize; ++e)
          shared[(p + e) * kPitch + line / kSize].values[line % kSize] = packs[u].values[e];
      } else {
        shared[t / (kLines / kSize) * kPitch + t % (kLines / kSize)] = packs[u];
      }
    }
  }
};

/// Host: calls f<A is K-major, B is K-major>() for the layouts of a product's operands.
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
