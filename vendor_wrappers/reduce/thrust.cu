// thrust::reduce and transform_reduce on the GPU: they return the value to the host, so every
// call waits for the device.

#include <thrust/reduce.h>
#include <thrust/transform_reduce.h>

#include "lib/ops/reduce/contract.h"
#include "vendor_wrappers/common/thrust.cuh"

namespace tandem {
namespace {

template <ThrustCase C>
void thrust_reduce(const typename C::Args& a, Context& ctx) {
  using Op = typename C::Op;
  const auto identity = Op::template identity<typename C::Acc>();
  ThrustScratch scratch{&ctx};
  const auto policy = thrust::cuda::par_nosync(scratch).on(static_cast<cudaStream_t>(ctx.stream()));
  call_thrust(ctx, "thrust::reduce", [&] {
    typename C::Acc value;
    if constexpr (C::kLoadsPlain) {
      value = thrust::reduce(policy, a.in, a.in + a.n, identity, Op{});
    } else {
      value = thrust::transform_reduce(policy, a.in, a.in + a.n, typename C::Load{}, identity, Op{});
    }
    ctx.copy(a.out, &value, sizeof value);
  });
}

REGISTER(Reduce, thrust_reduce, .note = "thrust::reduce with cached memory, value by way of the host",
         .version = LIBRARY_VERSION("Thrust", THRUST), .synchronises = true,
         .deviates = "does not look at the error of the copy that fetches the value")

}  // namespace
}  // namespace tandem
