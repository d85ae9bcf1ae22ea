#pragma once
// gemm: C = α·A·B + β·C for matrices of any shape and layout.
//
// Each implementation adds the k products of an element in an order of its own, so results differ by rounding
// (docs/promises.md).

#include "tandem/matrix.h"
#include "tandem/options.h"
#include "tandem/types.h"

namespace tandem {

namespace detail {
/// alpha, beta: one number of the accumulator's type each, in host memory.
TANDEM_API void gemm(Context& ctx, Type type, const void* alpha, const MatrixView<const std::byte>& a,
                     const MatrixView<const std::byte>& b, const void* beta,
                     const MatrixView<const std::byte>& c, const Options& options);
}  // namespace detail

/// C = α·A·B + β·C in the memory of the context, without waiting for it.
///
/// A: m × k, B: k × n, C: m × n, each row- or column-major with its own leading dimension; transposed(A) is
/// the transposed operand. Elements: float or double, computed in their own precision, or half or bfloat16,
/// whose products are added up as floats, α and β with them, and rounded once. C may overlap neither
/// A nor B; elements in the gaps between lines stay as they are. β = 0 writes C without reading it, α = 0 or
/// k = 0 scales C without reading A and B. Each result is within γ_{k+2}·|α|·(|A|·|B|)_ij + 2ε·|β·C|_ij +
/// (k·|α| + 2)·η of the exact one; η, the smallest number above zero, counts where products underflow. (Elements
/// of 16 bits: u and η of floats, 2k in place of k, since tensor cores cut sums off, and the rounding of the result.) For
/// floats options.precision allows more: split 2k + 16 and tf32 2k + 16384 in place of k in γ; on a Hopper GPU
/// the one is some 2.6, the other 8 times as fast for large matrices. 2mnk floating-point operations; allocates
/// nothing after the first call of a shape. Throws InvalidArgument (shapes do not conform, unknown layout, a
/// leading dimension below the length of a line, null pointers, host memory in a device context, overlap, unknown
/// options.use or options.precision), Unavailable (options.use cannot run here),
/// OutOfMemory, DeviceError.
/// Source:  Goto, van de Geijn 2008, "Anatomy of high-performance matrix multiplication"; Higham 2002,
///          section 3.5.
template <class A, class B, class T>
void gemm(Context& ctx, std::type_identity_t<accumulator_t<T>> alpha, const MatrixView<A>& a,
          const MatrixView<B>& b, std::type_identity_t<accumulator_t<T>> beta, const MatrixView<T>& c,
          const Options& options = {}) {
  static_assert(std::is_same_v<std::remove_const_t<A>, T> && std::is_same_v<std::remove_const_t<B>, T>,
                "gemm: A, B and C must hold one type");
  static_assert(TypeTraits<T>::floating, "gemm takes float, double, half and bfloat16");
  detail::gemm(ctx, type_of<T>, &alpha, detail::untyped(a), detail::untyped(b), &beta, detail::untyped(c),
               options);
}

}  // namespace tandem
