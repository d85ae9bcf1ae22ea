// Idea:    merge: walk through both lists at once, always a step in the one that is behind.
// New:     against serial (svs), both lists are read from end to end, in order, and nothing is searched for.
//          The steps are sums of comparisons, without a branch, which would be mispredicted every second time
//          on lists of like length.
// Expect:  a step per id of both lists, each of which depends on the comparison before it: about eight
//          cycles.
// Limits:  one core; a short list against a long one reads all of the long one.
// Source:  Knuth 1998, "The art of computer programming", volume 3, section 5.2.4 (merging).

#include "custom_kernels/intersect/detail/postings.h"

namespace tandem {
namespace {

template <class C>
void zipper(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  answer_in_turn(a, ctx, [&](std::int64_t q, T* to) {
    return list_by_list(a, q, to, [](const T* x, std::int64_t n, PostingList<T> list, T* kept) {
      std::int64_t i = 0, j = 0, found = 0;
      while (i < n && j < list.size) {
        const T left = x[i], right = list.ids[j];
        kept[found] = left;  // stays if it is in both
        found += left == right;
        i += left <= right;
        j += right <= left;
      }
      return found;
    });
  });
}

REGISTER(Intersect, zipper, .note = "two lists walked through together, without branches")

}  // namespace
}  // namespace tandem
