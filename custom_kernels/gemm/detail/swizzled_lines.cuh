#pragma once
// How operands come to shared memory by the copy engine, in boxes 128 bytes wide that it swizzles (16 to 18, 20): contiguous
// along k or along lines (rows of A, columns of B), as they are.
//
// A row of a box is 128 bytes of the operand: of one line where it is contiguous along k, else of one step of k. Its eight packs of
// 16 bytes are swizzled: pack p of row r lies at p ^ (r % 8), so that columns of packs have no bank conflicts.

#include <climits>

#include "lib/ops/gemm/contract.h"
#include "tandem/device/tensor_copies.cuh"
#include "tandem/device/vector_access.cuh"

namespace tandem {

/// Elements of T in a row of a box, and the steps of k that a stage holds.
template <class T>
inline constexpr int kSwizzled = 128 / sizeof(T);
inline constexpr std::size_t kSwizzleAlignment = 1024;  // of boxes: the pattern of the swizzle

/// The block's dynamic shared memory as a T, from a multiple of kSwizzleAlignment on.
template <class T>
__device__ T& aligned_shared() {
  char* const start = dynamic_shared<char>();
  const unsigned past = shared_address(start) % kSwizzleAlignment;
  return *reinterpret_cast<T*>(start + (kSwizzleAlignment - past) % kSwizzleAlignment);
}
template <class T>
inline constexpr std::size_t kAlignedBytes = sizeof(T) + kSwizzleAlignment;

/// An operand as the copy engine takes it.
struct TensorOperand {
  CUtensorMap map;
  bool along_k;  // contiguous along k, not along lines
};

/// Called by a thread: a pack of a line of `to`, whose lines are aligned.
template <class T>
__global__ void align_lines(const T* from, std::int64_t ld_from, std::int64_t length, T* to,
                            std::int64_t ld_to, std::int64_t packs) {
  start_early();
  const std::int64_t id = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x,
                     per_line = ld_to / Pack<T>::kSize;
  if (id >= packs) return;
  const std::int64_t line = id / per_line, first = id % per_line * Pack<T>::kSize;
  store_pack(to + line * ld_to, first, ld_to, true, load_pack(from + line * ld_from, first, length, false));
}

/// x: `lines` lines of `k` elements. Copied to scratch memory where its lines are not aligned. `lines_of_box`: how many
/// lines come with one copy, where they are contiguous along k.
template <class T>
TensorOperand tensor_operand(Context& ctx, const Strided<const T>& x, std::int64_t lines, std::int64_t k,
                             int lines_of_box) {
  const bool along_k = x.col == 1;
  const std::int64_t length = along_k ? k : lines, count = along_k ? lines : k;
  const T* data = x.data;
  std::int64_t ld = along_k ? x.row : x.col;
  if (!lines_aligned(data, ld)) {
    constexpr int kThreads = 256;
    const std::int64_t aligned = ceil_div(length, Pack<T>::kSize) * Pack<T>::kSize;
    T* copy = ctx.scratch<T>(count * aligned);
    const std::int64_t packs = count * aligned / Pack<T>::kSize;
    launch_early(ctx, ceil_div(packs, kThreads), kThreads, 0, align_lines<T>, data, ld, length, copy, aligned,
                 packs);
    data = copy, ld = aligned;
  }
  return {tensor_map<T, 2>(ctx, data, {length, count}, {ld},
                           {kSwizzled<T>, along_k ? lines_of_box : kSwizzled<T>}, CU_TENSOR_MAP_SWIZZLE_128B),
          along_k};
}

/// Called by one thread: starts copies of kLines lines from `line` on and kSwizzled<T> steps of k from `k` on. `blocks`: to
/// which blocks of the cluster; none: to this one.
template <bool kAlongK, int kLines, class T, class... Blocks>
__device__ void load_lines(T* to, const CUtensorMap& map, int k, int line, Mbarrier& barrier,
                           Blocks... blocks) {
  if constexpr (kAlongK) {
    tensor_load(to, map, k, line, barrier, blocks...);
  } else {
#pragma unroll
    for (int i = 0; i < kLines; i += kSwizzled<T>)
      tensor_load(to + i * kSwizzled<T>, map, line + i, k, barrier, blocks...);
  }
}

/// Calls work<kAlongA, kAlongB>().
template <class Work>
void with_layouts(const TensorOperand& a, const TensorOperand& b, Work work) {
  if (a.along_k)
    b.along_k ? work.template operator()<true, true>() : work.template operator()<true, false>();
  else
    b.along_k ? work.template operator()<false, true>() : work.template operator()<false, false>();
}

/// For .refuses.
inline std::string beyond_the_copy_engine(const Gemm::Shape& s, CaseId) {
  return std::max({s.m, s.n, s.k}) > INT_MAX - 512 ? "the copy engine counts in 32 bits" : "";
}

}  // namespace tandem
