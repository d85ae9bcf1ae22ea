#pragma once
// Tables of the buckets of all lists of an index, made on the GPU.

#include "custom_kernels/intersect/detail/buckets.h"
#include "custom_kernels/intersect/detail/postings.cuh"

namespace tandem {

/// Host and device: the index of list l's table, which has an entry for each bucket and one behind them: the
/// tables of the lists before it take no more room than this. `start` is where the list starts among all ids.
template <std::int64_t kBucket>
TANDEM_HD std::int64_t table_of(std::uint64_t start, std::int64_t l) {
  return static_cast<std::int64_t>(start) / kBucket + 2 * l;
}

/// Kernel: a block for each list; table[b] is the index of the first id of bucket b.
template <class C, std::int64_t kBucket>
__global__ void make_tables(typename C::Args a, std::int64_t* tables) {
  for (std::int64_t l = blockIdx.x; l < a.lists; l += gridDim.x) {
    const PostingList<typename C::T> list{a.ids + a.starts[l], std::int64_t(a.starts[l + 1] - a.starts[l])};
    const Buckets<typename C::T, kBucket> buckets(list);
    std::int64_t* table = tables + table_of<kBucket>(a.starts[l], l);
    for (std::int64_t b = threadIdx.x; b <= buckets.count; b += blockDim.x) {
      table[b] = b == 0 ? 0
                 : b == buckets.count
                     ? list.size
                     : first_not_below(list.ids, std::int64_t{0}, list.size, buckets.lowest(b));
    }
  }
}

/// Host: launches make_tables.
template <class C, std::int64_t kBucket>
std::int64_t* bucket_tables(const typename C::Args& a, Context& ctx) {
  constexpr int kThreads = 128;
  auto* tables = ctx.scratch<std::int64_t>(table_of<kBucket>(a.host_starts[a.lists], a.lists));
  launch(ctx, min(a.lists, std::int64_t{1} << 30), kThreads, 0, make_tables<C, kBucket>, a, tables);
  return tables;
}

/// Thread-wide: the bucket of the t-th list of query q where x would be. Empty where there is none.
template <std::int64_t kBucket, class Args, class T>
__device__ PostingList<T> bucket_of(const Args& a, std::int64_t q, std::int64_t t, const std::int64_t* tables,
                                    T x) {
  const std::int64_t l = a.terms[a.first_term[q] + t];
  const PostingList<T> list = a.list(q, t);
  const Buckets<T, kBucket> buckets(list);
  const std::int64_t b = buckets.bucket(x);
  if (b < 0 || b >= buckets.count) return {list.ids, 0};
  const std::int64_t* table = tables + table_of<kBucket>(a.starts[l], l);
  return {list.ids + table[b], table[b + 1] - table[b]};
}

}  // namespace tandem
