// cuFFT; the plan of a shape is made at its first call and kept.
// Limits:  the stride of an axis must be a multiple of that of the next one. Factors take a kernel behind it.

#include <tuple>

#include "lib/ops/fft_nd/contract.h"
#include "vendor_wrappers/common/cufft.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 256;

/// The axes longer than 1, or the last one: extents, and how a side lies.
struct Axes {
  int count = 0;
  long long extents[3];
  std::size_t which[3];
  explicit Axes(const OfAxes& of_grid) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (of_grid[axis] > 1 || (axis == 2 && count == 0))
        extents[count] = of_grid[axis], which[count++] = axis;
    }
  }
  std::int64_t stride(const GridLayout& l, int axis) const { return l.strides[which[axis]]; }
  /// The last axis has a stride; of each other one the distance is a number of steps along the next one.
  bool fit(const GridLayout& l) const {
    for (int axis = 0; axis + 1 < count; ++axis) {
      if (stride(l, axis) % stride(l, axis + 1) != 0) return false;
    }
    return true;
  }
  CufftSide side(const GridLayout& l, long long (&embed)[3]) const {
    embed[0] = extents[0];
    for (int axis = 1; axis < count; ++axis) embed[axis] = stride(l, axis - 1) / stride(l, axis);
    return {embed, stride(l, count - 1), l.distance};
  }
};

/// Where the numbers of grids lie, for a kernel.
struct Numbers {
  struct Step {
    std::int64_t extent, stride;
  } steps[4];  // the fastest first
};

template <class T>
__global__ void multiply_grids(Complex<T>* out, const Numbers numbers, T factor) {
  std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x, at = 0;
  for (const auto& [extent, stride] : numbers.steps) at += i % extent * stride, i /= extent;
  if (i == 0) out[at] = factor * out[at];
}

template <class C>
void cufft(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  constexpr bool kSingle = std::is_same_v<T, float>;
  Axes axes(a.extents);
  long long in_embed[3], out_embed[3];
  const CufftSide in = axes.side(a.from, in_embed), out = axes.side(a.to, out_embed);
  const cufftHandle plan = cufft_plan_of(
      ctx, kSingle ? "cufft grids f32" : "cufft grids f64",
      std::tuple(a.extents, a.batch, a.from.strides, a.from.distance, a.to.strides, a.to.distance),
      axes.count, axes.extents, in, out, kSingle ? CUFFT_C2C : CUFFT_Z2Z, a.batch);
  execute_complex(ctx, plan, a.in, a.out, a.inverse);
  if (a.factor == 1) return;  // cuFFT leaves both directions as they are
  const Numbers numbers{{{a.extents[2], a.to.strides[2]},
                         {a.extents[1], a.to.strides[1]},
                         {a.extents[0], a.to.strides[0]},
                         {a.batch, a.to.distance}}};
  launch(ctx, ceil_div(FftNd::points(a.extents) * a.batch, kThreads), kThreads, 0, multiply_grids<T>, a.out,
         numbers, a.factor);
}

std::string refuses(const FftNd::Shape& s, CaseId) {
  const Axes axes(s.extents);
  return FftNd::points(s.extents) == 0 || (axes.fit(s.in) && axes.fit(s.out))
             ? ""
             : "takes strides that are multiples of those of the next axis";
}

REGISTER(FftNd, cufft, .note = "cufftMakePlanMany64, cufftExecC2C, cufftExecZ2Z",
         .version = detail::version("cuFFT", CUFFT_VER_MAJOR, CUFFT_VER_MINOR),
         .depth = FftNd::levels_or_convolution, .refuses = refuses)

}  // namespace
}  // namespace tandem
