#include "lib/ops/fft_nd/arguments.h"

#include <fmt/format.h>

#include <algorithm>

#include "lib/ops/fft/arguments.h"

namespace tandem::require {
namespace {

[[noreturn]] void overflows(const char* op, const char* array) {
  throw InvalidArgument(fmt::format("{}: the grids of '{}' overflow 2^63 bytes", op, array));
}

}  // namespace

OfAxes extents(const char* op, const Grid& grids) {
  const std::size_t axes = grids.extents.count;
  if (axes < 1 || axes > PerAxis::kMost)
    throw InvalidArgument(fmt::format("{}: extents has {} axes; it must have 1 to 3", op, axes));
  OfAxes all{1, 1, 1};
  for (std::size_t axis = 0; axis < axes; ++axis) {
    const std::int64_t extent = grids.extents.each[axis];
    if (extent < 0) {
      throw InvalidArgument(
          fmt::format("{}: extent of axis {} is {}; it must be at least 0", op, axis, extent));
    }
    all[axis + 3 - axes] = extent;
  }
  if (grids.batch < 0)
    throw InvalidArgument(fmt::format("{}: batch is {}; it must be at least 0", op, grids.batch));
  known_scaling(op, grids.scaling);
  if (std::ranges::count(all, 0) > 0) return {0, 0, 0};
  std::int64_t points = 1;
  for (const std::int64_t extent : all) {
    if (__builtin_mul_overflow(points, extent, &points)) overflows(op, "in");
  }
  return all;
}

void lay_out(const char* op, GridSide& side, const Grid& grids, const OfAxes& extents, const PerAxis& strides,
             std::int64_t distance) {
  const std::size_t axes = grids.extents.count;
  if (strides.count != 0 && strides.count != axes) {
    throw InvalidArgument(fmt::format("{}: strides of '{}' are of {} axes; they must be of {}", op, side.name,
                                      strides.count, axes));
  }
  side.layout = FftNd::contiguous(extents);
  if (std::ranges::count(strides.each, 0) < 3) {
    for (std::size_t axis = 0; axis < axes; ++axis) {
      if (strides.each[axis] < 1) {
        throw InvalidArgument(fmt::format("{}: stride of axis {} of '{}' is {}; it must be at least 1", op,
                                          axis, side.name, strides.each[axis]));
      }
      side.layout.strides[axis + 3 - axes] = strides.each[axis];
    }
  }
  if (distance < 0) {
    throw InvalidArgument(fmt::format("{}: distance between grids of '{}' is {}; it must be at least 0", op,
                                      side.name, distance));
  }
  if (FftNd::points(extents) == 0 || grids.batch == 0) return;
  std::int64_t size = 1;  // of a grid, then of all
  const auto extend = [&](std::int64_t steps, std::int64_t stride) {
    std::int64_t span;
    if (__builtin_mul_overflow(steps, stride, &span) || __builtin_add_overflow(size, span, &size))
      overflows(op, side.name);
  };
  for (std::size_t axis = 0; axis < 3; ++axis) extend(extents[axis] - 1, side.layout.strides[axis]);
  side.layout.distance = distance == 0 ? size : distance;
  extend(grids.batch - 1, side.layout.distance);
  std::int64_t bytes;
  if (__builtin_mul_overflow(size, static_cast<std::int64_t>(side.bytes), &bytes)) overflows(op, side.name);
  side.size = size;
}

void elements_apart(const char* op, const GridSide& side, const OfAxes& extents, std::int64_t batch) {
  if (side.size == 0) return;
  struct Step {
    std::int64_t stride, extent;
  } steps[4];
  for (std::size_t axis = 0; axis < 3; ++axis) steps[axis] = {side.layout.strides[axis], extents[axis]};
  steps[3] = {side.layout.distance, batch};
  std::ranges::sort(steps, {}, &Step::stride);
  std::int64_t span = 1;
  for (const Step& step : steps) {
    if (step.extent <= 1) continue;
    if (step.stride < span) {
      throw InvalidArgument(
          fmt::format("{}: a stride or distance of '{}' is {}; it must be at least {}, past what smaller "
                      "ones span, or elements meet",
                      op, side.name, step.stride, span));
    }
    span += (step.extent - 1) * step.stride;
  }
}

}  // namespace tandem::require
