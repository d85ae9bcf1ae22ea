// Idea:    cut the longer list by document number into buckets of equal width, with a table of where each
//          begins: the hash of an id is its bucket, and only that bucket is searched, from its beginning on.
// New:     against serial (svs), a look-up in the table replaces the upper half of every binary search, and
//          what is left are neighbours in memory: 512 to 1,024 ids where they lie evenly.
// Expect:  a shift and on average half a bucket per candidate. The table costs one search per bucket.
// Limits:  one core. Clustered ids fill some buckets far beyond 512; with many candidates per bucket a merge
//          reads less.
// Source:  Ding, König 2011, "Fast set intersection in memory".

#include "custom_kernels/intersect/detail/buckets.h"
#include "custom_kernels/intersect/detail/postings.h"

namespace tandem {
namespace {

template <class C, std::int64_t kBucket = kLabBucket>
void hash(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  std::int64_t longest = 0;
  for (std::int64_t l = 0; l < a.lists; ++l)
    longest = std::max(longest, static_cast<std::int64_t>(a.starts[l + 1] - a.starts[l]));
  auto* table = ctx.scratch<std::int64_t>(longest / kBucket + 2);
  answer_in_turn(a, ctx, [&](std::int64_t q, T* to) {
    return list_by_list(a, q, to, [&](const T* x, std::int64_t n, PostingList<T> list, T* kept) {
      const Buckets<T, kBucket> buckets(list);
      table[0] = 0;
      for (std::int64_t b = 1; b < buckets.count; ++b)
        table[b] =
            std::lower_bound(list.ids + table[b - 1], list.ids + list.size, buckets.lowest(b)) - list.ids;
      table[buckets.count] = list.size;
      std::int64_t found = 0;
      for (std::int64_t i = 0; i < n; ++i) {
        const std::int64_t b = buckets.bucket(x[i]);
        if (b < 0) continue;
        if (b >= buckets.count) break;
        std::int64_t at = table[b];
        while (at < table[b + 1] && list.ids[at] < x[i]) ++at;
        if (at < table[b + 1] && list.ids[at] == x[i]) kept[found++] = x[i];
      }
      return found;
    });
  });
}

REGISTER(Intersect, hash, .note = "a table by document number, buckets of 512")

}  // namespace
}  // namespace tandem
