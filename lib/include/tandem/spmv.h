#pragma once
// spmv: y = α·A·x + β·y for a sparse matrix A.
//
// Each implementation adds the products of a row in an order of its own, so results differ by rounding
// (docs/promises.md).

#include "tandem/options.h"
#include "tandem/sparse.h"

namespace tandem {

/// What products, and what was there before, are multiplied by.
template <class T>
struct SpmvFactors {
  T alpha = 1, beta = 0;
};

namespace detail {
/// alpha, beta: one number of the elements' type each, in host memory.
TANDEM_API void spmv(Context& ctx, Type type, const CsrPattern& a, const void* values, const void* alpha,
                     ConstMemory x, const void* beta, Memory y, const Options& options);
}  // namespace detail

/// y = α·A·x + β·y in the memory of the context, without waiting for it.
///
/// A: float or double; x: cols elements of the same type, y: rows elements; y must not overlap x or the arrays of A. A
/// row without elements has the sum 0. β = 0 writes y without reading it, α = 0 scales y without reading A and x. Each result
/// is within γ_{k+2}·|α|·(|A|·|x|)_i + 2ε·|β·y_i| + (k·|α| + 2)·η of the exact one, k the elements of the row; η, the
/// smallest number above zero, counts where products underflow. Our own paths give the same bits again. O(rows +
/// elements) work; allocates nothing after the first call of a size. Throws InvalidArgument (another size of x or y,
/// null pointers, memory of another place, overlap, unknown options.use), Unavailable (options.use cannot run here or
/// does not take such a matrix), OutOfMemory, DeviceError.
/// Source:  Bell, Garland 2008, "Efficient sparse matrix-vector multiplication on CUDA"; Merrill, Garland 2016,
///          "Merge-based parallel sparse matrix-vector multiplication".
template <class T, Viewable X, Viewable Y>
void spmv(Context& ctx, const CsrMatrix<T>& a, const X& x, Y&& y,
          const std::type_identity_t<SpmvFactors<T>>& factors = {}, const Options& options = {}) {
  static_assert(std::is_same_v<element_of<const X>, T> && std::is_same_v<element_of<Y>, T>,
                "spmv: A, x and y must hold one type");
  detail::spmv(ctx, type_of<T>, a, a.values(), &factors.alpha, detail::const_memory(x), &factors.beta,
               detail::memory(y), options);
}

}  // namespace tandem
