// Idea:    one id at a time through all lists: the shortest names a candidate, and the first list that has
//          only a larger id names the next one, so that a gap in any list is jumped over in all of them.
// New:     against serial (svs), no list of candidates is written and read again, and a search starts where
//          the last one in the same list ended, and gallops: its strides double.
// Expect:  fewer probes where the ids of different lists lie in different clusters; switching between lists
//          for every candidate costs more than searching one list.
// Limits:  one core; a cursor for each list.
// Source:  Demaine, López-Ortiz, Munro 2000, "Adaptive set intersections, unions, and differences"; Barbay et
//          al. 2009.

#include "custom_kernels/intersect/detail/postings.h"

namespace tandem {
namespace {

template <class T>
struct Cursor {
  PostingList<T> list;
  std::int64_t at;
};

template <class C>
void adp(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  auto* cursors = ctx.scratch<Cursor<T>>(a.most_terms);
  answer_in_turn(a, ctx, [&](std::int64_t q, T* to) {
    const std::int64_t terms = a.terms_of(q);
    for (std::int64_t t = 0; t < terms; ++t) cursors[t] = {a.list(q, t), 0};
    Cursor<T>& shortest = cursors[0];
    std::int64_t found = 0;
    while (shortest.at < shortest.list.size) {
      const T candidate = shortest.list.ids[shortest.at];
      std::int64_t t = 1;
      for (; t < terms; ++t) {
        Cursor<T>& c = cursors[t];
        c.at = gallop(c.list, c.at, candidate);
        if (c.at == c.list.size) return found;
        if (c.list.ids[c.at] != candidate) break;
      }
      if (t == terms) {
        to[found++] = candidate;
        ++shortest.at;
      } else {
        shortest.at = gallop(shortest.list, shortest.at, cursors[t].list.ids[cursors[t].at]);
      }
    }
    return found;
  });
}

REGISTER(Intersect, adp, .note = "adaptive: one id at a time through all lists, gallop to the next")

}  // namespace
}  // namespace tandem
