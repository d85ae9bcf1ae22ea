#pragma once
// What cuSPARSE is told of a sparse matrix and of what it multiplies. It wants offsets and column numbers of one type: where these
// have 32 bits, offsets are copied first.

#include <climits>

#include "lib/core/library_call.h"
#include "lib/ops/segmented_reduce/contract.h"
#include "lib/ops/spmv/columns.h"
#include "vendor_wrappers/common/cusparse.cuh"

namespace tandem {

constexpr int kCopyThreads = 256;

template <class Index>
__global__ void copy_offsets(SegmentedReduce::Layout rows, Index* out) {
  const std::int64_t r = std::int64_t(blockIdx.x) * kCopyThreads + threadIdx.x;
  if (r <= rows.count) out[r] = Index(rows.begin(r));
}
/// In memory of the context until the end of the call.
template <class Index>
Index* copied_offsets(const SegmentedReduce::Layout& rows, Context& ctx) {
  auto* const offsets = ctx.scratch<Index>(rows.count + 1);
  launch(ctx, ceil_div(rows.count + 1, kCopyThreads), kCopyThreads, 0, copy_offsets<Index>, rows, offsets);
  return offsets;
}
/// Offsets of the type of column numbers: the caller's, where there are such, or copies.
inline const void* offsets_like(IndexNumbers columns, const SegmentedReduce::Layout& rows, Context& ctx) {
  if (columns.type() == Type::i32) return copied_offsets<std::int32_t>(rows, ctx);
  return rows.offsets ? rows.offsets : copied_offsets<std::int64_t>(rows, ctx);
}
inline cusparseIndexType_t index_type(IndexNumbers columns) {
  return columns.type() == Type::i64 ? CUSPARSE_INDEX_64I : CUSPARSE_INDEX_32I;
}

/// A description of an array, destroyed with this object.
template <class Description, cusparseStatus_t (*destroy)(Description)>
struct Described {
  Description description = nullptr;
  Described() = default;
  Described(const Described&) = delete;
  ~Described() {
    if (description) destroy(description);
  }
};

template <class T>
constexpr cudaDataType kCudaType = std::is_same_v<T, float> ? CUDA_R_32F : CUDA_R_64F;

/// The sparse matrix of a call: Args of spmv and spmm.
struct DescribedCsr : Described<cusparseConstSpMatDescr_t, cusparseDestroySpMat> {
  template <class Args>
  DescribedCsr(const Args& a, Context& ctx) {
    const cusparseIndexType_t type = index_type(a.columns);
    check(
        cusparseCreateConstCsr(&description, a.rows.count, a.cols, a.elements,
                               offsets_like(a.columns, a.rows, ctx), a.columns.data(), a.values, type, type,
                               CUSPARSE_INDEX_BASE_ZERO, kCudaType<std::remove_cvref_t<decltype(*a.values)>>),
        ctx, "cusparseCreateConstCsr");
  }
};

/// For Shapes of spmv and spmm.
template <class Shape>
std::string cusparse_refuses(const Shape& s, CaseId) {
  // It counts rows and elements in one number: with a sum past 2^31, calls fail.
  if (std::max(s.elements + s.rows, s.cols) >= INT_MAX) return "cuSPARSE counts in 32 bits here";
  return s.elements > s.rows * s.cols ? "cuSPARSE takes no more elements than the matrix has places" : "";
}

constexpr const char* kFlushes = "products and sums of denormal size may be 0";

}  // namespace tandem
