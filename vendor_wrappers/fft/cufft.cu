// cuFFT; the plan of a shape is made at its first call and kept.
// Limits:  factors take a kernel behind it.

#include <cufft.h>

#include <map>
#include <memory>
#include <tuple>

#include "lib/ops/fft/contract.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

void check(cufftResult status, const Context& ctx, const char* call) {
  if (status == CUFFT_SUCCESS) return;
  if (status == CUFFT_ALLOC_FAILED) throw OutOfMemory("device", 0, 0);
  throw DeviceError(std::string(ctx.last().implementation) + ": " + call, status, "cuFFT reports an error");
}

struct Plan {
  std::shared_ptr<cufftHandle> handle;
  std::size_t workspace;  // bytes
};

/// Its workspace comes from the context, so that calls allocate nothing.
template <class Args>
Plan make_plan(const Args& a, Context& ctx, cufftType type) {
  constexpr cufftHandle kNone = -1;
  const std::shared_ptr<cufftHandle> handle(new cufftHandle(kNone), [](cufftHandle* h) {
    if (*h != kNone) cufftDestroy(*h);
    delete h;
  });
  check(cufftCreate(handle.get()), ctx, "cufftCreate");
  check(cufftSetAutoAllocation(*handle, 0), ctx, "cufftSetAutoAllocation");
  long long n = a.n;
  std::size_t workspace = 0;
  check(cufftMakePlanMany64(*handle, 1, &n, &n, 1, a.in_distance, &n, 1, a.out_distance, type, a.batch,
                            &workspace),
        ctx, "cufftMakePlanMany64");
  return {handle, workspace};
}

constexpr int kThreads = 256;

template <class T>
__global__ void multiply_rows(Complex<T>* rows, std::int64_t n, std::int64_t batch, std::int64_t distance,
                              T factor) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n * batch) return;
  Complex<T>& x = rows[i / n * distance + i % n];
  x = factor * x;
}

template <class C>
void cufft(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  constexpr bool kSingle = std::is_same_v<T, float>;
  using Shape = std::tuple<std::int64_t, std::int64_t, std::int64_t, std::int64_t>;
  auto& plans = ctx.keep<std::map<Shape, Plan>>(kSingle ? "cufft f32" : "cufft f64",
                                                [] { return std::map<Shape, Plan>(); });
  const Shape shape{a.n, a.batch, a.in_distance, a.out_distance};
  auto found = plans.find(shape);
  if (found == plans.end())
    found = plans.emplace(shape, make_plan(a, ctx, kSingle ? CUFFT_C2C : CUFFT_Z2Z)).first;
  const Plan& plan = found->second;
  check(cufftSetStream(*plan.handle, static_cast<cudaStream_t>(ctx.stream())), ctx, "cufftSetStream");
  if (plan.workspace > 0) {
    check(cufftSetWorkArea(*plan.handle, ctx.scratch<std::byte>(static_cast<std::int64_t>(plan.workspace))),
          ctx, "cufftSetWorkArea");
  }
  const int direction = a.inverse ? CUFFT_INVERSE : CUFFT_FORWARD;
  if constexpr (kSingle) {
    check(cufftExecC2C(*plan.handle, reinterpret_cast<cufftComplex*>(const_cast<Complex<T>*>(a.in)),
                       reinterpret_cast<cufftComplex*>(a.out), direction),
          ctx, "cufftExecC2C");
  } else {
    check(cufftExecZ2Z(*plan.handle, reinterpret_cast<cufftDoubleComplex*>(const_cast<Complex<T>*>(a.in)),
                       reinterpret_cast<cufftDoubleComplex*>(a.out), direction),
          ctx, "cufftExecZ2Z");
  }
  if (a.factor != 1)  // cuFFT leaves both directions as they are
    launch(ctx, ceil_div(a.n * a.batch, kThreads), kThreads, 0, multiply_rows<T>, a.out, a.n, a.batch,
           a.out_distance, a.factor);
}

REGISTER(Fft, cufft, .note = "cufftExecC2C, cufftExecZ2Z",
         .version = detail::version("cuFFT", CUFFT_VER_MAJOR, CUFFT_VER_MINOR),
         .depth = Fft::levels_or_convolution)

}  // namespace
}  // namespace tandem
