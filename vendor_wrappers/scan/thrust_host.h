#pragma once
// thrust::inclusive_scan and exclusive_scan on the CPU; thrust_omp.cpp and thrust_tbb.cpp say
// with which of its systems.

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/transform_output_iterator.h>
#include <thrust/scan.h>
#include <thrust/version.h>

#include "lib/ops/scan/contract.h"

namespace tandem {
namespace {

/// Element i as an operand; the first one includes the initial value, because releases before 2.5 take an
/// initial value only in exclusive scans.
template <class C>
struct Seeded {
  const typename C::T* in;
  typename C::Acc init;
  typename C::Acc operator()(std::int64_t i) const {
    return i == 0 ? typename C::Op{}(init, C::load(in[0])) : C::load(in[i]);
  }
};

template <class C, class Policy>
void thrust_host_scan(const Policy& policy, const typename C::Args& a) {
  const auto out = [&] {
    if constexpr (C::kNarrow)
      return thrust::make_transform_output_iterator(a.out, typename C::Result{});
    else
      return a.out;
  }();
  const auto scan = [&](auto first) {
    const typename C::Op op;
    if (a.exclusive)
      thrust::exclusive_scan(policy, first, first + a.n, out, a.init, op);
    else
      thrust::inclusive_scan(policy, first, first + a.n, out, op);
  };
  const bool seeded = !a.exclusive && !(a.init == C::identity());
  if (seeded) {
    scan(thrust::make_transform_iterator(thrust::make_counting_iterator(std::int64_t{0}),
                                         Seeded<C>{a.in, a.init}));
  } else if constexpr (C::kLoadsPlain) {
    scan(a.in);
  } else {
    scan(thrust::make_transform_iterator(a.in, typename C::Load{}));
  }
}

}  // namespace
}  // namespace tandem
