// The buckets of 13_hash_fine with 16 to 4096 ids (bucket.h).

#include "custom_kernels/intersect/13_hash_fine.cu"
#include "custom_kernels/intersect/tuning/bucket.h"
#include "lib/harness/tuning_point.cuh"

namespace tandem {
namespace {

template <int... kBuckets>
bool add_buckets(std::integer_sequence<int, kBuckets...>) {
  using C = Intersect::Case<std::uint32_t>;
  return (add_point<Intersect, C, hash_fine<C, kBuckets>, mark_candidates<C, kBuckets>, kThreads>(
              bucket_point(2, "hash_fine", kBuckets, whole_bucket_model)) &
          ...);
}

const bool added = add_buckets(BucketSizes{});

}  // namespace
}  // namespace tandem
