// Idea:    lists are cut by document number into buckets of equal width, with a table of where each begins; a
//          candidate is looked for in its bucket alone, from the beginning on.
// New:     against adp_coarse, a look-up in a table replaces the upper half of every search.
// Expect:  two loads for the bucket and, where ids lie evenly, on average 256 to 512 ids read one by one:
//          more than the dozen probes of a search. The tables are made in every call, with a search for each
//          bucket.
// Limits:  a thread that walks along a bucket holds up the 31 others of its warp; clustered ids make long
//          buckets.
// Source:  Ding, König 2011, "Fast set intersection in memory".

#include "custom_kernels/intersect/detail/buckets.cuh"
#include "custom_kernels/intersect/detail/marks.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 128;
constexpr int kChunk = 16;  // candidates of a thread

template <class C, std::int64_t kBucket>
__global__ void mark_by_bucket(typename C::Args a, const std::int64_t* tables, std::uint8_t* marks) {
  const std::int64_t first = (std::int64_t(blockIdx.x) * kThreads + threadIdx.x) * kChunk;
  std::int64_t q = first < a.candidates ? query_of(a, first) : 0;
  for (std::int64_t c = first; c < min(first + kChunk, a.candidates); ++c) {
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
  const std::int64_t* tables = bucket_tables<C, kBucket>(a, ctx);
  auto* marks = ctx.scratch<std::uint8_t>(a.candidates);
  launch(ctx, ceil_div(a.candidates, kThreads * kChunk), kThreads, 0, mark_by_bucket<C, kBucket>, a, tables,
         marks);
  answer_from_marks<C>(a, ctx, marks);
}

REGISTER(Intersect, hash_coarse, .note = "a thread per chunk, each candidate in buckets of 512",
         .suits = suits_marks)

}  // namespace
}  // namespace tandem
