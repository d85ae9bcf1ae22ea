// Idea:    the candidates of every query are cut into pieces, which are shared out among the threads.
// New:     against simd, all cores; of each longer list a piece takes the part between its first and its last
//          candidate.
// Expect:  simd's speed times the number of cores, until memory bandwidth is the bound.
// Limits:  the results of a piece wait in memory of their own until it is known how many lie before them, and
//          are copied.
// Source:  Tatikonda, Junqueira, Cambazoglu, Plachouras 2009, "On efficient posting list intersection with
//          multicore processors".

#include "custom_kernels/intersect/detail/pair.h"
#include "custom_kernels/intersect/detail/pieces.h"

namespace tandem {
namespace {

/// Intersects a piece of query q, whose candidates start at index `first` of its shortest list.
template <class Args, class T>
std::int64_t answer_piece(const Args& a, std::int64_t q, std::int64_t first, T* to) {
  const PostingList<T> shortest = a.list(q, 0);
  const T* candidates = shortest.ids + first;
  std::int64_t n = std::min<std::int64_t>(a.piece, shortest.size - first);
  for (std::int64_t t = 1; t < a.terms_of(q) && n > 0; ++t) {
    n = intersect_part(candidates, n, a.list(q, t), to);
    candidates = to;
  }
  if (candidates != to) std::copy_n(candidates, n, to);
  return n;
}

template <class C>
void threads(const typename C::Args& a, Context& ctx) {
  answer_pieces(a, ctx, kAloneIds,
                [&](std::int64_t q, std::int64_t first, auto* to) { return answer_piece(a, q, first, to); });
}

REGISTER(Intersect, threads, .note = "pieces of the shortest lists shared out among the threads, as simd")

}  // namespace
}  // namespace tandem
