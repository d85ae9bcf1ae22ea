// thrust::inclusive_scan and exclusive_scan on the GPU: CUB's kernels behind iterators. With par_nosync
// neither waits for the device, and with the context's scratch neither allocates.

#include <thrust/scan.h>

#include "lib/ops/scan/contract.h"
#include "vendor_wrappers/common/thrust.cuh"
#include "vendor_wrappers/scan/library_operator.cuh"

namespace tandem {
namespace {

template <ThrustCase C>
void thrust_scan(const typename C::Args& a, Context& ctx) {
  using Element = typename Library<C>::Element;
  const auto in = Library<C>::in(a.in);
  const auto out = Library<C>::out(a.out);
  const auto op = Library<C>::op();
  const auto init = static_cast<Element>(a.init);
  ThrustScratch scratch{&ctx};
  const auto policy = thrust::cuda::par_nosync(scratch).on(static_cast<cudaStream_t>(ctx.stream()));
  call_thrust(ctx, "thrust::inclusive_scan or exclusive_scan", [&] {
    if (a.exclusive)
      thrust::exclusive_scan(policy, in, in + a.n, out, init, op);
    else
      thrust::inclusive_scan(policy, in, in + a.n, out, init, op);
  });
}

// At worst the prefix of each tile is added to the total of the next one, in a chain. Tiles
// hold at least 512 elements.
REGISTER(
    Scan, thrust_scan, .note = "thrust::inclusive_scan, exclusive_scan with cached memory",
    .version = LIBRARY_VERSION("Thrust", THRUST),
    .depth = [](std::int64_t n) { return static_cast<double>(n) / 512 + 64; }, .repeats = false)

}  // namespace
}  // namespace tandem
