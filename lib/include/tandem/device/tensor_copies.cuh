#pragma once
// Copies of boxes of a matrix from global to shared memory by the copy engine (TMA), which finds the addresses
// by itself and fills in zeros beyond the matrix. Hopper and later, for files named .sm90.cu. PTX ISA,
// "cp.async.bulk.tensor".

#include <cuda.h>

#include "tandem/device/bulk_copies.cuh"

namespace tandem {

/// What the copy engine knows of an array of kRank dimensions, the contiguous one first: `extents` and the
/// extents of a `box` (at most 256 each), and how many elements lie between neighbours along each dimension but
/// the first. `data` and the pitches are multiples of 16 bytes. It goes to the kernel as a `const
/// __grid_constant__ CUtensorMap`. Throws DeviceError. Microseconds on the host.
template <class T, int kRank>
CUtensorMap tensor_map(const Context& ctx, const T* data, const std::int64_t (&extents)[kRank],
                       const std::int64_t (&pitches)[kRank - 1], const int (&box)[kRank],
                       CUtensorMapSwizzle swizzle = CU_TENSOR_MAP_SWIZZLE_NONE) {
  static_assert(sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8);
  static const auto encode = [&] {  // looked up, because libcuda is not linked
    void* function = nullptr;
    cudaDriverEntryPointQueryResult found;
    check_cuda(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, 12000, cudaEnableDefault,
                                                &found),
               ctx, "cudaGetDriverEntryPointByVersion");
    return reinterpret_cast<decltype(&cuTensorMapEncodeTiled)>(function);
  }();
  cuuint64_t sizes[kRank], bytes[kRank - 1];
  cuuint32_t boxes[kRank], strides[kRank];
  for (int d = 0; d < kRank; ++d) {
    sizes[d] = static_cast<cuuint64_t>(extents[d]);
    if (d > 0) bytes[d - 1] = static_cast<cuuint64_t>(pitches[d - 1]) * sizeof(T);
    boxes[d] = static_cast<cuuint32_t>(box[d]);
    strides[d] = 1;
  }
  CUtensorMap map;
  const CUresult code =
      encode(&map,
             sizeof(T) == 8   ? CU_TENSOR_MAP_DATA_TYPE_UINT64
             : sizeof(T) == 4 ? CU_TENSOR_MAP_DATA_TYPE_UINT32
                              : CU_TENSOR_MAP_DATA_TYPE_UINT16,
             kRank, const_cast<T*>(data), sizes, bytes, boxes, strides, CU_TENSOR_MAP_INTERLEAVE_NONE,
             swizzle, CU_TENSOR_MAP_L2_PROMOTION_L2_256B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  if (code != CUDA_SUCCESS)
    throw DeviceError(std::string(ctx.last().implementation) + ": cuTensorMapEncodeTiled", code, "refused");
  return map;
}

/// Called by one thread: starts the copy of the box that begins at (x, y); `barrier` counts its bytes, those
/// beyond the matrix too. `to` is a multiple of 128 bytes, and of the swizzle's pattern.
__device__ inline void tensor_load(void* to, const CUtensorMap& map, int x, int y, Mbarrier& barrier) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], "
      "[%4];" ::"r"(shared_address(to)),
      "l"(&map), "r"(x), "r"(y), "r"(shared_address(&barrier))
      : "memory");
}
/// The same to all blocks of the cluster that `blocks` has a bit for: each gets the box where this one has `to`,
/// and its own barrier there counts the bytes (multicast).
__device__ inline void tensor_load(void* to, const CUtensorMap& map, int x, int y, Mbarrier& barrier,
                                   unsigned short blocks) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], "
      "[%1, {%2, %3}], [%4], %5;" ::"r"(shared_address(to)),
      "l"(&map), "r"(x), "r"(y), "r"(shared_address(&barrier)), "h"(blocks)
      : "memory");
}
/// The same for a box of three dimensions.
__device__ inline void tensor_load(void* to, const CUtensorMap& map, int x, int y, int z, Mbarrier& barrier) {
  asm volatile(
      "cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3, %4}], "
      "[%5];" ::"r"(shared_address(to)),
      "l"(&map), "r"(x), "r"(y), "r"(z), "r"(shared_address(&barrier))
      : "memory");
}
/// The same to several blocks of the cluster.
__device__ inline void tensor_load(void* to, const CUtensorMap& map, int x, int y, int z, Mbarrier& barrier,
                                   unsigned short blocks) {
  asm volatile(
      "cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], "
      "[%1, {%2, %3, %4}], [%5], %6;" ::"r"(shared_address(to)),
      "l"(&map), "r"(x), "r"(y), "r"(z), "r"(shared_address(&barrier)), "h"(blocks)
      : "memory");
}

/// Called by one thread: starts the copy of a box to the matrix, from (x, y) on; what lies beyond the matrix is not
/// written. commit_bulk_stores and the waits of bulk_copies.cuh are for these stores, too.
__device__ inline void tensor_store(const CUtensorMap& map, const void* from, int x, int y) {
  asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%1, %2}], [%3];" ::"l"(&map),
               "r"(x), "r"(y), "r"(shared_address(from))
               : "memory");
}

}  // namespace tandem
