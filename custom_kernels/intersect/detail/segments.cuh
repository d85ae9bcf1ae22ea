#pragma once
// Tables of segments.h for all lists of an index, made on the GPU.

#include "custom_kernels/intersect/detail/postings.cuh"
#include "custom_kernels/intersect/detail/segments.h"

namespace tandem {

/// Where list l's table is: it has an entry for each segment and one behind them, and the tables of the lists before take
/// no more room than this.
template <std::int64_t kBucket>
TANDEM_HD std::int64_t table_of(std::uint64_t start, std::int64_t l) {
  return static_cast<std::int64_t>(start) / kBucket + 2 * l;
}

/// Block l: table[s] is the place of the first id of segment s.
template <class C, std::int64_t kBucket>
__global__ void make_tables(typename C::Args a, std::int64_t* tables) {
  for (std::int64_t l = blockIdx.x; l < a.lists; l += gridDim.x) {
    const PostingList<typename C::T> list{a.ids + a.starts[l], std::int64_t(a.starts[l + 1] - a.starts[l])};
    const Segments<typename C::T, kBucket> segments(list);
    std::int64_t* table = tables + table_of<kBucket>(a.starts[l], l);
    for (std::int64_t s = threadIdx.x; s <= segments.count; s += blockDim.x) {
      table[s] = s == 0 ? 0
                 : s == segments.count
                     ? list.size
                     : first_not_below(list.ids, std::int64_t{0}, list.size, segments.lowest(s));
    }
  }
}

template <class C, std::int64_t kBucket>
std::int64_t* segment_tables(const typename C::Args& a, Context& ctx) {
  constexpr int kThreads = 128;
  auto* tables = ctx.scratch<std::int64_t>(table_of<kBucket>(a.host_starts[a.lists], a.lists));
  launch(ctx, min(a.lists, std::int64_t{1} << 30), kThreads, 0, make_tables<C, kBucket>, a, tables);
  return tables;
}

/// The part of the t-th list of query q where x would be: its segment. Empty where there is none.
template <std::int64_t kBucket, class Args, class T>
__device__ PostingList<T> bucket_of(const Args& a, std::int64_t q, std::int64_t t, const std::int64_t* tables,
                                    T x) {
  const std::int64_t l = a.terms[a.first_term[q] + t];
  const PostingList<T> list = a.list(q, t);
  const Segments<T, kBucket> segments(list);
  const std::int64_t s = segments.segment(x);
  if (s < 0 || s >= segments.count) return {list.ids, 0};
  const std::int64_t* table = tables + table_of<kBucket>(a.starts[l], l);
  return {list.ids + table[s], table[s + 1] - table[s]};
}

}  // namespace tandem
