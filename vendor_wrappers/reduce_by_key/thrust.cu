// thrust::reduce_by_key on the GPU. It returns to the host with the end of its results.

#include "lib/core/context_impl.h"
#include "vendor_wrappers/common/thrust.cuh"
#include "vendor_wrappers/reduce_by_key/thrust_calls.h"

namespace tandem {
namespace {

template <ThrustSum C>
void thrust_reduce_by_key(const typename C::Args& a, Context& ctx) {
  ThrustScratch scratch{&ctx};
  const auto policy = thrust::cuda::par_nosync(scratch).on(static_cast<cudaStream_t>(ctx.stream()));
  std::int64_t runs = 0;
  call_thrust(ctx, "thrust::reduce_by_key", [&] { runs = thrust_runs<C>(policy, a); });
  ctx.copy(a.count, &runs, sizeof runs);
  backend(ctx).wait();  // before `runs` goes
}

REGISTER(
    ReduceByKey, thrust_reduce_by_key, .note = "thrust::reduce_by_key with cached memory",
    .version = LIBRARY_VERSION("Thrust", THRUST), .loses_digits_on = "signed_zeros", .synchronises = true,
    .repeats = false,
    .deviates = "writes +0 or -0 as the key of a run that holds both; loses the error of a launch that fails")

}  // namespace
}  // namespace tandem
