// The buckets of 05_hash with 16 to 4096 ids (bucket.h).

#include "custom_kernels/intersect/tuning/bucket.h"
#include "custom_kernels/intersect/05_hash.cpp"
#include "lib/harness/tuning_point.h"

namespace tandem {
namespace {

template <int... kBuckets>
bool add_buckets(std::integer_sequence<int, kBuckets...>) {
  using C = Intersect::Case<std::uint32_t>;
  return (add_point<Intersect, C, hash<C, kBuckets>>(bucket_point(0, "hash", kBuckets, half_bucket_model)) &
          ...);
}

const bool added = add_buckets(BucketSizes{});

}  // namespace
}  // namespace tandem
