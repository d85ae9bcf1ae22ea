// Idea:    a warp compares its candidate with a bucket of ids, 32 neighbours at a time.
// New:     against hash_coarse, the loads of a bucket coalesce; against adp_fine, a warp reads one part of
//          the list instead of probing it at even distances.
// Expect:  where ids lie evenly, about eight comparisons of 32 ids for a candidate that is found, each of one
//          cache line.
// Limits:  a candidate that is not found reads its whole bucket, which is long where ids are clustered.
// Source:  Ding, König 2011, "Fast set intersection in memory".

#include "custom_kernels/intersect/detail/buckets.cuh"
#include "custom_kernels/intersect/detail/marks.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 128;
constexpr int kWarps = kThreads / kWarp;

template <class C, std::int64_t kBucket>
__global__ void mark_candidates(typename C::Args a, const std::int64_t* tables, std::uint8_t* marks) {
  const std::int64_t c = std::int64_t(blockIdx.x) * kWarps + threadIdx.x / kWarp;
  if (c >= a.candidates) return;  // a whole warp
  const int lane = threadIdx.x % kWarp;
  const std::int64_t q = query_of(a, c);
  const auto x = a.list(q, 0).ids[c - a.first_candidate[q]];
  bool found = true;
  for (std::int64_t t = 1; t < a.terms_of(q) && found; ++t) {
    const auto bucket = bucket_of<kBucket>(a, q, t, tables, x);
    found = false;
    for (std::int64_t first = 0; first < bucket.size && !found; first += kWarp)
      found = __any_sync(kAllLanes, first + lane < bucket.size && bucket.ids[first + lane] == x);
  }
  if (lane == 0) marks[c] = found;
}

template <class C, std::int64_t kBucket = kLabBucket>
void hash_fine(const typename C::Args& a, Context& ctx) {
  const std::int64_t* tables = bucket_tables<C, kBucket>(a, ctx);
  auto* marks = ctx.scratch<std::uint8_t>(a.candidates);
  launch(ctx, ceil_div(a.candidates, kWarps), kThreads, 0, mark_candidates<C, kBucket>, a, tables, marks);
  answer_from_marks<C>(a, ctx, marks);
}

REGISTER(Intersect, hash_fine, .note = "a warp per candidate, compared with a bucket, 32 ids at a time",
         .suits = suits_marks)

}  // namespace
}  // namespace tandem
