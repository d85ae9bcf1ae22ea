// Idea:    small versus small: of the shortest list keep what the next one holds, then what the third holds,
//          and so on. Each candidate is searched for by binary search, from where the one before it was
//          found.
// Expect:  shortest list × logarithm of the others, most of whose ids are never read; every probe is an
//          unpredictable branch and a load from another cache line.
// Limits:  one core. For lists of like length a merge is faster.
// Source:  Demaine, López-Ortiz, Munro 2001, "Experiments on adaptive set intersections for text retrieval
//          systems".

#include "custom_kernels/intersect/detail/postings.h"

namespace tandem {
namespace {

template <class C>
void serial(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  answer_in_turn(a, ctx, [&](std::int64_t q, T* to) {
    return list_by_list(a, q, to, [](const T* x, std::int64_t n, PostingList<T> list, T* kept) {
      const T *at = list.ids, *end = list.ids + list.size;
      std::int64_t found = 0;
      for (std::int64_t i = 0; i < n; ++i) {
        at = std::lower_bound(at, end, x[i]);
        if (at == end) break;
        if (*at == x[i]) kept[found++] = x[i];
      }
      return found;
    });
  });
}

REGISTER(Intersect, serial, .note = "svs: list after list, shortest first, binary search")

}  // namespace
}  // namespace tandem
