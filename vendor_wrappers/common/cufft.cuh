#pragma once
// cuFFT's plans, for the rows of all transforms.

#include <cufft.h>

#include <map>
#include <memory>
#include <string>

#include "lib/ops/fft/complex.h"
#include "tandem/device/launch.cuh"

namespace tandem {

inline void check_cufft(cufftResult status, const Context& ctx, const char* call) {
  if (status == CUFFT_SUCCESS) return;
  if (status == CUFFT_ALLOC_FAILED) throw OutOfMemory("device", 0, 0);
  throw DeviceError(std::string(ctx.last().implementation) + ": " + call, status, "cuFFT reports an error");
}

/// How numbers lie on one side of a plan, as cufftMakePlanMany64 takes it.
struct CufftSide {
  long long*
      embed;  // numbers from one step along each axis to the next one's; of the first axis it is not looked at
  long long stride, distance;
};

struct CufftPlan {
  std::shared_ptr<cufftHandle> handle;
  std::size_t workspace;  // bytes
};

/// The plan of a call's shape, made when it first comes and kept with the context, ready for its stream. Its workspace comes from
/// the context, so that later calls allocate nothing. `name` tells wrappers apart.
template <class Key>
cufftHandle cufft_plan_of(Context& ctx, const std::string& name, const Key& shape, int axes,
                          long long* extents, const CufftSide& in, const CufftSide& out, cufftType type,
                          long long batch) {
  using Plans = std::map<Key, CufftPlan>;
  auto& plans = ctx.keep<Plans>(name, [] { return Plans(); });
  auto found = plans.find(shape);
  if (found == plans.end()) {
    constexpr cufftHandle kNone = -1;
    CufftPlan made{{new cufftHandle(kNone),
                    [](cufftHandle* h) {
                      if (*h != kNone) cufftDestroy(*h);
                      delete h;
                    }},
                   0};
    check_cufft(cufftCreate(made.handle.get()), ctx, "cufftCreate");
    check_cufft(cufftSetAutoAllocation(*made.handle, 0), ctx, "cufftSetAutoAllocation");
    check_cufft(cufftMakePlanMany64(*made.handle, axes, extents, in.embed, in.stride, in.distance, out.embed,
                                    out.stride, out.distance, type, batch, &made.workspace),
                ctx, "cufftMakePlanMany64");
    found = plans.emplace(shape, made).first;
  }
  const CufftPlan& plan = found->second;
  check_cufft(cufftSetStream(*plan.handle, static_cast<cudaStream_t>(ctx.stream())), ctx, "cufftSetStream");
  if (plan.workspace > 0) {
    check_cufft(
        cufftSetWorkArea(*plan.handle, ctx.scratch<std::byte>(static_cast<std::int64_t>(plan.workspace))),
        ctx, "cufftSetWorkArea");
  }
  return *plan.handle;
}

/// Transforms complex numbers.
template <class T>
void execute_complex(Context& ctx, cufftHandle plan, const Complex<T>* in, Complex<T>* out, bool inverse) {
  const int direction = inverse ? CUFFT_INVERSE : CUFFT_FORWARD;
  auto* const from = const_cast<Complex<T>*>(in);
  if constexpr (std::is_same_v<T, float>) {
    check_cufft(cufftExecC2C(plan, reinterpret_cast<cufftComplex*>(from),
                             reinterpret_cast<cufftComplex*>(out), direction),
                ctx, "cufftExecC2C");
  } else {
    check_cufft(cufftExecZ2Z(plan, reinterpret_cast<cufftDoubleComplex*>(from),
                             reinterpret_cast<cufftDoubleComplex*>(out), direction),
                ctx, "cufftExecZ2Z");
  }
}

}  // namespace tandem
