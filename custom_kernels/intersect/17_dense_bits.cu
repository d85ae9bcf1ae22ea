// Idea:    where the part of a list is dense, a block makes bits of it in shared memory: one for each number between its
//          first and its last candidate. A candidate then looks at its own bit.
// New:     against deferred, one probe takes the place of a dozen, and a part of any length goes in one sweep, four
//          neighbouring ids to a thread, which often share a word.
// Expect:  half the time where lists are of like length and every thirtieth document or more is in them; no change
//          where they are thinner.
// Limits:  131,072 numbers between the first and the last candidate. Bits of lists that are kept as bits in memory would
//          not have to be set again for every piece. They are set in keep_by_bits of common/intersect_piece.cuh.
// Source:  Culpepper, Moffat 2010, "Efficient set intersection for inverted indexing".

#include "custom_kernels/intersect/detail/deferred_places.cuh"

namespace tandem {
namespace {

template <class C>
void dense_bits(const typename C::Args& a, Context& ctx) {
  intersect_and_place<C, PlainList<typename C::T, true>>(a, ctx, "intersect/dense_bits");
}

REGISTER(Intersect, dense_bits, .note = "as deferred, and dense parts become bits in shared memory")

}  // namespace
}  // namespace tandem
