#pragma once
// gtsv2 and gtsv2_nopivot: one matrix and any number of right-hand sides, so a batch of matrices takes a call
// for each.

#include "vendor_wrappers/tridiagonal/cusparse.cuh"

namespace tandem {

constexpr std::int64_t kMostCalls = 64;  // beyond, other solvers are faster

/// with(buffer_size, gtsv2) of the element's type.
template <class C, class BufferSize, class Gtsv2>
void gtsv2_each(const typename C::Args& a, Context& ctx, BufferSize buffer_size, Gtsv2 gtsv2) {
  using T = typename C::T;
  const bool shared = a.matrix.system == 0 && a.matrix.block == 0;
  solve_dense<C>(a, ctx, false, false, [&](const Dense& dense, T* lower, T* diag, T* upper, T* x) {
    const auto n = int(dense.n), columns = int(shared ? dense.count : 1);
    std::size_t bytes = 0;
    const cusparseHandle_t handle = cusparse(ctx);
    check(buffer_size(handle, n, columns, lower, diag, upper, x, n, &bytes), ctx, "gtsv2_bufferSizeExt");
    auto* buffer = ctx.scratch<std::byte>(std::int64_t(bytes));
    for (std::int64_t at = 0; at < dense.size(); at += std::int64_t(n) * columns) {
      check(gtsv2(handle, n, columns, lower + at, diag + at, upper + at, x + at, n, buffer), ctx, "gtsv2");
    }
  });
}

/// A call per matrix: slow for many.
inline bool gtsv2_suits(const Tridiagonal::Shape& shape) {
  return is_contiguous(shape.systems) && (shape.systems.shared_matrix || shape.systems.count() <= kMostCalls);
}

}  // namespace tandem
