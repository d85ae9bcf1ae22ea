#pragma once
// gtsvInterleavedBatch, for the rows of its three algorithms.

#include "vendor_wrappers/tridiagonal/cusparse.cuh"

namespace tandem {

/// The library's call alone: systems without gaps; x holds the right-hand side, and all but x is overwritten.
template <class T>
void gtsv_interleaved_batch(Context& ctx, int algorithm, const Dense& dense, T* lower, T* diag, T* upper,
                            T* x) {
  const auto with = [&](auto buffer_size, auto gtsv) {
    const auto n = int(dense.n), count = int(dense.count);
    std::size_t bytes = 0;
    const cusparseHandle_t handle = cusparse(ctx);
    check(buffer_size(handle, algorithm, n, lower, diag, upper, x, count, &bytes), ctx,
          "gtsvInterleavedBatch_bufferSizeExt");
    check(
        gtsv(handle, algorithm, n, lower, diag, upper, x, count, ctx.scratch<std::byte>(std::int64_t(bytes))),
        ctx, "gtsvInterleavedBatch");
  };
  if constexpr (std::is_same_v<T, float>)
    with(cusparseSgtsvInterleavedBatch_bufferSizeExt, cusparseSgtsvInterleavedBatch);
  else
    with(cusparseDgtsvInterleavedBatch_bufferSizeExt, cusparseDgtsvInterleavedBatch);
}

template <class C>
void gtsv_interleaved(const typename C::Args& a, Context& ctx, int algorithm) {
  using T = typename C::T;
  solve_dense<C>(a, ctx, true, true, [&](const Dense& dense, T* lower, T* diag, T* upper, T* x) {
    gtsv_interleaved_batch(ctx, algorithm, dense, lower, diag, upper, x);
  });
}

}  // namespace tandem
