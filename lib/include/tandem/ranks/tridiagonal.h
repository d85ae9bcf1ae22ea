#pragma once
// tridiagonal over ranks: systems whose rows the ranks share.

#include "tandem/communicator.h"
#include "tandem/tridiagonal.h"

namespace tandem {

namespace detail {
/// in: lower, diag, upper and rhs.
TANDEM_API void tridiagonal_over_ranks(RanksScope& scope, Type type, const ConstMemory (&in)[4], Memory x,
                                       const Systems& systems, const Options& options);
}  // namespace detail

/// Solves every system of the batch. Of each system a rank has systems.n rows, which follow those of the ranks before: any number,
/// and 0 too. inner, outer, pivot and shared_matrix (lower, diag and upper then hold this rank's rows of the one matrix) must
/// agree on all ranks; strides are each rank's own. lower of the first row of the whole, and upper of its last, are not used.
///
/// Element types, arrays and overlap as of tridiagonal(ctx, …); x may be rhs. options.use, which must agree:
///
/// custom/split, unless something else is asked for. A rank eliminates its rows but for the first and the last; those of all
/// ranks make smaller systems, which the ranks share out among themselves and solve. A rank sends some 10 words for each
/// system, whatever n is, reads its rows twice, and holds some 18 words for each system; each of its threads 3n for each of up to
/// 128 bytes of neighbouring systems. Residuals are those of tridiagonal(ctx, …) where the diagonal dominates strictly and by
/// more than a few per cent; else up to ε^−¼ times as large. Where a pivot is below ε^¼ of its row, the order of elimination may
/// be the reason, so all ranks together take custom/transposed instead. Where one rank has all rows, it calls
/// tridiagonal(ctx, …). Never with pivot (Unavailable).
///
/// custom/neighbour, only by name: as split, but a rank's last row and the first of the next one are solved as a system of two, by these two
/// ranks alone; 6 words for each system. It measures by which share of a pivot a rank's first and last row depend on each
/// other, and throws Unavailable on every rank where that exceeds ε anywhere, and where a rank has one row; x is untouched then.
///
/// custom/transposed, where options.bits is portable or systems.pivot is set. A rank gets all rows of its share of the systems,
/// solves these, and sends x back. For each of its unknowns it sends 5 words and holds as many. A rank solves whole systems: of
/// fewer than ranks, some have none. x has the bits of custom/threads of one rank (with pivot: custom/pivoting_threads),
/// for any number of ranks and however rows are shared out.
///
/// Split and transposed exchange some fifteen messages with each rank, neighbour fewer. O(n · systems) work; memory is kept for the next call.
///
/// SingularSystem, on every rank, names the first singular system, and the row in the whole, as the call of one rank does; x of
/// the other systems is right. (A matrix that merely needs an exchange of rows may be solved by custom/split, where its
/// elimination needs none.) Throws as tridiagonal(ctx, …) on the rank whose arguments are wrong, and RankFailed on the others;
/// RanksDiffer; InvalidArgument on every rank where none has a row, or the whole exceeds 2^63 bytes; CommunicationError.
/// Source:  László, Giles, Appleyard 2016, "Manycore algorithms for batch scalar and block tridiagonal solvers"; Kim et al. 2021,
///          "PaScaL_TDMA: A library of parallel and scalable solvers for massive tridiagonal systems".
template <Viewable Lower, Viewable Diag, Viewable Upper, Viewable Rhs, Viewable X>
void tridiagonal(Communicator& all, const Lower& lower, const Diag& diag, const Upper& upper, const Rhs& rhs,
                 X&& x, const Systems& systems, const Options& options = {}) {
  using T = element_of<X>;
  static_assert(std::is_same_v<T, float> || std::is_same_v<T, double>, "tridiagonal takes float and double");
  static_assert(std::is_same_v<element_of<const Lower>, T> && std::is_same_v<element_of<const Diag>, T> &&
                    std::is_same_v<element_of<const Upper>, T> && std::is_same_v<element_of<const Rhs>, T>,
                "tridiagonal: all arrays must hold one type");
  const detail::ConstMemory in[] = {detail::const_memory(lower), detail::const_memory(diag),
                                    detail::const_memory(upper), detail::const_memory(rhs)};
  const detail::Memory out = detail::memory(x);
  detail::translated([&] {
    detail::RanksScope scope(all, {.call = RankCall::tridiagonal,
                                   .id = {type_of<T>, OperatorId::none},
                                   .sizes = {systems.inner, systems.outer, -1}});
    detail::tridiagonal_over_ranks(scope, type_of<T>, in, out, systems, options);
  });
}

}  // namespace tandem
