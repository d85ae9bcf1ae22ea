// thrust::transform_reduce on the GPU: it returns the value to the host, so every call waits for the device.

#include <thrust/execution_policy.h>
#include <thrust/reduce.h>
#include <thrust/system_error.h>
#include <thrust/transform_reduce.h>
#include <thrust/version.h>

#include "tandem/device/launch.cuh"
#include "lib/ops/reduce/contract.h"

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
void thrust_reduce(const typename C::Args& a, Context& ctx) {
  using Op = typename C::Op;
  const auto identity = Op::template identity<typename C::Acc>();
  Scratch scratch{&ctx};
  const auto policy = thrust::cuda::par_nosync(scratch).on(static_cast<cudaStream_t>(ctx.stream()));
  try {
    typename C::Acc value;
    if constexpr (C::kLoadsPlain) {
      value = thrust::reduce(policy, a.in, a.in + a.n, identity, Op{});
    } else {
      value = thrust::transform_reduce(policy, a.in, a.in + a.n, typename C::Load{}, identity, Op{});
    }
    ctx.copy(a.out, &value, sizeof value);
  } catch (const thrust::system_error& error) {
    check_cuda(static_cast<cudaError_t>(error.code().value()), ctx, "thrust::reduce");
    throw;
  }
}

REGISTER(Reduce, thrust_reduce, .note = "thrust::reduce, value by way of the host",
         .version = LIBRARY_VERSION("Thrust", THRUST), .synchronises = true)

}  // namespace
}  // namespace tandem
