#pragma once
// Products on the tensor cores by whole warpgroups (WGMMA): 128 threads multiply tiles in shared memory, and hold
// the sums in their registers. Hopper alone, for files named .sm90.cu. PTX ISA, "Asynchronous Warpgroup Level
// Matrix Multiply-Accumulate".
//
// A warpgroup is four warps whose first is a multiple of four. Its products are asynchronous: between
// wgmma_begin() and wgmma_wait() no thread may touch the registers that they add to. The compiler does not know
// that, so wgmma_hold() on both sides pins the sums to their registers.

#include "tandem/device/bulk_copies.cuh"

namespace tandem {

/// Warpgroup-wide: what threads wrote to registers is there for the products that follow.
__device__ inline void wgmma_begin() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
/// Warpgroup-wide: makes the products since the last commit a group.
__device__ inline void wgmma_commit() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
/// Warpgroup-wide: waits until all groups but the last kGroups are done, and with them what they read.
template <int kGroups>
__device__ void wgmma_wait() {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(kGroups) : "memory");
}
/// The sums are in their registers here, and no access to them moves across.
template <int kCount>
__device__ void wgmma_hold(float (&sums)[kCount]) {
#pragma unroll
  for (float& sum : sums) asm volatile("" : "+f"(sum)::"memory");
}

/// How WGMMA finds 16 columns of a K-major tile of 16-bit numbers, as the copy engine writes boxes of 32 along k
/// with the swizzle of 64 bytes: eight rows of 64 bytes after the other, from a multiple of 512 bytes on. A row
/// is a row of A or a column of B; `column` is 0 or 16. One thread's work.
__device__ inline std::uint64_t wgmma_tile(const void* tile, int column) {
  constexpr std::uint64_t kSwizzle64 = std::uint64_t{2} << 62, kEightRows = std::uint64_t{512 / 16} << 32;
  return kSwizzle64 | kEightRows | std::uint64_t{1} << 16 | (shared_address(tile) + column * 2) / 16;
}

/// Warpgroup-wide: starts sums = A · B, or sums += A · B where `add`, of bf16 tiles: A is 64 × 16, B 16 × 128.
/// sums[4 · j + 2 · q + e] of thread t of the warpgroup is the element of row 16 · (t / 32) + 8 · q + t % 32 / 4
/// and column 8 · j + t % 4 · 2 + e. Products are exact; their sums are cut off, not rounded.
__device__ inline void wgmma_64x128x16(float (&sums)[64], std::uint64_t a, std::uint64_t b, bool add) {
#define TANDEM_4(i) "+f"(sums[i]), "+f"(sums[i + 1]), "+f"(sums[i + 2]), "+f"(sums[i + 3])
#define TANDEM_16(i) TANDEM_4(i), TANDEM_4(i + 4), TANDEM_4(i + 8), TANDEM_4(i + 12)
  asm volatile(
      "{ .reg .pred add; setp.ne.b32 add, %66, 0;\n"
      "wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 {"
      "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, "
      "%18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, "
      "%34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, %48, %49, "
      "%50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63"
      "}, %64, %65, add, 1, 1, 0, 0; }"
      : TANDEM_16(0), TANDEM_16(16), TANDEM_16(32), TANDEM_16(48)
      : "l"(a), "l"(b), "r"(int(add)));
#undef TANDEM_16
#undef TANDEM_4
}

}  // namespace tandem
