#pragma once
// Products on the tensor cores by whole warpgroups (WGMMA): 128 threads multiply tiles in shared memory, and hold
// the sums in their registers. Hopper alone, for files named .sm90.cu. PTX ISA, "Asynchronous Warpgroup Level
// Matrix Multiply-Accumulate".
//
// A warpgroup is four warps whose first is a multiple of four. Its products are asynchronous: between
// wgmma_begin() and wgmma_wait() no thread may touch the registers that they add to. The compiler does not know
// that, so wgmma_hold() on both sides pins the sums to their registers.

#include "tandem/bfloat16.h"
#include "tandem/device/bulk_copies.cuh"
#include "tandem/half.h"

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

/// The same for 16 steps of k, from step `k` on, of a tile that the copy engine wrote in boxes with the swizzle of 128
/// bytes, from a multiple of 1,024 bytes on. Where operands are contiguous along k (K-major), a box is 64 elements
/// of k wide, with a row for each line of the operand. Where they are contiguous along lines, a box is 64 lines
/// wide, with a row for each of the 64 steps of k, and boxes of further lines lie behind it.
template <bool kAlongK>
__device__ std::uint64_t wgmma_tile_128(const void* tile, int k) {
  constexpr std::uint64_t kSwizzle128 = std::uint64_t{1} << 62, kEightRows = std::uint64_t{1024 / 16} << 32;
  constexpr std::uint64_t kNextBox = std::uint64_t{64 * 128 / 16} << 16;
  // Blocks of a cluster see their own memory at an address with the block's number in its upper bits.
  const unsigned address = (shared_address(tile) + k * (kAlongK ? 2 : 128)) % (1u << 18);
  return kSwizzle128 | kEightRows | (kAlongK ? std::uint64_t{1} << 16 : kNextBox) | address / 16;
}

// A list of the registers of a thread's sums, and the instruction with them.
#define TANDEM_4(i) "+f"(sums[i]), "+f"(sums[i + 1]), "+f"(sums[i + 2]), "+f"(sums[i + 3])
#define TANDEM_16(i) TANDEM_4(i), TANDEM_4(i + 4), TANDEM_4(i + 8), TANDEM_4(i + 12)
#define TANDEM_64(i) TANDEM_16(i), TANDEM_16(i + 16), TANDEM_16(i + 32), TANDEM_16(i + 48)
#define TANDEM_NAMES_64                                                              \
  "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, " \
  "%18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, " \
  "%34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, %48, %49, " \
  "%50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63"
#define TANDEM_NAMES_128                                                                       \
  TANDEM_NAMES_64                                                                              \
  ", %64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, "         \
  "%80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, %96, %97, " \
  "%98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111, %112, "   \
  "%113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127"

/// Warpgroup-wide: starts sums = A · B, or sums += A · B where `add`, of bf16 tiles: A is 64 × 16, B 16 × 128.
/// sums[4 · j + 2 · q + e] of thread t of the warpgroup is the element of row 16 · (t / 32) + 8 · q + t % 32 / 4
/// and column 8 · j + t % 4 · 2 + e. Products are exact; their sums are cut off, not rounded.
__device__ inline void wgmma_64x128x16(float (&sums)[64], std::uint64_t a, std::uint64_t b, bool add) {
  asm volatile(
      "{ .reg .pred add; setp.ne.b32 add, %66, 0;\n"
      "wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 {" TANDEM_NAMES_64
      "}, %64, %65, add, 1, 1, 0, 0; }"
      : TANDEM_64(0)
      : "l"(a), "l"(b), "r"(int(add)));
}

/// The same with a B of 16 × 256, of T: half or bfloat16. kAlongA, kAlongB: the tiles are contiguous along k.
template <class T, bool kAlongA, bool kAlongB>
__device__ void wgmma_64x256x16(float (&sums)[128], std::uint64_t a, std::uint64_t b, bool add) {
#define TANDEM_WGMMA(type)                                                               \
  asm volatile(                                                                          \
      "{ .reg .pred add; setp.ne.b32 add, %130, 0;\n"                                    \
      "wgmma.mma_async.sync.aligned.m64n256k16.f32." type "." type " {" TANDEM_NAMES_128 \
      "}, %128, %129, add, 1, 1, %131, %132; }"                                          \
      : TANDEM_64(0), TANDEM_64(64)                                                      \
      : "l"(a), "l"(b), "r"(int(add)), "n"(!kAlongA), "n"(!kAlongB))
  if constexpr (std::is_same_v<T, half>)
    TANDEM_WGMMA("f16");
  else
    TANDEM_WGMMA("bf16");
#undef TANDEM_WGMMA
}

#undef TANDEM_NAMES_128
#undef TANDEM_NAMES_64
#undef TANDEM_64
#undef TANDEM_16
#undef TANDEM_4

}  // namespace tandem
