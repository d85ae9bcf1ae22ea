// thrust::stable_sort_by_key on the GPU of all keys with their positions, of which the first k are taken: CUB's radix sort,
// under Thrust's own comparisons. With par_nosync neither waits for the device, and with the context's scratch neither
// allocates.
// Limits:  ascending or descending by thrust::less and thrust::greater.

#include <thrust/functional.h>
#include <thrust/sort.h>

#include "vendor_wrappers/common/thrust.cuh"
#include "vendor_wrappers/sort/library_order.h"
#include "vendor_wrappers/top_k/sorted.cuh"

namespace tandem {
namespace {

template <ThrustCase C>
void thrust_sort(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  auto* keys = ctx.scratch<T>(a.n);
  ctx.copy(keys, a.in, static_cast<std::size_t>(a.n) * sizeof(T));
  std::int64_t* positions = a.positions_out ? numbered(a.n, ctx) : nullptr;
  ThrustScratch scratch{&ctx};
  const auto policy = thrust::cuda::par_nosync(scratch).on(static_cast<cudaStream_t>(ctx.stream()));
  const auto sort = [&](auto less) {
    if (positions)
      thrust::stable_sort_by_key(policy, keys, keys + a.n, positions, less);
    else
      thrust::stable_sort(policy, keys, keys + a.n, less);
  };
  call_library(ctx, [&] {
    call_thrust(ctx, "thrust::stable_sort", [&] {
      if (descending(a.order))
        sort(thrust::greater<T>());
      else
        sort(thrust::less<T>());
    });
  });
  take_sorted(a, keys, positions, ctx);
}

REGISTER(TopK, thrust_sort,
         .note = "thrust::stable_sort, stable_sort_by_key of everything with cached memory",
         .version = LIBRARY_VERSION("Thrust", THRUST), .loses_digits_on = "special",
         .deviates = "orders NaNs by their bits: those with a sign come first")

}  // namespace
}  // namespace tandem
