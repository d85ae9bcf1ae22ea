#pragma once
// Grids as cuFFT's plans take them.

#include "lib/ops/fft_nd/contract.h"
#include "vendor_wrappers/common/cufft.cuh"

namespace tandem {

/// The axes of a plan: those longer than 1, or the last one: extents, and how a side lies.
struct CufftAxes {
  int count = 0;
  long long extents[3];
  std::size_t which[3];
  /// keep_last: the last one is taken in any case.
  explicit CufftAxes(const OfAxes& of_grid, bool keep_last = false) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (of_grid[axis] > 1 || (axis == 2 && (keep_last || count == 0)))
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

namespace detail {
/// Where numbers of grids lie in two layouts, for a kernel: the last axis first, the grids last.
struct StepsOfGrids {
  struct Step {
    std::int64_t extent, from, to;
  } steps[4];
};

template <class Number, class T>
__global__ void copy_grids(const Number* in, Number* out, const StepsOfGrids of, T factor) {
  std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x, from = 0, to = 0;
  for (const auto& step : of.steps) {
    from += i % step.extent * step.from, to += i % step.extent * step.to;
    i /= step.extent;
  }
  if (i == 0) out[to] = factor * in[from];
}
}  // namespace detail

/// All numbers of grids times a factor, from one layout to another, or in place.
template <class Number, class T>
void copy_grids(Context& ctx, const Number* in, const GridLayout& from, Number* out, const GridLayout& to,
                const OfAxes& extents, std::int64_t batch, T factor) {
  constexpr int kThreads = 256;
  const detail::StepsOfGrids steps{{{extents[2], from.strides[2], to.strides[2]},
                                    {extents[1], from.strides[1], to.strides[1]},
                                    {extents[0], from.strides[0], to.strides[0]},
                                    {batch, from.distance, to.distance}}};
  launch(ctx, ceil_div(FftNd::points(extents) * batch, kThreads), kThreads, 0, detail::copy_grids<Number, T>,
         in, out, steps, factor);
}

}  // namespace tandem
