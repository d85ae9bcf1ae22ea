#pragma once
// The one include of a program that compiles CUDA: all of tandem.h, transform for functors of its own, and tridiagonal for
// coefficients that a functor computes.
//
//     #include <tandem/functors.cuh>
//     struct Saxpby {
//       float a, b;
//       __device__ float operator()(float x, float y) const { return a * x + b * y; }
//     };
//     tandem::transform(ctx, Saxpby{2, 3}, x, y, z);                  // z[i] = 2·x[i] + 3·y[i]
//     tandem::transform(ctx, Select{}, tandem::zip(a, b, c, d), z);  // any number of inputs
//
//     struct Diffusion {  // an implicit step along y of a field of nx × ny × nz
//       const float* u;
//       float k;
//       std::int64_t nx, ny;
//       __device__ tandem::TridiagonalRow<float> operator()(std::int64_t system, std::int64_t row) const {
//         return {-k, 1 + 2 * k, -k, u[system % nx + system / nx * nx * ny + row * nx]};
//       }
//     };
//     tandem::tridiagonal(ctx, Diffusion{u.data(), 0.1f, nx, ny}, next, tandem::sweep(1, nx, ny, nz));
//
// A transform's functor is called as f(x[i], y[i], …) on the device; it and the elements are copied, so both must be
// trivially copyable. Types may differ from array to array; the results need only convert to z's. Lambdas need
// nvcc's --extended-lambda. Arrays, overlap and errors are as in lib/ops/transform.h and lib/ops/tridiagonal.h; the
// context must be a device's. Each has one implementation for functors, so there is nothing to choose (options.use of
// transform must be empty).

#include "custom_kernels/transform/detail/packs.cuh"
#include "custom_kernels/tridiagonal/detail/split.cuh"
#include "custom_kernels/tridiagonal/detail/warp.cuh"
#include "tandem/tandem.h"  // beside this file, in the tree and installed

namespace tandem {

namespace detail {
/// A call for a functor of the user's own, while it is prepared.
class FunctorCall {
 public:
  FunctorCall(Context& ctx, const char* implementation) : ctx_(ctx) {
#ifndef TANDEM_SIMT
    if (ctx.place() != Place::device) {
      throw Unavailable(std::string(implementation) +
                        ": a functor of your own runs on the device, but the context computes on the " +
                        std::string(name(ctx.place())));
    }
#endif
    ctx.begin_call({implementation, "for functors of users"});
  }
  FunctorCall(const FunctorCall&) = delete;
  ~FunctorCall() { ctx_.end_call(); }

 private:
  Context& ctx_;
};
}  // namespace detail

/// What transform calls for a functor that is none of Tandem's; its arguments are checked.
template <class F, class Out, class... In>
void transform_any(Context& ctx, const F& f, const View<Out>& z, const Options& options,
                   const View<const In>&... in) {
  constexpr int kThreads = 256;  // few enough for a functor that needs all registers
  if (!options.use.empty()) {
    throw InvalidArgument("transform: options.use is '" + std::string(options.use) +
                          "'; it must be empty for a functor of your own, which has one implementation");
  }
  const detail::FunctorCall call(ctx, "transform/custom/packs");
  if (z.size > 0) transform_in_packs(ctx, kThreads, f, z.size, z.data, in.data...);
}

/// Solves systems whose coefficients a functor computes where they are needed, so that none are stored: one word per
/// unknown moves, and what the functor reads. Does not wait.
///
/// rows(system, row) → TridiagonalRow<T> is called on the device, once for each row; systems are numbered s + t·inner as in
/// Systems, whose strides say where x[row] goes. lower of row 0 and upper of row n − 1 are ignored. The functor must be
/// trivially copyable. It may read x, but of its own system only. x: float or double.
/// Accuracy, and SingularSystem, as for the matrices of tridiagonal that need no pivoting. Throws InvalidArgument (as
/// tridiagonal; systems.pivot), Unavailable (a context of the host; beyond 8192 rows).
/// O(n · systems) work; allocates nothing. Kernels: tridiagonal/custom/warp_hybrid, else tridiagonal/custom/split.
template <class F, Viewable X>
void tridiagonal(Context& ctx, const F& rows, X&& x, const Systems& systems) {
  using T = element_of<X>;
  using C = Tridiagonal::Case<T>;
  static_assert(case_index<Tridiagonal, C>() >= 0, "tridiagonal takes float and double");
  static_assert(std::is_trivially_copyable_v<F>, "tridiagonal: the functor is copied to the device as it is");
  const auto y = view(x);
  detail::require_tridiagonal(ctx, systems, detail::TridiagonalArray{"x", y.data, y.size}, sizeof(T));
  if (systems.pivot)
    throw InvalidArgument("tridiagonal: systems.pivot is true; with a functor it must be false");
  if (systems.n > kSplitMostRows) {
    throw Unavailable("tridiagonal: n is " + std::to_string(systems.n) + "; with a functor it is at most " +
                      std::to_string(kSplitMostRows));
  }
  const bool in_one_piece = systems.row == 1 && systems.n <= kWarpMostRows;
  const detail::FunctorCall call(
      ctx, in_one_piece ? "tridiagonal/custom/warp_hybrid" : "tridiagonal/custom/split");
  const typename C::Args args =
      C::args(nullptr, nullptr, nullptr, nullptr, y.data, systems, detail::tridiagonal_status(ctx));
  if (in_one_piece)
    warp_per_system<C>(args, rows, ctx);
  else
    split_over_block<C>(args, rows, ctx);
  if (ctx.place() != Place::device) ctx.synchronize();
}

}  // namespace tandem
