#pragma once
// Products on the tensor cores by single warps ("mma.sync"): operands and sums lie in the registers of its lanes. PTX
// ISA, "mma.m16n8k16". The executor, and GPUs before sm_80, get the same sums by shuffles.

#include <cstring>

#include "tandem/bfloat16.h"
#include "tandem/device/warp.cuh"
#include "tandem/half.h"

namespace tandem {

/// Warp-wide: sums += A · B, A of 16 × 16 and B of 16 × 8 elements of T, half or bfloat16. Lane 4 · g + q holds
///   a[0], a[1]: rows g and g + 8 of A, columns 2q and 2q + 1;  a[2], a[3]: columns 8 + 2q and 9 + 2q
///   b[0], b[1]: column g of B, rows 2q and 2q + 1, and 8 + 2q and 9 + 2q
///   sums[0], sums[1]: row g, columns 2q and 2q + 1;  sums[2], sums[3]: row g + 8
/// of two elements in a word the first is the lower half. Tensor cores cut sums off, where others round.
template <class T>
__device__ void mma_16x8x16(float (&sums)[4], const std::uint32_t (&a)[4], const std::uint32_t (&b)[2]) {
#if defined(TANDEM_SIMT) || (defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800)
  const int group = threadIdx.x % kWarp / 4, quarter = threadIdx.x % 4;
  const auto element = [](std::uint32_t word, int which) {
    const auto bits = static_cast<std::uint16_t>(word >> 16 * which);
    T value;
    memcpy(&value, &bits, sizeof value);
    return float(value);
  };
  for (int word = 0; word < 8; ++word) {  // two k each
    const int owner = word % 4, high = word / 4;
    std::uint32_t columns[2], rows[2];
    for (int e = 0; e < 2; ++e) {
      columns[e] = shuffle(b[high], (2 * quarter + e) * 4 + owner);
      rows[e] = shuffle(a[2 * high + e], group * 4 + owner);
    }
    for (int k = 0; k < 2; ++k) {
      for (int i = 0; i < 4; ++i) sums[i] += element(rows[i / 2], k) * element(columns[i % 2], k);
    }
  }
#else
#define TANDEM_MMA(type)                                                              \
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32." type "." type                 \
               ".f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};" \
               : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])           \
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]))
  if constexpr (std::is_same_v<T, half>)
    TANDEM_MMA("f16");
  else
    TANDEM_MMA("bf16");
#undef TANDEM_MMA
#endif
}

}  // namespace tandem
