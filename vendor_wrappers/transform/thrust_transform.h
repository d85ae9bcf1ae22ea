#pragma once
// thrust::transform, for all of its systems: thrust.cu, thrust_omp.cpp and thrust_tbb.cpp say which. Thrust
// takes one or two inputs directly and more of them zipped.

#include <thrust/iterator/zip_iterator.h>
#include <thrust/transform.h>
#include <thrust/tuple.h>
#include <thrust/version.h>
#include <thrust/zip_function.h>

#include "lib/ops/transform/contract.h"

namespace tandem {
namespace {

/// `f` is a.f, or a wrapper of it that the system needs.
template <class C, class Policy, class F>
void thrust_transform(const Policy& policy, const typename C::Args& a, const F& f) {
  if constexpr (C::kInputs == 1) {
    thrust::transform(policy, a.in[0], a.in[0] + a.n, a.out, f);
  } else if constexpr (C::kInputs == 2) {
    thrust::transform(policy, a.in[0], a.in[0] + a.n, a.in[1], a.out, f);
  } else {
    const auto zipped = [&]<std::size_t... k>(std::index_sequence<k...>) {
      return thrust::make_zip_iterator(thrust::make_tuple(a.in[k]...));
    }
    (std::make_index_sequence<C::kInputs>{});
    thrust::transform(policy, zipped, zipped + a.n, a.out, thrust::make_zip_function(f));
  }
}

}  // namespace
}  // namespace tandem
