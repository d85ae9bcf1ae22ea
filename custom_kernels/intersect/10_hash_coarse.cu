// Idea:    lists are cut by document number into segments of equal width, with a table of where each starts; a candidate
//          is looked for in its segment alone, from its start on.
// New:     against adp_coarse, a table of segments takes the place of the upper half of every search.
// Expect:  two probes for the segment and, where ids lie evenly, on average 256 to 512 ids read one by one: more than the dozen
//          probes of a search. The tables are made in every call, a search for each segment.
// Limits:  a thread that walks along a list holds up the 31 others of its warp; clustered ids make long segments.
// Source:  Ding, König 2011, "Fast set intersection in memory".

#include "custom_kernels/intersect/detail/segments.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 128;
constexpr int kSegment = 16;  // candidates of a thread

template <class C, std::int64_t kBucket>
__global__ void mark_segments(typename C::Args a, const std::int64_t* tables, std::uint8_t* marks) {
  const std::int64_t first = (std::int64_t(blockIdx.x) * kThreads + threadIdx.x) * kSegment;
  std::int64_t q = first < a.candidates ? query_of(a, first) : 0;
  for (std::int64_t c = first; c < min(first + kSegment, a.candidates); ++c) {
    while (c >= std::int64_t(a.first_candidate[q + 1])) ++q;
    const auto x = a.list(q, 0).ids[c - a.first_candidate[q]];
    bool found = true;
    for (std::int64_t t = 1; t < a.terms_of(q) && found; ++t) {
      const auto bucket = bucket_of<kBucket>(a, q, t, tables, x);
      std::int64_t at = 0;
      while (at < bucket.size && bucket.ids[at] < x) ++at;
      found = at < bucket.size && bucket.ids[at] == x;
    }
    marks[c] = found;
  }
}

template <class C, std::int64_t kBucket = kLabBucket>
void hash_coarse(const typename C::Args& a, Context& ctx) {
  const std::int64_t* tables = segment_tables<C, kBucket>(a, ctx);
  auto* marks = ctx.scratch<std::uint8_t>(a.candidates);
  launch(ctx, ceil_div(a.candidates, kThreads * kSegment), kThreads, 0, mark_segments<C, kBucket>, a, tables,
         marks);
  answer_from_marks<C>(a, ctx, marks);
}

REGISTER(Intersect, hash_coarse, .note = "a thread per segment, each candidate in buckets of 512")

}  // namespace
}  // namespace tandem
