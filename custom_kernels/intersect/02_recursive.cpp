// Idea:    divide and conquer: search the median of the shorter list in the longer one; where it falls divides
//          both lists into a lower and an upper part, which are intersected in the same way.
// New:     against serial (svs), a search is confined to the part of the list that the searches before it have
//          left over, and parts that nothing faces are never read.
// Expect:  as few comparisons as a merge on lists of like length and as few as svs on unlike ones; but the
//          recursion jumps to and fro in both lists, and each of its steps is a call.
// Limits:  one core.
// Source:  Baeza-Yates, Salinger 2005, "Experimental analysis of a fast intersection algorithm for sorted
//          sequences".

#include "custom_kernels/intersect/detail/postings.h"

namespace tandem {
namespace {

/// Writes the ids that both lists hold to `kept`, which may be x or y: no id is written before it and all below
/// it have been read.
template <class T>
std::int64_t in_both(const T* x, std::int64_t n, const T* y, std::int64_t m, T* kept) {
  if (n > m) return in_both(y, m, x, n, kept);
  if (n == 0) return 0;
  const std::int64_t middle = n / 2;
  const T median = x[middle];
  const std::int64_t at = std::lower_bound(y, y + m, median) - y;
  const bool there = at < m && y[at] == median;
  std::int64_t found = in_both(x, middle, y, at, kept);
  if (there) kept[found++] = median;
  const std::int64_t above = at + there;
  return found + in_both(x + middle + 1, n - middle - 1, y + above, m - above, kept + found);
}

template <class C>
void recursive(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  answer_in_turn(a, ctx, [&](std::int64_t q, T* to) {
    return list_by_list(a, q, to, [](const T* x, std::int64_t n, PostingList<T> list, T* kept) {
      return in_both(x, n, list.ids, list.size, kept);
    });
  });
}

REGISTER(Intersect, recursive, .note = "divide and conquer at the median of the shorter list")

}  // namespace
}  // namespace tandem
