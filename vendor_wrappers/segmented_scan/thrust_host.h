#pragma once
// thrust::inclusive_scan_by_key and exclusive_scan_by_key on the CPU; thrust_omp.cpp and thrust_tbb.cpp say with which of
// its systems. Keys of segments of one length are computed.

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/scan.h>
#include <thrust/version.h>

#include "vendor_wrappers/segmented_scan/operands.h"
#include "vendor_wrappers/segmented_scan/rivals.h"

namespace tandem {
namespace {

template <class C, class Policy>
void thrust_host_scan_by_key(const Policy& policy, const typename C::Args& a) {
  const auto scan = [&](auto keys, const auto& same) {
    const typename C::Op op;
    const auto in = operands<C>(a.in);
    const auto out = results<C>(a.out);
    if (a.exclusive)
      thrust::exclusive_scan_by_key(policy, keys, keys + a.segments.n, in, out, a.init, same, op);
    else
      thrust::inclusive_scan_by_key(policy, keys, keys + a.segments.n, in, out, same, op);
  };
  if constexpr (kNamed<C>) {
    if (a.segments.form == SegmentedScan::Form::keys) {
      with_keys(a.segments.keys,
                [&]<class Word>(const Keys<Word>& keys) { scan(keys.data, SameKey<Word>{keys.floating}); });
    } else {
      scan(thrust::make_transform_iterator(thrust::make_counting_iterator(std::int64_t{0}),
                                           SegmentOf{a.segments.length}),
           thrust::equal_to<std::int64_t>{});
    }
  }
}

}  // namespace
}  // namespace tandem
