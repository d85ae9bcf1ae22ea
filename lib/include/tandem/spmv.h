#pragma once
// spmv: y = α·A·x + β·y for a sparse matrix A.
//
// Each implementation adds the products of a row in an order of its own, so results differ by rounding
// (docs/promises.md).

#include "tandem/merge_path.h"
#include "tandem/options.h"
#include "tandem/sparse.h"

namespace tandem {

/// What products, and what was there before, are multiplied by.
template <class T>
struct SpmvFactors {
  T alpha = 1, beta = 0;
};

namespace detail {
/// What a look at the offsets of a matrix found.
struct SpmvAnalysis {
  std::int64_t longest;    // of a row
  Array<PathPoint> tiles;  // where equal shares of elements and rows begin, and the last one ends
};
TANDEM_API SpmvAnalysis analyse(Context& ctx, const CsrPattern& a);

/// alpha, beta: one number of the elements' type each, in host memory.
TANDEM_API void spmv(Context& ctx, Type type, const CsrPattern& a, const void* values, const void* alpha,
                     ConstMemory x, const void* beta, Memory y, const Options& options,
                     const SpmvAnalysis* kept = nullptr);
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

/// A matrix with what a look at its offsets found, for many products: the longest row, by which the automatic choice tells which
/// path suits it, and where equal shares of elements and rows begin, which no path then need search. Values may change between calls.
template <class T>
class SpmvPlan {
 public:
  const CsrMatrix<T>& matrix() const { return matrix_; }
  /// Of the longest row.
  std::int64_t longest() const { return analysis_.longest; }

 private:
  SpmvPlan(const CsrMatrix<T>& matrix, detail::SpmvAnalysis analysis)
      : matrix_(matrix), analysis_(std::move(analysis)) {}
  template <class U>
  friend SpmvPlan<U> analyse(Context& ctx, const CsrMatrix<U>& a);
  template <class U, Viewable X, Viewable Y>
  friend void spmv(Context& ctx, const SpmvPlan<U>& plan, const X& x, Y&& y,
                   const std::type_identity_t<SpmvFactors<U>>& factors, const Options& options);

  CsrMatrix<T> matrix_;
  detail::SpmvAnalysis analysis_;
};

/// Looks at the offsets of A, and waits for that. The plan is for contexts of this place; its arrays of A stay the caller's. Throws
/// InvalidArgument (null pointers, memory of another place), OutOfMemory. O(rows + elements / 256) on one thread of the CPU, columns and
/// values unread. Keeps 16 bytes for each 256 of rows and elements together; takes as much again and 8 bytes for each row while it
/// runs. docs/operations/spmv.md has its time beside that of a product.
template <class T>
SpmvPlan<T> analyse(Context& ctx, const CsrMatrix<T>& a) {
  return {a, detail::analyse(ctx, a)};
}

/// The same product as with plan.matrix().
template <class T, Viewable X, Viewable Y>
void spmv(Context& ctx, const SpmvPlan<T>& plan, const X& x, Y&& y,
          const std::type_identity_t<SpmvFactors<T>>& factors = {}, const Options& options = {}) {
  static_assert(std::is_same_v<element_of<const X>, T> && std::is_same_v<element_of<Y>, T>,
                "spmv: A, x and y must hold one type");
  detail::spmv(ctx, type_of<T>, plan.matrix_, plan.matrix_.values(), &factors.alpha, detail::const_memory(x),
               &factors.beta, detail::memory(y), options, &plan.analysis_);
}

}  // namespace tandem
