// Idea:    what a piece leaves is put aside, and a second, small launch moves it to its place when all pieces are done.
// New:     against batch, no block waits for those before it. Pieces take different times; a block that waited kept others
//          from starting.
// Expect:  the time of counting, and a launch of a few microseconds that reads and writes each result once more.
// Limits:  dense results move twice. Memory for all candidates, of which results may use little. The second launch is in
//          common/deferred_places.cuh, because the next steps end with it too.
// Source:  Billeter, Olsson, Assarsson 2009, "Efficient stream compaction on wide SIMD many-core architectures".

#include "custom_kernels/intersect/detail/deferred_places.cuh"

namespace tandem {
namespace {

template <class C>
void deferred(const typename C::Args& a, Context& ctx) {
  intersect_and_place<C, PlainList<typename C::T>>(a, ctx, "intersect/deferred");
}

REGISTER(Intersect, deferred, .note = "as batch, but results wait aside until all are there")

}  // namespace
}  // namespace tandem
