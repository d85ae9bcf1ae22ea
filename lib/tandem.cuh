#pragma once
// The one include of a program that compiles CUDA: all of tandem.h, and transform for functors of its own.
//
//     #include <tandem.cuh>
//     struct Saxpby {
//       float a, b;
//       __device__ float operator()(float x, float y) const { return a * x + b * y; }
//     };
//     tandem::transform(ctx, Saxpby{2, 3}, x, y, z);                  // z[i] = 2·x[i] + 3·y[i]
//     tandem::transform(ctx, Select{}, tandem::zip(a, b, c, d), z);  // any number of inputs
//
// The functor is called as f(x[i], y[i], …) on the device; it and the elements are copied, so both must be
// trivially copyable. Types may differ from array to array; the results need only convert to z's. Lambdas need
// nvcc's --extended-lambda. Arrays, overlap and errors are as in lib/ops/transform.h; there is one
// implementation, that of transform/custom/packs, so options.use must be empty, and the context must be a
// device's.

#include "custom_kernels/common/transform.cuh"
#include "tandem.h"  // beside this file, in the tree and installed

namespace tandem {

/// What transform calls for a functor that is none of Tandem's; its arguments are checked.
template <class F, class Out, class... In>
void transform_any(Context& ctx, const F& f, const View<Out>& z, const Options& options,
                   const View<const In>&... in) {
  constexpr int kThreads = 256;  // few enough for a functor that needs all registers
  if (!options.use.empty()) {
    throw InvalidArgument("transform: options.use is '" + std::string(options.use) +
                          "'; it must be empty for a functor of your own, which has one implementation");
  }
#ifndef TANDEM_SIMT
  if (ctx.place() != Place::device) {
    throw Unavailable(
        "transform: a functor of your own runs on the device, but the context computes on the " +
        std::string(name(ctx.place())));
  }
#endif
  if (z.size == 0) return;
  struct Scope {
    Context& ctx;
    ~Scope() { ctx.end_call(); }
  };
  ctx.begin_call({"transform/custom/packs", "the one implementation for functors of users"});
  const Scope scope{ctx};
  transform_in_packs(ctx, kThreads, f, z.size, z.data, in.data...);
}

}  // namespace tandem
