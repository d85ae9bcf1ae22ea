#pragma once
// thrust::reduce_by_key with the numbers of the segments as keys; the including file says with which of Thrust's
// systems. It finds results only where there are elements, so the identity is written first, and what it finds is
// scattered.

#include <thrust/binary_search.h>
#include <thrust/fill.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/reduce.h>
#include <thrust/scatter.h>
#include <thrust/version.h>

#include "lib/ops/segmented_reduce/contract.h"

namespace tandem {
namespace {

/// The key of element i, which was looked up or is computed. (One iterator for both halves what Thrust takes to compile.)
struct SegmentOf {
  const std::int64_t* keys;
  std::int64_t begin, length;
  TANDEM_HD std::int64_t operator()(std::int64_t i) const { return keys ? keys[i - begin] : i / length; }
};

/// Keys of equal segments are computed; those of others are looked up among the offsets first, since a user of
/// reduce_by_key has keys, not offsets. `keys` has a.elements elements then, `found` and `values` a.segments.count.
template <class C, class Policy, class Op>
void reduce_by_key(const Policy& policy, const typename C::Args& a, std::int64_t begin, std::int64_t end,
                   std::int64_t* keys, std::int64_t* found, typename C::Acc* values, const Op& op) {
  const auto& [offsets, count, length, stride, step] = a.segments;
  thrust::fill(policy, a.out, a.out + count, C::Op::template identity<typename C::Acc>());
  if (begin == end) return;
  const thrust::counting_iterator<std::int64_t> index(begin);
  if (offsets)
    thrust::upper_bound(policy, offsets + 1, offsets + count + 1, index, index + (end - begin), keys);
  const auto first =
      thrust::make_transform_iterator(index, SegmentOf{offsets ? keys : nullptr, begin, length});
  const auto reduce = [&](auto elements) {
    return thrust::reduce_by_key(policy, first, first + (end - begin), elements, found, values,
                                 thrust::equal_to<std::int64_t>{}, op)
        .first;
  };
  std::int64_t* last;
  if constexpr (C::kLoadsPlain)
    last = reduce(a.in + begin);
  else
    last = reduce(thrust::make_transform_iterator(a.in + begin, typename C::Load{}));
  thrust::scatter(policy, values, values + (last - found), found, a.out);
}

/// The same where the host can look where segments lie.
template <class C, class Policy>
void host_reduce_by_key(const Policy& policy, const typename C::Args& a, Context& ctx) {
  using Acc = typename C::Acc;
  const std::int64_t count = a.segments.count, begin = a.segments.begin(0), end = a.segments.end(count - 1);
  // Some systems pass it what only converts to results.
  const auto op = [](Acc x, Acc y) { return typename C::Op{}(x, y); };
  reduce_by_key<C>(policy, a, begin, end, ctx.scratch<std::int64_t>(a.segments.offsets ? end - begin : 0),
                   ctx.scratch<std::int64_t>(count), ctx.scratch<Acc>(count), op);
}

}  // namespace
}  // namespace tandem
