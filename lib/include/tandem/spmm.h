#pragma once
// spmm: C = α·A·B + β·C for a sparse matrix A and dense matrices B and C.
//
// Each implementation adds the products of an element in an order of its own, so results differ by rounding
// (docs/promises.md).

#include "tandem/matrix.h"
#include "tandem/options.h"
#include "tandem/sparse.h"

namespace tandem {

/// What products, and what was there before, are multiplied by.
template <class T>
struct SpmmFactors {
  T alpha = 1, beta = 0;
};

namespace detail {
/// alpha, beta: one number of the elements' type each, in host memory.
TANDEM_API void spmm(Context& ctx, Type type, const CsrPattern& a, const void* values, const void* alpha,
                     const MatrixView<const std::byte>& b, const void* beta,
                     const MatrixView<const std::byte>& c, const Options& options);
}  // namespace detail

/// C = α·A·B + β·C in the memory of the context, without waiting for it.
///
/// A: float or double; B: cols × width, C: rows × width, of the same type, each row- or column-major with its own leading
/// dimension; row-major ones are faster where there is more than one column. C must be apart from B and from the arrays of A;
/// elements in the gaps between lines stay as they are. A row of A without elements has the sums 0, and a width of 0 does
/// nothing. β = 0 writes C without reading it, α = 0 scales C without reading A and B. Each result is within
/// γ_{k+2}·|α|·(|A|·|B|)_ij + 2ε·|β·C|_ij + (k·|α| + 2)·η of the exact one, k the elements of row i; η, the smallest number
/// above zero, counts where products underflow. Our own paths give the same bits again. O((rows + elements) · width) work;
/// allocates nothing after the first call of a size. Throws InvalidArgument (shapes do not conform, unknown layout, a leading
/// dimension below the length of a line, null pointers, memory of another place, overlap, unknown options.use), Unavailable
/// (options.use cannot run here or does not take such matrices), OutOfMemory, DeviceError.
/// Source:  Yang, Buluç, Owens 2018, "Design principles for sparse matrix multiplication on the GPU"; Huang, Dai, Wang, Yang
///          2020, "GE-SpMM: general-purpose sparse matrix-matrix multiplication on GPUs for graph neural networks".
template <class T, class B>
void spmm(Context& ctx, const CsrMatrix<T>& a, const MatrixView<B>& b,
          const std::type_identity_t<MatrixView<T>>& c,
          const std::type_identity_t<SpmmFactors<T>>& factors = {}, const Options& options = {}) {
  static_assert(std::is_same_v<std::remove_const_t<B>, T>, "spmm: A, B and C must hold one type");
  detail::spmm(ctx, type_of<T>, a, a.values(), &factors.alpha, detail::untyped(b), &factors.beta,
               detail::untyped(c), options);
}

}  // namespace tandem
