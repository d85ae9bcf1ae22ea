// Idea:    candidates are cut into pieces, and threads share the pieces: of every query, however long.
// New:     against simd, all cores; of each longer list a piece takes the part between its first and its last id.
// Expect:  as many times simd's speed as there are cores, until the memory is busy.
// Limits:  the results of a piece wait in memory of their own until it is known how many lie before them, and are copied.
// Source:  OpenMP specification, "loop"; Tatikonda, Junqueira, Cambazoglu, Plachouras 2009, "On efficient posting list
//          intersection with multicore processors".

#include "custom_kernels/common/intersect_pair.h"

namespace tandem {
namespace {

constexpr std::int64_t kSerialIds = 1 << 12;  // up to this many candidates, starting threads would cost more

/// The ids of a piece of query q, whose candidates start at `first` of its shortest list.
template <class Args, class T>
std::int64_t answer_piece(const Args& a, std::int64_t q, std::int64_t first, T* to) {
  const PostingList<T> shortest = a.list(q, 0);
  const T* candidates = shortest.ids + first;
  std::int64_t n = std::min<std::int64_t>(a.piece, shortest.size - first);
  for (std::int64_t t = 1; t < a.terms_of(q) && n > 0; ++t) {
    const PostingList<T> list = a.list(q, t);
    const std::int64_t begin = first == 0 ? 0 : gallop(list, 0, candidates[0]);
    const std::int64_t end = gallop(list, begin, candidates[n - 1]);  // of those below the last candidate
    n = intersect_pair(candidates, n, {list.ids + begin, std::min(list.size, end + 1) - begin}, to);
    candidates = to;
  }
  if (candidates != to) std::copy_n(candidates, n, to);
  return n;
}

template <class C>
void openmp(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  T* found = ctx.scratch<T>(a.candidates);
  auto* sizes = ctx.scratch<std::int64_t>(a.pieces);
  const auto query_of = [&](std::int64_t p) {
    return std::upper_bound(a.first_piece, a.first_piece + a.queries, static_cast<std::uint64_t>(p)) -
           a.first_piece - 1;
  };
  const auto place = [&](std::int64_t q, std::int64_t p) {  // of a piece among the candidates of its query
    return (p - static_cast<std::int64_t>(a.first_piece[q])) * a.piece;
  };
#pragma omp parallel if (a.candidates > kSerialIds)
  {
#pragma omp for schedule(dynamic)
    for (std::int64_t p = 0; p < a.pieces; ++p) {
      const std::int64_t q = query_of(p), first = place(q, p);
      sizes[p] = answer_piece(a, q, first, found + a.first_candidate[q] + first);
    }
#pragma omp single
    {
      std::int64_t total = 0, p = 0;
      for (std::int64_t q = 0; q < a.queries; ++q) {
        const std::int64_t before = total;
        for (; p < static_cast<std::int64_t>(a.first_piece[q + 1]); ++p)
          total += std::exchange(sizes[p], total);
        (a.counts ? a.counts : a.offsets)[q] = static_cast<std::uint64_t>(a.counts ? total - before : before);
      }
      if (a.offsets) a.offsets[a.queries] = static_cast<std::uint64_t>(total);
    }
    if (a.out) {
#pragma omp for schedule(static)
      for (std::int64_t p = 0; p < a.pieces; ++p) {
        const std::int64_t q = query_of(p);
        const std::int64_t end =
            p + 1 < a.pieces ? sizes[p + 1] : static_cast<std::int64_t>(a.offsets[a.queries]);
        std::copy_n(found + a.first_candidate[q] + place(q, p), end - sizes[p], a.out + sizes[p]);
      }
    }
  }
}

REGISTER(Intersect, openmp, .note = "pieces of the shortest lists shared out among the threads, as simd")

}  // namespace
}  // namespace tandem
