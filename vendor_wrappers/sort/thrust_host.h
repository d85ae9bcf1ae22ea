#pragma once
// thrust::stable_sort and stable_sort_by_key on the CPU; thrust_omp.cpp and thrust_tbb.cpp say with which of its
// systems. Thrust knows its own comparisons by their types, and sorts numbers under these by digits within a thread,
// floating-point ones with NaNs by their bits: these get a comparison of ours, and are merged.

#include <thrust/functional.h>
#include <thrust/sort.h>
#include <thrust/version.h>

#include "vendor_wrappers/sort/library_order.h"

namespace tandem {
namespace {

template <class T>
using ThrustLess = std::conditional_t<std::is_floating_point_v<T>, NumberLess<T>, thrust::less<T>>;

/// Keys of 8 and 16 bits would double what is compiled.
template <class C>
concept ThrustHostCase = sizeof(typename C::T) >= 4;

template <ThrustHostCase C, class Policy>
void thrust_host_sort(const Policy& policy, const typename C::Args& a, Context& ctx) {
  copy_to_output(a, ctx);
  with_less<typename C::T, ThrustLess>(a.order, [&]<class K>(auto less) {
    auto* keys = reinterpret_cast<K*>(a.keys_out);
    Sort::with_values(a.value_bytes, [&]<class Value>() {
      call_library(ctx, [&] {
        if constexpr (std::is_same_v<Value, Sort::NoValue>)
          thrust::stable_sort(policy, keys, keys + a.n, less);
        else
          thrust::stable_sort_by_key(policy, keys, keys + a.n, static_cast<Value*>(a.values_out), less);
      });
    });
  });
}

}  // namespace
}  // namespace tandem
