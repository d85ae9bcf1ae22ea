// Idea:    a skip list: express lanes over the ids, each stop of a lane standing for eight of the lane below.
//          A search walks along the fastest lane until the next stop is past the id, then changes down.
// New:     against zipper, ids that no candidate needs are skipped 512 or 64 at a time; against serial, the
//          cost of a search grows with the distance to the last candidate, and memory is read forwards.
// Expect:  up to seven steps in each of three lanes. An array with stops at fixed distances needs no
//          pointers: the lanes are the list itself, read at strides of 512, 64 and 8.
// Limits:  one core; distances far beyond 512 are walked in steps of 512.
// Source:  Pugh 1990, "Skip lists: a probabilistic alternative to balanced trees"; Moffat, Zobel 1996,
//          "Self-indexing inverted files for fast text retrieval".

#include "custom_kernels/intersect/detail/postings.h"

namespace tandem {
namespace {

constexpr std::int64_t kLanes[] = {512, 64, 8, 1};

template <class C>
void skip_list(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  answer_in_turn(a, ctx, [&](std::int64_t q, T* to) {
    return list_by_list(a, q, to, [](const T* x, std::int64_t n, PostingList<T> list, T* kept) {
      std::int64_t at = 0, found = 0;
      for (std::int64_t i = 0; i < n; ++i) {
        for (const std::int64_t stride : kLanes) {
          while (at + stride <= list.size && list.ids[at + stride - 1] < x[i]) at += stride;
        }
        if (at == list.size) break;
        if (list.ids[at] == x[i]) kept[found++] = x[i];
      }
      return found;
    });
  });
}

REGISTER(Intersect, skip_list, .note = "express lanes of strides 512, 64, 8 over the list")

}  // namespace
}  // namespace tandem
