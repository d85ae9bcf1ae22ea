#pragma once
// fft_nd: discrete Fourier transforms of complex grids of one to three axes, forward and inverse, with a stride for each axis.

#include <array>
#include <initializer_list>
#include <span>

#include "tandem/fft.h"

namespace tandem {

/// A number for each axis of a grid, the outermost first.
struct PerAxis {
  static constexpr std::size_t kMost = 3;
  std::size_t count = 0;  // of axes; more than kMost are counted, but not kept
  std::array<std::int64_t, kMost> each{};

  constexpr PerAxis() = default;
  constexpr PerAxis(std::initializer_list<std::int64_t> values)
      : PerAxis(std::span<const std::int64_t>(values.begin(), values.size())) {}
  constexpr explicit PerAxis(std::span<const std::int64_t> values) : count(values.size()) {
    for (std::size_t axis = 0; axis < kMost && axis < count; ++axis) each[axis] = values[axis];
  }
};

/// Grids of one shape: number (x, y, z) of grid b is in[b · in_distance + x · in_strides.each[0] + y · …], and so in out.
struct Grid {
  PerAxis extents;                                 // of one to three axes
  PerAxis in_strides = {}, out_strides = {};       // in elements; none, or all 0: row-major, without gaps
  std::int64_t batch = 1;                          // grids
  std::int64_t in_distance = 0, out_distance = 0;  // in elements; 0: past the last element of a grid
  FftScaling scaling = FftScaling::inverse;        // n: the numbers of a grid
};

namespace detail {
TANDEM_API void fft_nd(Context& ctx, Type type, ConstMemory in, Memory out, const Grid& grids, bool inverse,
                       const Options& options);
template <class In, class Out>
void fft_nd(Context& ctx, const In& in, Out&& out, const Grid& grids, bool inverse, const Options& options) {
  using C = element_of<In>;
  static_assert(std::is_same_v<C, element_of<Out>>, "fft_nd: out must hold the type of in");
  static_assert(ComplexNumber<C>,
                "fft_nd takes complex numbers of float or double, such as std::complex<float>");
  fft_nd(ctx, type_of<typename C::value_type>, const_memory(in), memory(out), grids, inverse, options);
}
}  // namespace detail

/// X[p, q, r] = s · sum of x[j, k, l] e^(−2πi (jp/n0 + kq/n1 + lr/n2)) over all numbers of a grid of n0 · n1 · n2, or of fewer
/// axes, for each grid, in the memory of the context, without waiting for it. Transforms of one axis with a stride are grids of
/// one axis.
///
/// in, out: complex numbers of float or double, such as std::complex<float>, up to the last element of the last grid, their
/// addresses multiples of the size of one. Extents: any numbers; s is 1, or 1/√n with FftScaling::unitary, n = n0 · n1 · n2.
/// Strides of out lead past each other: of the axes longer than 1 and the distance between grids each is greater than what those
/// of smaller strides span together, in any order, so that no two elements meet. Elements of in may meet (overlapping windows).
/// out may be in itself, with the same layout; any other overlap is refused, of all memory from the first to the last element.
/// Elements between those of a grid stay as they are. An extent of 0 and batch = 0 do nothing.
/// The error of a grid, in the Euclidean norm, is at most the sum of what fft's may be along each axis, that of
/// convolutions for long ones that are no powers of two on a GPU. What is lost to underflow
/// comes to that. A grid with a NaN or an infinity has no finite result; the others are as they would be. O(n log n) work for
/// each grid. Roots of unity of an extent are made at its first call and kept with the context; later calls of a shape allocate
/// nothing.
/// Throws InvalidArgument (no axis or more than three, an extent or batch that is negative, strides for other axes, a stride or
/// distance below 1, strides of out by which elements meet, an unknown scaling, arrays too small, sizes beyond 2^63 bytes, null
/// or misaligned pointers, host memory in a device context, overlap, unknown options.use), Unavailable (options.use cannot run
/// here), OutOfMemory, DeviceError.
/// Source:  Cooley, Tukey 1965, "An algorithm for the machine calculation of complex Fourier series", for one axis after the other.
template <Viewable In, Viewable Out>
void fft_nd(Context& ctx, const In& in, Out&& out, const Grid& grids, const Options& options = {}) {
  detail::fft_nd(ctx, in, out, grids, false, options);
}

/// x[j, k, l] = s · sum of X[p, q, r] e^(+2πi (jp/n0 + kq/n1 + lr/n2)) of each grid; s is 1/n, or 1/√n or 1 as grids.scaling says.
/// Otherwise as fft_nd.
template <Viewable In, Viewable Out>
void inverse_fft_nd(Context& ctx, const In& in, Out&& out, const Grid& grids, const Options& options = {}) {
  detail::fft_nd(ctx, in, out, grids, true, options);
}

}  // namespace tandem
