#pragma once
// What calls of cuSPARSE with a matrix in rows share. It wants offsets of 32 bits, like its column numbers, so they are copied.

#include "lib/ops/segmented_reduce/contract.h"
#include "vendor_wrappers/common/cusparse.cuh"

namespace tandem {

constexpr int kCopyThreads = 256;

static __global__ void copy_offset(SegmentedReduce::Layout rows, std::int32_t* out) {
  const std::int64_t r = std::int64_t(blockIdx.x) * kCopyThreads + threadIdx.x;
  if (r <= rows.count) out[r] = std::int32_t(rows.begin(r));
}
inline void copy_offsets(const SegmentedReduce::Layout& rows, std::int32_t* out, Context& ctx) {
  launch(ctx, ceil_div(rows.count + 1, kCopyThreads), kCopyThreads, 0, copy_offset, rows, out);
}

/// A description of an array, destroyed with this object.
template <class Description, cusparseStatus_t (*destroy)(Description)>
struct Described {
  Described() = default;
  Described(const Described&) = delete;
  ~Described() {
    if (description) destroy(description);
  }
  Description description = nullptr;
};

}  // namespace tandem
