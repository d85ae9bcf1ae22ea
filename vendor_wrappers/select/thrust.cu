// thrust::copy_if, unique_copy and stable_partition_copy on the GPU: CUB's kernels behind iterators. They return to the
// host with the end of their results.
// Limits:  float, double, int32 and int64: the other cases take long to compile.

#include "lib/core/context_impl.h"
#include "vendor_wrappers/common/thrust.cuh"
#include "vendor_wrappers/select/thrust_calls.h"

namespace tandem {
namespace {

template <ThrustCase C>
void thrust_copy_if(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  ThrustScratch scratch{&ctx};
  const auto policy = thrust::cuda::par_nosync(scratch).on(static_cast<cudaStream_t>(ctx.stream()));
  T* room = a.kind == Select::Kind::partition ? ctx.scratch<T>(a.n) : nullptr;
  std::int64_t kept = 0;
  call_thrust(ctx, "thrust::copy_if", [&] { kept = thrust_kept(policy, a, room); });
  ctx.copy(a.count, &kept, sizeof kept);
  backend(ctx).wait();  // before `kept` goes
}

REGISTER(Select, thrust_copy_if,
         .note = "thrust::copy_if, unique_copy, stable_partition_copy with cached memory",
         .version = LIBRARY_VERSION("Thrust", THRUST), .synchronises = true,
         .deviates = "loses the error of a launch that fails")

}  // namespace
}  // namespace tandem
