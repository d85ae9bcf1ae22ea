#pragma once
// gemm over ranks: the rows of A, of B and of C are shared out.

#include "tandem/communicator.h"
#include "tandem/gemm.h"

namespace tandem {

namespace detail {
/// panel_bytes: the most of B that comes at once, though at least one column of a panel.
TANDEM_API void gemm(Communicator& all, Type type, const void* alpha, const MatrixView<const std::byte>& a,
                     const MatrixView<const std::byte>& b, const void* beta,
                     const MatrixView<const std::byte>& c, const Options& options,
                     std::int64_t panel_bytes = std::int64_t{1} << 26);
}  // namespace detail

/// C = α·A·B + β·C of matrices whose rows are shared out over the ranks, in rank order.
///
/// a: this rank's rows of the m × k matrix A, b: its rows of the k × n matrix B, c: its rows of the m × n result, as many as of A;
/// those of B are shared out in a way of their own. Any of them may be 0. Layouts, leading dimensions, overlap, β = 0, α = 0
/// and k = 0 as of gemm(ctx, …); float or double. alpha and beta are those of this rank's rows; b is read where any rank's α is not 0.
///
/// A and C stay where they are. B travels in panels of 384 rows to every rank, k·n elements in all.
/// The communicator keeps two panels, each of up to 64 MiB whatever k, n and the number of ranks: a wider B is cut into columns.
/// options.use, or the automatic choice, computes C from one panel after the other, each result within γ_{k+2+4p}·|α|·(|A|·|B|)_ij
/// + γ_{4p}·|β·C|_ij + (k·|α| + 2p)·η of the exact one, p = ⌈k / 384⌉.
///
/// **The same bits on any number of ranks**, however rows are shared out: with options.bits = portable. Then
/// gemm/custom/threads runs, which adds up the products of an element and panel in ascending order, whatever m, n and the
/// threads are, and rounds each product by itself: the same on every x86-64 machine. gemm/custom/simd by options.use is several times as fast, and
/// depends on neither of these, only on whether the processor has AVX2; its bits are those of one rank's gemm(ctx, …) by that path.
///
/// Throws as gemm(ctx, …) where an argument is bad, InvalidArgument on every rank where the ranks' rows of B are not k in all, Unavailable
/// (another path by name with portable bits), RanksDiffer where n, k or types differ, RankFailed, OutOfMemory, CommunicationError.
/// Source:  van de Geijn, Watts 1997, "SUMMA: scalable universal matrix multiplication algorithm".
template <class A, class B, class T>
void gemm(Communicator& all, std::type_identity_t<accumulator_t<T>> alpha, const MatrixView<A>& a,
          const MatrixView<B>& b, std::type_identity_t<accumulator_t<T>> beta, const MatrixView<T>& c,
          const Options& options = {}) {
  static_assert(std::is_same_v<std::remove_const_t<A>, T> && std::is_same_v<std::remove_const_t<B>, T>,
                "gemm: A, B and C must hold one type");
  static_assert(std::is_floating_point_v<T>, "gemm over ranks takes float and double");
  detail::gemm(all, type_of<T>, &alpha, detail::untyped(a), detail::untyped(b), &beta, detail::untyped(c),
               options);
}

}  // namespace tandem
