#pragma once
// What is required of the arguments of transforms of grids.

#include "lib/core/call.h"
#include "lib/ops/fft_nd/contract.h"
#include "tandem/fft_nd.h"

namespace tandem::require {

/// The extents, those of missing axes 1, and all 0 where one is.
OfAxes extents(const char* op, const Grid& grids);

/// One array of grids: where its numbers lie, and how many elements that takes.
struct GridSide {
  const char* name;
  detail::ConstMemory array;
  std::size_t bytes;  // of an element
  GridLayout layout{};
  std::int64_t size = 0;
};
/// Sets layout and size by what a call gave for a side; extents: of its arrays.
void lay_out(const char* op, GridSide& side, const Grid& grids, const OfAxes& extents, const PerAxis& strides,
             std::int64_t distance);

/// No two elements meet where each step, in the order of their strides, leads past what smaller ones span.
void elements_apart(const char* op, const GridSide& side, const OfAxes& extents, std::int64_t batch);

}  // namespace tandem::require
