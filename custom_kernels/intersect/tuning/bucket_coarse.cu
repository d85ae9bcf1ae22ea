// The buckets of 10_hash_coarse with 16 to 4096 ids (bucket.h).

#include "custom_kernels/intersect/10_hash_coarse.cu"
#include "custom_kernels/intersect/tuning/bucket.h"
#include "lib/harness/tuning_point.cuh"

namespace tandem {
namespace {

template <int... kBuckets>
bool add_buckets(std::integer_sequence<int, kBuckets...>) {
  using C = Intersect::Case<std::uint32_t>;
  return (add_point<Intersect, C, hash_coarse<C, kBuckets>, mark_by_bucket<C, kBuckets>, kThreads>(
              bucket_point(1, "hash_coarse", kBuckets, half_bucket_model)) &
          ...);
}

const bool added = add_buckets(BucketSizes{});

}  // namespace
}  // namespace tandem
