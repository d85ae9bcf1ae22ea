// Idea:    a system lies in the registers of a warp, or of a part of one: each lane eliminates its run of neighbouring
//          rows down to one unknown, the lanes solve for these by parallel cyclic reduction with shuffles, and each
//          puts them into its run.
// New:     against parallel_cyclic_reduction, O(n) operations, no block barrier and no shared memory between steps.
//          Memory is read in whole lines, each warp then turns its numbers round in shared memory, so contiguous
//          systems need no transposition.
// Expect:  the 5 words per unknown that must move and nothing else; all of a warp's loads are in flight at once.
// Limits:  systems whose rows are neighbours in memory, of up to 32 runs of 32 rows; runs that registers cannot hold
//          arrive in shared memory, where all of their numbers but one per row stay. Repeats bit for bit.
//          The kernel is in common/tridiagonal_warp.cuh, because the functors of users run on it too.
// Source:  Laszlo, Giles, Appleyard 2016, "Manycore algorithms for batch scalar and block tridiagonal solvers"; Wang
//          1981, "A parallel method for tridiagonal equations".

#include "custom_kernels/tridiagonal/detail/warp.cuh"

namespace tandem {
namespace {

template <class C>
void warp_hybrid(const typename C::Args& a, Context& ctx) {
  warp_per_system<C>(a, StoredRows{}, ctx);
}

std::string refuses(const Tridiagonal::Shape& shape, CaseId id) {
  if (shape.systems.row != 1 && shape.systems.n > 1) return "for systems in one piece only";
  if (shape.systems.n > kWarpMostRows) return "takes up to 1024 rows, 32 for each lane of a warp";
  return Tridiagonal::refuse_list_and_pivot(shape, id);
}

REGISTER(Tridiagonal, warp_hybrid,
         .note = "systems in registers: runs of rows per lane, shuffles between them", .refuses = refuses)

}  // namespace
}  // namespace tandem
