// thrust::inclusive_scan and exclusive_scan on the GPU: CUB's kernels behind iterators. With par_nosync
// neither waits for the device, and with the context's scratch neither allocates.

#include <thrust/execution_policy.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/scan.h>
#include <thrust/system_error.h>
#include <thrust/version.h>

#include "tandem/device/launch.cuh"
#include "lib/ops/scan/contract.h"
#include "vendor_wrappers/scan/library_operator.cuh"

namespace tandem {
namespace {

/// Gives Thrust the context's scratch, so that it allocates nothing of its own.
struct Scratch {
  using value_type = char;
  Context* ctx;
  char* allocate(std::ptrdiff_t bytes) { return ctx->scratch<char>(bytes); }
  void deallocate(char*, std::size_t) {}  // with the call
};

template <class C>
void thrust_scan(const typename C::Args& a, Context& ctx) {
  using Element = typename Library<C>::Element;
  const auto in = [&] {
    if constexpr (C::kLoadsPlain)
      return reinterpret_cast<const Element*>(a.in);
    else
      return thrust::make_transform_iterator(a.in, typename C::Load{});
  }();
  auto* out = reinterpret_cast<Element*>(a.out);
  const auto op = Library<C>::op();
  const auto init = static_cast<Element>(a.init);
  Scratch scratch{&ctx};
  const auto policy = thrust::cuda::par_nosync(scratch).on(static_cast<cudaStream_t>(ctx.stream()));
  try {
    if (a.exclusive)
      thrust::exclusive_scan(policy, in, in + a.n, out, init, op);
    else
      thrust::inclusive_scan(policy, in, in + a.n, out, init, op);
  } catch (const thrust::system_error& error) {
    check_cuda(static_cast<cudaError_t>(error.code().value()), ctx,
                  "thrust::inclusive_scan or exclusive_scan");
    throw;
  }
}

// In the worst case every tile's prefix is added to the next one's total; its tiles hold at least 512
// elements.
REGISTER(
    Scan, thrust_scan, .note = "thrust::inclusive_scan, exclusive_scan",
    .version = LIBRARY_VERSION("Thrust", THRUST),
    .depth = [](std::int64_t n) { return static_cast<double>(n) / 512 + 64; })

}  // namespace
}  // namespace tandem
