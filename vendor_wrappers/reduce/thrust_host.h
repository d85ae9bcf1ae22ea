#pragma once
// thrust::transform_reduce on the CPU; thrust_omp.cpp and thrust_tbb.cpp say with which of its systems.

#include <thrust/transform_reduce.h>
#include <thrust/version.h>

#include "lib/ops/reduce/contract.h"

namespace tandem {
namespace {

template <class C, class Policy>
void thrust_host_reduce(const Policy& policy, const typename C::Args& a) {
  using Acc = typename C::Acc;
  *a.out = thrust::transform_reduce(
      policy, a.in, a.in + a.n, [](typename C::T x) -> Acc { return C::load(x); },
      C::Op::template identity<Acc>(), typename C::Op{});
}

}  // namespace
}  // namespace tandem
