// thrust::stable_sort and stable_sort_by_key on the GPU: CUB's radix sort under Thrust's own comparisons, its merge
// sort under others. With par_nosync neither waits for the device, and with the context's scratch neither allocates.

#include <thrust/functional.h>
#include <thrust/sort.h>

#include "vendor_wrappers/common/thrust.cuh"
#include "vendor_wrappers/sort/library_order.h"

namespace tandem {
namespace {

template <class T, bool kDescending>
using ThrustLess = std::conditional_t<kDescending, thrust::greater<T>, thrust::less<T>>;

template <class C>
void thrust_sort(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  copy_to_output(a, ctx);
  ThrustScratch scratch{&ctx};
  const auto policy = thrust::cuda::par_nosync(scratch).on(static_cast<cudaStream_t>(ctx.stream()));
  with_less<T, ThrustLess>(a.order, [&]<class K>(auto less) {
    auto* keys = reinterpret_cast<K*>(a.keys_out);
    Sort::with_values(a.value_bytes, [&]<class Value>() {
      call_library(ctx, [&] {
        call_thrust(ctx, "thrust::stable_sort", [&] {
          if constexpr (std::is_same_v<Value, Sort::NoValue>)
            thrust::stable_sort(policy, keys, keys + a.n, less);
          else
            thrust::stable_sort_by_key(policy, keys, keys + a.n, static_cast<Value*>(a.values_out), less);
        });
      });
    });
  });
}

REGISTER(Sort, thrust_sort, .note = "thrust::stable_sort, stable_sort_by_key with cached memory",
         .version = LIBRARY_VERSION("Thrust", THRUST), .loses_digits_on = "special",
         .deviates = "orders NaNs by their bits: those with a sign come first")

}  // namespace
}  // namespace tandem
