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
/// Element types, arrays and overlap as of tridiagonal(ctx, …); x may be rhs. options.use, the same on every rank:
///   custom/split       unless something else is said. A rank eliminates its rows but for the first and the last; of these all ranks
///                      make smaller systems, share them out among themselves, and solve them. A rank sends up to 8 words for each
///                      system, and 2 for each it solves and rank, whatever n is; it reads its rows twice. Besides 8 words for
///                      each system, and about 8 · ranks for each it solves, it has 3n words for each of up to 128 bytes of
///                      neighbouring systems, in each thread. Accuracy as of a path that does not pivot, where the diagonal dominates
///                      strictly. Where an elimination loses many digits (a pivot below ε^¼ of its row), it may be the order of
///                      elimination that does: the ranks then go on with custom/transposed, together. Where one rank has all
///                      rows, it makes the call of a context. Never with pivot.
///   custom/transposed  where options.bits is portable, and where systems.pivot is set. A rank gets all rows of some of the systems,
///                      solves them, and sends x back: four words for each of its unknowns leave it, and one comes back. It holds up
///                      to 5 words for each. The bits are those of custom/threads of one rank (with pivot:
///                      custom/pivoting_threads), for any number of ranks and parts.
/// Both wait for the other ranks some ten times. O(n · systems) work; memory is kept for the next call.
///
/// SingularSystem, on every rank, names the first singular system and its row in the whole, as the call of one rank does. Throws
/// as that, on the rank whose argument it is, with RankFailed on the others; RanksDiffer (shapes or paths differ),
/// InvalidArgument on every rank where none has a row or the whole exceeds 2^63 bytes, CommunicationError.
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
