// Idea:    tiles of 64 × 64, and every load of a thread, 16 of them, in flight before the first is stored to
//          shared memory.
// New:     against padded_tile, four times as many elements per tile, so that a row of it is 64 long in the
//          input and in the output; tiles of 16 × 256 or 256 × 16 for thin matrices; tiles in an order that
//          brings neighbours together. The grid starts early (launch_early). The kernel is in
//          detail/wide_tile.cuh, since register_tile has use for it.
// Expect:  close to the bandwidth of a copy for lines of any alignment: a row of 64 floats that starts
//          anywhere touches 9 sectors where 8 would do; in tiles of 32 it is 5 for 4.
// Limits:  one element per access, hence four times the instructions of a step that moves packs, for doubles
//          twice.
// Source:  Ruetsch, Micikevicius 2009, for the tile; Volkov 2010, "Better performance at lower occupancy",
//          for the loads in flight.

#include "custom_kernels/transpose/detail/wide_tile.cuh"
#include "lib/ops/transpose/contract.h"

namespace tandem {
namespace {

template <class C>
void wide_tile(const typename C::Args& a, Context& ctx) {
  transpose_by_wide_tiles<C>(a, ctx);
}

REGISTER(Transpose, wide_tile, .note = "tiles of 64 x 64, all loads of a thread in flight, any alignment",
         .refuses = Transpose::refuse_in_place)

}  // namespace
}  // namespace tandem
