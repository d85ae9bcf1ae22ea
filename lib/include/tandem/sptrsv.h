#pragma once
// sptrsv: A·x = α·b for a sparse triangular matrix A.
//
// Which rows wait for which follows from the columns alone, so a look at them is made once and kept: a plan.

#include <vector>

#include "tandem/options.h"
#include "tandem/singular_system.h"
#include "tandem/sparse.h"

namespace tandem {

/// The part of a matrix that is taken; elements beyond the diagonal are never read.
enum class Triangle : std::uint8_t { lower, upper };
/// As it is stored, or ones, whatever is stored there.
enum class Diagonal : std::uint8_t { stored, unit };

struct TriangularForm {
  Triangle triangle = Triangle::lower;
  Diagonal diagonal = Diagonal::stored;
};

/// What the right-hand side is multiplied by.
template <class T>
struct SptrsvFactors {
  T alpha = 1;
};

namespace detail {
/// What a look at the columns of a triangular matrix found.
struct SptrsvAnalysis {
  TriangularForm form;
  std::uint64_t number;                // of this analysis: no other of the process has it
  bool tidy;                           // columns ascend within each row, and none is of the other triangle
  std::vector<std::int64_t> begins;    // where each level begins in `order`, and the last one ends
  Array<std::int64_t> kernels_begins;  // the same in the memory of the context
  Array<std::int32_t> order;           // all rows, level by level
};
TANDEM_API SptrsvAnalysis analyse_triangular(Context& ctx, const CsrPattern& a, TriangularForm form);

/// alpha: one number of the elements' type, in host memory.
TANDEM_API void sptrsv(Context& ctx, Type type, const CsrPattern& a, const void* values,
                       const SptrsvAnalysis& kept, const void* alpha, ConstMemory b, Memory x,
                       const Options& options);
}  // namespace detail

/// A triangular matrix with its levels: a row is in level 0 if it needs no other, else in the level behind the last of those
/// that it needs. Rows of one level can be solved side by side. Values may change between calls.
template <class T>
class SptrsvPlan {
 public:
  const CsrMatrix<T>& matrix() const { return matrix_; }
  TriangularForm form() const { return analysis_.form; }
  std::int64_t levels() const { return static_cast<std::int64_t>(analysis_.begins.size()) - 1; }
  /// Where each level begins in order(), and the last one ends.
  const std::vector<std::int64_t>& begins() const { return analysis_.begins; }
  /// All rows, level by level, in the memory of the context.
  const Array<std::int32_t>& order() const { return analysis_.order; }

 private:
  SptrsvPlan(const CsrMatrix<T>& matrix, detail::SptrsvAnalysis analysis)
      : matrix_(matrix), analysis_(std::move(analysis)) {}
  template <class U>
  friend SptrsvPlan<U> analyse_triangular(Context& ctx, const CsrMatrix<U>& a, TriangularForm form);
  template <class U, Viewable B, Viewable X>
  friend void sptrsv(Context& ctx, const SptrsvPlan<U>& plan, const B& b, X&& x,
                     const std::type_identity_t<SptrsvFactors<U>>& factors, const Options& options);

  CsrMatrix<T> matrix_;
  detail::SptrsvAnalysis analysis_;
};

/// Looks at the offsets and columns of A, and waits for that; a thread of the CPU finds the levels. The plan is for contexts of
/// this place; the arrays of A stay the caller's. Elements of the other triangle are passed over, as those of U where A holds
/// the factors L and U of an incomplete factorisation. Throws InvalidArgument (a matrix that is not square, or has 2³¹ rows or more; an unknown form;
/// null pointers, memory of another place), SingularSystem (a stored diagonal of which a row has no element: the first such
/// row), OutOfMemory.
///
/// O(rows + elements) on one thread of the CPU, values unread. Keeps 4 bytes for each row and 16 for each level; takes a copy of the column
/// numbers, 16 bytes for each row and 16 for each level besides while it runs. docs/operations/sptrsv.md has its time beside that of a solve.
template <class T>
SptrsvPlan<T> analyse_triangular(Context& ctx, const CsrMatrix<T>& a, TriangularForm form = {}) {
  return {a, detail::analyse_triangular(ctx, a, form)};
}

/// x = α·A⁻¹·b in the memory of the context, without waiting for it.
///
/// plan: of a matrix of float or double; b, x: rows elements of the same type. x may be b itself; it must not overlap b
/// otherwise, nor the arrays of A. Elements of a row may stand in any order, and those of one column add up, on the diagonal,
/// too. α = 0 writes zeros without reading A and b. Row by row the result has a small residual, whatever the condition:
/// |A·x − α·b|_i ≤ γ_{k+2}·(|A|·|x| + |α·b|)_i + (k + 2 + |a_ii|)·η, k the elements of the row that the triangle has; η, the smallest number
/// above zero, counts where products underflow. Our own paths give the same bits again.
///
/// A diagonal that is zero, below the smallest normal number, or NaN, is reported as SingularSystem with the first such row
/// (the one of the smallest number, in an upper triangle, too). In a context on the CPU, the executor's paths included, this call throws, and
/// writes nothing of x: rows are solved into memory of the context, as large as x, and copied. On a GPU the next call that waits for the
/// context throws, as of tridiagonal: x of that row, and of those that need it, is then unspecified, all others are right. Only a library asked
/// for by name (vendor/…) does not report. O(rows + elements) work, of which only rows of one level are solved at the same time; allocates nothing
/// after the first call of a size. Throws InvalidArgument (another size of b or x, null pointers, memory of another place,
/// overlap, unknown options.use), Unavailable (options.use cannot run here or does not take such a matrix), OutOfMemory, DeviceError.
/// Source:  Anderson, Saad 1989, "Solving sparse triangular linear systems on parallel computers"; Liu, Li, Hogg, Duff, Vinter
///          2016, "A synchronization-free algorithm for parallel sparse triangular solves".
template <class T, Viewable B, Viewable X>
void sptrsv(Context& ctx, const SptrsvPlan<T>& plan, const B& b, X&& x,
            const std::type_identity_t<SptrsvFactors<T>>& factors = {}, const Options& options = {}) {
  static_assert(std::is_same_v<element_of<const B>, T> && std::is_same_v<element_of<X>, T>,
                "sptrsv: A, b and x must hold one type");
  detail::sptrsv(ctx, type_of<T>, plan.matrix_, plan.matrix_.values(), plan.analysis_, &factors.alpha,
                 detail::const_memory(b), detail::memory(x), options);
}

}  // namespace tandem
