// gtsv2StridedBatch: cyclic reduction and PCR without pivoting, for contiguous systems. It asks for zeros in
// lower[0] and upper[n−1], so both are copied first.
// Limits:  systems of one length; never exchanges rows; other layouts than contiguous are copied.

#include "vendor_wrappers/tridiagonal/cusparse.cuh"

namespace tandem {
namespace {

/// Of a batch; beyond it the buffer that the library asks for has a negative size (cuSPARSE 12.6).
constexpr std::int64_t kMostBytes = std::int64_t{1} << 32;

template <class C>
void cusparse_strided(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  const auto with = [&](auto buffer_size, auto gtsv) {
    solve_dense<C>(a, ctx, false, false, [&](const Dense& dense, T* lower, T* diag, T* upper, T* x) {
      const auto n = int(dense.n), count = int(dense.count);
      std::size_t bytes = 0;
      const cusparseHandle_t handle = cusparse(ctx);
      check(buffer_size(handle, n, lower, diag, upper, x, count, n, &bytes), ctx,
            "gtsv2StridedBatch_bufferSizeExt");
      check(gtsv(handle, n, lower, diag, upper, x, count, n, ctx.scratch<std::byte>(std::int64_t(bytes))),
            ctx, "gtsv2StridedBatch");
    });
  };
  if constexpr (std::is_same_v<T, float>)
    with(cusparseSgtsv2StridedBatch_bufferSizeExt, cusparseSgtsv2StridedBatch);
  else
    with(cusparseDgtsv2StridedBatch_bufferSizeExt, cusparseDgtsv2StridedBatch);
}

REGISTER(
    Tridiagonal, cusparse_strided, .note = "gtsv2StridedBatch, no pivoting", .version = cusparse_version(),
    .refuses =
        [](const Tridiagonal::Shape& s, CaseId id) {
          const std::string refusal = cusparse_refuses(s, false);
          if (!refusal.empty()) return refusal;
          const bool fits = s.systems.n * s.systems.count() <= kMostBytes / size_of(id.type);
          return std::string(fits ? "" : "cuSPARSE counts the bytes of its buffer in 32 bits");
        },
    .suits = [](const Tridiagonal::Shape& s) { return is_contiguous(s.systems); },
    .loses_digits_on = "laplacian lapack5 lapack6 lapack11 lapack12",
    .deviates = "does not report singular systems")

}  // namespace
}  // namespace tandem
