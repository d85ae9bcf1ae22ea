#include "tandem/fft_nd.h"

#include <fmt/format.h>

#include <algorithm>

#include "lib/core/call.h"
#include "lib/ops/fft/arguments.h"
#include "lib/ops/fft_nd/contract.h"

namespace tandem::detail {
namespace {

[[noreturn]] void overflows(const char* array) {
  throw InvalidArgument(fmt::format("fft_nd: the grids of '{}' overflow 2^63 bytes", array));
}

/// The extents, those of missing axes 1.
OfAxes checked_extents(const Grid& grids) {
  const std::size_t axes = grids.extents.count;
  if (axes < 1 || axes > PerAxis::kMost)
    throw InvalidArgument(fmt::format("fft_nd: extents has {} axes; it must have 1 to 3", axes));
  OfAxes extents{1, 1, 1};
  for (std::size_t axis = 0; axis < axes; ++axis) {
    const std::int64_t extent = grids.extents.each[axis];
    if (extent < 0) {
      throw InvalidArgument(
          fmt::format("fft_nd: extent of axis {} is {}; it must be at least 0", axis, extent));
    }
    extents[axis + 3 - axes] = extent;
  }
  if (grids.batch < 0)
    throw InvalidArgument(fmt::format("fft_nd: batch is {}; it must be at least 0", grids.batch));
  require::known_scaling(FftNd::name, grids.scaling);
  if (std::ranges::count(extents, 0) > 0) return {0, 0, 0};
  std::int64_t points = 1;
  for (const std::int64_t extent : extents) {
    if (__builtin_mul_overflow(points, extent, &points)) overflows("in");
  }
  return extents;
}

/// One array: where its numbers lie, and how many elements that takes.
struct Side {
  const char* name;
  ConstMemory array;
  GridLayout layout{};
  std::int64_t size = 0;
};

void lay_out(Side& side, const Grid& grids, const OfAxes& extents, const PerAxis& strides,
             std::int64_t distance, std::size_t element_bytes) {
  const std::size_t axes = grids.extents.count;
  if (strides.count != 0 && strides.count != axes) {
    throw InvalidArgument(fmt::format("fft_nd: strides of '{}' are of {} axes; they must be of {}", side.name,
                                      strides.count, axes));
  }
  side.layout = FftNd::contiguous(extents);
  if (std::ranges::count(strides.each, 0) < 3) {
    for (std::size_t axis = 0; axis < axes; ++axis) {
      if (strides.each[axis] < 1) {
        throw InvalidArgument(fmt::format("fft_nd: stride of axis {} of '{}' is {}; it must be at least 1",
                                          axis, side.name, strides.each[axis]));
      }
      side.layout.strides[axis + 3 - axes] = strides.each[axis];
    }
  }
  if (distance < 0) {
    throw InvalidArgument(fmt::format("fft_nd: distance between grids of '{}' is {}; it must be at least 0",
                                      side.name, distance));
  }
  if (FftNd::points(extents) == 0 || grids.batch == 0) return;
  std::int64_t size = 1;  // of a grid, then of all
  const auto extend = [&](std::int64_t steps, std::int64_t stride) {
    std::int64_t span;
    if (__builtin_mul_overflow(steps, stride, &span) || __builtin_add_overflow(size, span, &size))
      overflows(side.name);
  };
  for (std::size_t axis = 0; axis < 3; ++axis) extend(extents[axis] - 1, side.layout.strides[axis]);
  side.layout.distance = distance == 0 ? size : distance;
  extend(grids.batch - 1, side.layout.distance);
  std::int64_t bytes;
  if (__builtin_mul_overflow(size, static_cast<std::int64_t>(element_bytes), &bytes)) overflows(side.name);
  side.size = size;
}

/// No two elements meet where each step, in the order of their strides, leads past what smaller ones span.
void require_apart(const Side& out, const OfAxes& extents, std::int64_t batch) {
  struct Step {
    std::int64_t stride, extent;
  } steps[4];
  for (std::size_t axis = 0; axis < 3; ++axis) steps[axis] = {out.layout.strides[axis], extents[axis]};
  steps[3] = {out.layout.distance, batch};
  std::ranges::sort(steps, {}, &Step::stride);
  std::int64_t span = 1;
  for (const Step& step : steps) {
    if (step.extent <= 1) continue;
    if (step.stride < span) {
      throw InvalidArgument(fmt::format(
          "fft_nd: a stride or distance of 'out' is {}; it must be at least {}, past what smaller "
          "ones span, or elements meet",
          step.stride, span));
    }
    span += (step.extent - 1) * step.stride;
  }
}

}  // namespace

void fft_nd(Context& ctx, Type type, ConstMemory in, Memory out, const Grid& grids, bool inverse,
            const Options& options) {
  public_call(ctx, [&] {
    const OfAxes extents = checked_extents(grids);
    const std::int64_t points = FftNd::points(extents);
    const std::size_t bytes = 2 * size_of(type);
    Side from{"in", in}, to{"out", {out.data, out.size}};
    lay_out(from, grids, extents, grids.in_strides, grids.in_distance, bytes);
    lay_out(to, grids, extents, grids.out_strides, grids.out_distance, bytes);
    if (to.size > 0) require_apart(to, extents, grids.batch);
    for (const Side* side : {&from, &to})
      require::room(ctx, FftNd::name, side->name, side->array, side->size, bytes);
    require::overlap(FftNd::name, in.data, static_cast<std::size_t>(from.size) * bytes, out.data,
                     static_cast<std::size_t>(to.size) * bytes, from.layout == to.layout);
    for_case<FftNd>({type, OperatorId::none}, [&]<class C>() {
      using T = typename C::T;
      const auto factor =
          static_cast<T>(require::factor(static_cast<double>(points), grids.scaling, inverse));
      call<FftNd, C>(
          ctx,
          {static_cast<const Complex<T>*>(in.data), static_cast<Complex<T>*>(out.data), extents, grids.batch,
           from.layout, to.layout, inverse, factor},
          {extents, grids.batch, from.layout, to.layout, inverse, in.data == out.data, factor != 1}, options);
    });
  });
}

}  // namespace tandem::detail
