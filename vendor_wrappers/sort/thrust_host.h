#pragma once
// thrust::stable_sort and stable_sort_by_key on the CPU; thrust_omp.cpp and thrust_tbb.cpp say with which of its
// systems. Within a thread Thrust sorts by digits what it compares by thrust::less, and merges what it compares by ranks.

#include <thrust/functional.h>
#include <thrust/sort.h>
#include <thrust/version.h>

#include "vendor_wrappers/sort/library_order.h"

namespace tandem {
namespace {

template <class Key, class Policy>
void thrust_host_sort(const Policy& policy, const Sort::ArgsOf<Key>& a, Context& ctx) {
  copy_to_output(a, ctx);
  with_less<thrust::less>(a.order, [&](auto less) {
    Sort::with_values(a.value_bytes, [&]<class Value>() {
      call_library(ctx, [&] {
        const auto [keys, values] = a.template out<Value>();
        if constexpr (std::is_same_v<Value, Sort::NoValue>)
          thrust::stable_sort(policy, keys, keys + a.n, less);
        else
          thrust::stable_sort_by_key(policy, keys, keys + a.n, values, less);
      });
    });
  });
}

}  // namespace
}  // namespace tandem
