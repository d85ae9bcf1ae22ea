// Idea:    where lists are of like length, eight ids of one are compared with eight of the other at once, all
//          with all; where one is far longer, interpolation guesses the indices of a group of candidates, and
//          these ids are prefetched together.
// New:     against zipper, a step with its dependent loads and comparison brings eight ids, not one, and the
//          instructions that it has more are independent; against adp, the cache misses of 32 searches
//          overlap.
// Expect:  24 vector instructions for eight ids: about an id per cycle. Far apart, one or two cache lines for
//          a candidate.
// Limits:  one core. Processors without AVX2 compare four ids at a time. Where ids lie unevenly a guess is
//          far off, and costs the logarithm of its error.
// Source:  Inoue, Ohara, Taura 2014, "Faster set intersection with SIMD instructions by reducing branch
//          mispredictions"; Lemire, Boytsov, Kurz 2016, "SIMD compression and the intersection of sorted
//          integers".

#include "custom_kernels/intersect/detail/pair.h"

namespace tandem {
namespace {

template <class C>
void simd(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  answer_in_turn(a, ctx, [&](std::int64_t q, T* to) { return list_by_list(a, q, to, intersect_pair); });
}

REGISTER(Intersect, simd,
         .note = "blocks of 8 ids compared all with all; far apart, interpolation and prefetch")

}  // namespace
}  // namespace tandem
