// thrust::stable_sort and stable_sort_by_key on the GPU: CUB's radix sort, under Thrust's own comparisons. With
// par_nosync neither waits for the device, and with the context's scratch neither allocates.
// Limits:  ascending orders by all bits of the keys.

#include <thrust/sort.h>

#include "vendor_wrappers/common/thrust.cuh"
#include "vendor_wrappers/sort/library_order.h"

namespace tandem {
namespace {

template <ThrustCase C>
void thrust_sort(const typename C::Args& a, Context& ctx) {
  copy_to_output(a, ctx);
  ThrustScratch scratch{&ctx};
  const auto policy = thrust::cuda::par_nosync(scratch).on(static_cast<cudaStream_t>(ctx.stream()));
  auto* keys = reinterpret_cast<typename C::T*>(a.keys_out);
  Sort::with_values(a.value_bytes, [&]<class Value>() {
    call_library(ctx, [&] {
      call_thrust(ctx, "thrust::stable_sort", [&] {
        if constexpr (std::is_same_v<Value, Sort::NoValue>)
          thrust::stable_sort(policy, keys, keys + a.n);
        else
          thrust::stable_sort_by_key(policy, keys, keys + a.n, static_cast<Value*>(a.values_out));
      });
    });
  });
}

std::string other_orders(const Sort::Shape& shape, CaseId) {
  if (shape.descending) return "the row is compiled for ascending orders alone";
  return shape.all_bits ? "" : "thrust::less compares all bits of a key";
}

REGISTER(Sort, thrust_sort, .note = "thrust::stable_sort, stable_sort_by_key with cached memory",
         .version = LIBRARY_VERSION("Thrust", THRUST), .refuses = other_orders, .loses_digits_on = "special",
         .deviates = "orders NaNs by their bits: those with a sign come first")

}  // namespace
}  // namespace tandem
