// fft, real_fft, fft_nd and real_fft_nd on arrays of Python, and their inverses; convolve.

#include <fmt/format.h>
#include <nanobind/stl/optional.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "python/src/operations.h"
#include "python/src/operators.h"
#include "python/src/output.h"
#include "tandem/convolve.h"
#include "tandem/fft.h"
#include "tandem/fft_nd.h"
#include "tandem/real_fft.h"
#include "tandem/real_fft_nd.h"

namespace tandem::python {
namespace {

using namespace nb::literals;

dlpack::DataType complex_of(Type real) {
  return {dlpack::kComplex, static_cast<std::uint8_t>(16 * size_of(real)), 1};
}

/// Of the real numbers that a complex one consists of.
Type require_complex(const Call& call, const Array& x) {
  for (const Type type : {Type::f32, Type::f64}) {
    if (x.dtype == complex_of(type)) return type;
  }
  call.refuse(
      fmt::format("'{}' holds {}; it must hold one of complex64, complex128", x.name, x.dtype_name()));
}

FftScaling scaling_of(const Call& call, const char* norm) {
  return static_cast<FftScaling>(choice_of(call, "norm", norm, {"inverse", "unitary", "none"}));
}

/// Throws InvalidArgument where there are no axes.
std::int64_t last_extent(const Call& call, const Array& x) {
  if (x.ndim == 0) call.refuse(fmt::format("'{}' has 0 dimensions; it must have at least 1", x.name));
  return x.extents[x.ndim - 1];
}

/// The axes before the last ones, as one axis.
struct Leading {
  std::int64_t batch = 1, distance = 0;
  bool even = true;  // one distance leads from each to the next

  Leading(const Array& x, int last) {
    for (int i = x.ndim - last - 1; i >= 0; --i) {
      if (x.extents[i] == 1) continue;
      if (batch == 1) distance = x.strides[i];
      even = even && x.strides[i] == distance * batch;
      batch *= x.extents[i];
    }
  }
};

/// The lines along the last axis.
struct Lines {
  std::int64_t n, batch, distance;  // from one to the next
  detail::Memory memory;

  Lines(const Call& call, const Array& x) {
    const Leading leading(x, 1);
    n = last_extent(call, x), batch = leading.batch;
    distance = batch == 1 || x.size() == 0 ? n : leading.distance;
    const bool dense = n <= 1 || x.strides[x.ndim - 1] == 1;
    if (x.size() > 0 && (!dense || !leading.even || distance < n)) {
      call.refuse(
          fmt::format("'{}' of shape {} does not lie line by line along its last axis, at one distance "
                      "(numpy.ascontiguousarray)",
                      x.name, x.shape_text()));
    }
    memory = {x.data, x.size() == 0 ? 0 : (batch - 1) * distance + n};
  }
};

/// The grids of the last axes.
struct Grids {
  PerAxis extents, strides;  // none of an empty array
  std::int64_t batch, distance;
  detail::Memory memory;

  Grids(const Call& call, const Array& x, int axes) : memory{x.data, 0} {
    const Leading leading(x, axes);
    batch = leading.batch, distance = leading.distance;
    const auto outermost = static_cast<std::size_t>(x.ndim - axes), count = static_cast<std::size_t>(axes);
    extents = PerAxis(x.shape().subspan(outermost, count));
    if (x.size() == 0) return;
    strides = PerAxis(std::span<const std::int64_t>(x.strides + outermost, count));
    bool ascend = leading.even && (batch == 1 || distance >= 1);
    std::int64_t behind = 1;  // the stride of an axis of one number, which may be any
    memory.size = 1 + (batch - 1) * distance;
    for (std::size_t axis = count; axis-- > 0;) {
      std::int64_t& stride = strides.each[axis];
      if (extents.each[axis] == 1) stride = behind;
      ascend = ascend && stride >= 1;
      behind = stride * extents.each[axis];
      memory.size += (extents.each[axis] - 1) * stride;
    }
    if (!ascend) {
      call.refuse(fmt::format(
          "'{}' of shape {} does not lie in ascending steps along its last {} axes, with grids at "
          "one distance (numpy.ascontiguousarray)",
          x.name, x.shape_text(), axes));
    }
  }
};

/// What is made of each line.
struct LineTransform {
  void (*function)(Context& ctx, Type type, detail::ConstMemory in, detail::Memory out,
                   const Transforms& rows, bool inverse, const Options& options);
  bool inverse;
  Type type;
  std::int64_t n, out_extent;
  dlpack::DataType out_dtype;
};

nb::object transformed(Call& call, const Array& in, nb::handle out, const char* norm,
                       const LineTransform& lines) {
  const FftScaling scaling = scaling_of(call, norm);
  const Lines from(call, in);
  std::vector<std::int64_t> shape(in.shape().begin(), in.shape().end());
  shape.back() = lines.out_extent;
  Output output(call, out, in, shape, Order::c, lines.out_dtype);
  const Lines to(call, output.array());
  call.run([&](Context& ctx, const Options& options) {
    lines.function(ctx, lines.type, read_only(from.memory), to.memory,
                   {lines.n, from.batch, from.distance, to.distance, scaling}, lines.inverse, options);
  });
  return output.result();
}

nb::object complex_transform(const char* name, bool inverse, nb::handle x, nb::handle out, const char* norm,
                             const char* use) {
  Call call(name, use);
  const Array in(call, "x", x);
  const Type type = require_complex(call, in);
  const std::int64_t n = last_extent(call, in);
  return transformed(call, in, out, norm, {&detail::fft, inverse, type, n, n, in.dtype});
}
nb::object fft(nb::handle x, nb::handle out, const char* norm, const char* use) {
  return complex_transform("fft", false, x, out, norm, use);
}
nb::object inverse_fft(nb::handle x, nb::handle out, const char* norm, const char* use) {
  return complex_transform("inverse_fft", true, x, out, norm, use);
}

nb::object convolve(nb::handle x, nb::handle filter, nb::handle out, const char* norm, const char* use) {
  Call call("convolve", use);
  const Array in(call, "x", x), spectrum(call, "filter", filter);
  const Type type = require_complex(call, in);
  const std::int64_t n[] = {last_extent(call, in)};
  spectrum.require_dtype(call, in.dtype, "as 'x' does");
  spectrum.require_shape(call, n, "a line of 'x'");
  const FftScaling scaling = scaling_of(call, norm);
  const Lines from(call, in);
  const detail::Memory filter_memory = spectrum.vector(call);
  Output output(call, out, in, in.shape(), Order::c);
  const Lines to(call, output.array());
  call.run([&](Context& ctx, const Options& options) {
    detail::convolve(ctx, type, read_only(from.memory), read_only(filter_memory), to.memory,
                     {from.n, from.batch, from.distance, to.distance, scaling}, options);
  });
  return output.result();
}

nb::object real_fft(nb::handle x, nb::handle out, const char* norm, const char* use) {
  Call call("real_fft", use);
  const Array in(call, "x", x);
  const Type type = require_type(call, in, OperatorId::none, floats);
  const std::int64_t n = last_extent(call, in);
  return transformed(call, in, out, norm,
                     {&detail::real_fft, false, type, n, n == 0 ? 0 : n / 2 + 1, complex_of(type)});
}

/// Real numbers along the last axis of what becomes the spectrum x; `given`, or the even number.
std::int64_t real_extent(const Call& call, const Array& x, std::optional<std::int64_t> given) {
  const std::int64_t numbers = last_extent(call, x);
  const std::int64_t even = numbers == 0 ? 0 : std::max<std::int64_t>(1, 2 * numbers - 2),
                     odd = numbers == 0 ? 0 : 2 * numbers - 1;
  const std::int64_t n = given.value_or(even);
  if (n < even || n > odd) {
    call.refuse(fmt::format("n is {}; it must be {}, as 'x' of shape {} has {} numbers in a line", n,
                            even == odd ? fmt::format("{}", odd) : fmt::format("{} or {}", even, odd),
                            x.shape_text(), numbers));
  }
  return n;
}
nb::object inverse_real_fft(nb::handle x, std::optional<std::int64_t> n, nb::handle out, const char* norm,
                            const char* use) {
  Call call("inverse_real_fft", use);
  const Array in(call, "x", x);
  const Type type = require_complex(call, in);
  const std::int64_t points = real_extent(call, in, n);
  return transformed(call, in, out, norm, {&detail::real_fft, true, type, points, points, dlpack_type(type)});
}

/// What is made of the grids of the last axes.
struct GridTransform {
  void (*function)(Context& ctx, Type type, detail::ConstMemory in, detail::Memory out, const Grid& grids,
                   bool inverse, const Options& options);
  bool inverse;
  Type type;
  std::int64_t out_extent;  // of the last axis
  dlpack::DataType out_dtype;
};

nb::object transformed(Call& call, const Array& in, std::optional<int> axes, nb::handle out, const char* norm,
                       const GridTransform& grids) {
  const int count = axes.value_or(in.ndim), most = std::min(in.ndim, static_cast<int>(PerAxis::kMost));
  if (count < 1 || count > most) {
    call.refuse(
        fmt::format("axes is {}; it must be from 1 to {}, how many of the last axes of 'x' of shape {} "
                    "are transformed",
                    count, most, in.shape_text()));
  }
  const FftScaling scaling = scaling_of(call, norm);
  const Grids from(call, in, count);
  std::vector<std::int64_t> shape(in.shape().begin(), in.shape().end());
  shape.back() = grids.out_extent;
  Output output(call, out, in, shape, Order::c, grids.out_dtype);
  const Grids to(call, output.array(), count);
  call.run([&](Context& ctx, const Options& options) {
    // Of real numbers and their spectra, those of the real ones.
    const PerAxis& extents = grids.inverse ? to.extents : from.extents;
    grids.function(ctx, grids.type, read_only(from.memory), to.memory,
                   {extents, from.strides, to.strides, from.batch, from.distance, to.distance, scaling},
                   grids.inverse, options);
  });
  return output.result();
}

nb::object complex_grids(const char* name, bool inverse, nb::handle x, std::optional<int> axes,
                         nb::handle out, const char* norm, const char* use) {
  Call call(name, use);
  const Array in(call, "x", x);
  const Type type = require_complex(call, in);
  return transformed(call, in, axes, out, norm,
                     {&detail::fft_nd, inverse, type, last_extent(call, in), in.dtype});
}
nb::object fft_nd(nb::handle x, std::optional<int> axes, nb::handle out, const char* norm, const char* use) {
  return complex_grids("fft_nd", false, x, axes, out, norm, use);
}
nb::object inverse_fft_nd(nb::handle x, std::optional<int> axes, nb::handle out, const char* norm,
                          const char* use) {
  return complex_grids("inverse_fft_nd", true, x, axes, out, norm, use);
}

nb::object real_fft_nd(nb::handle x, std::optional<int> axes, nb::handle out, const char* norm,
                       const char* use) {
  Call call("real_fft_nd", use);
  const Array in(call, "x", x);
  const Type type = require_type(call, in, OperatorId::none, floats);
  const std::int64_t n = last_extent(call, in);
  return transformed(call, in, axes, out, norm,
                     {&detail::real_fft_nd, false, type, n == 0 ? 0 : n / 2 + 1, complex_of(type)});
}
nb::object inverse_real_fft_nd(nb::handle x, std::optional<int> axes, std::optional<std::int64_t> n,
                               nb::handle out, const char* norm, const char* use) {
  Call call("inverse_real_fft_nd", use);
  const Array in(call, "x", x);
  const Type type = require_complex(call, in);
  return transformed(call, in, axes, out, norm,
                     {&detail::real_fft_nd, true, type, real_extent(call, in, n), dlpack_type(type)});
}

}  // namespace

void add_fourier(nb::module_& module) {
  module.def(
      "fft", &fft, "x"_a, nb::kw_only(), "out"_a = nb::none(), "norm"_a = "inverse", "use"_a = "",
      nb::sig("def fft(x: Array, *, out: Array | None = None, norm: Norm = 'inverse', use: str = '') -> "
              "Array"),
      R"(The discrete Fourier transform along the last axis: out[k] = s * sum of x[j] * exp(-2 pi i j k / n).

x     array of any shape with at least one axis, complex64 or complex128, whose lines along the last axis lie
      without gaps and at one distance (x[:, :n] will do); n may be any number
out   array like x, or x itself; made unless given
norm  what is scaled: 'inverse', the inverse transform by 1/n (NumPy's 'backward'); 'unitary', both by 1/sqrt(n)
      ('ortho'); 'none', neither
use   full or partial name of the implementation to run; see implementations()

Returns out.

Raises InvalidArgument, Unavailable, OutOfMemory, DeviceError.)");

  module.def(
      "inverse_fft", &inverse_fft, "x"_a, nb::kw_only(), "out"_a = nb::none(), "norm"_a = "inverse",
      "use"_a = "",
      nb::sig("def inverse_fft(x: Array, *, out: Array | None = None, norm: Norm = 'inverse', use: str = '') "
              "-> Array"),
      R"(The inverse transform along the last axis: out[j] = s * sum of x[k] * exp(+2 pi i j k / n).

x     array of any shape with at least one axis, complex64 or complex128, as fft() takes it
out   array like x, or x itself; made unless given
norm  as of fft(): s is 1/n for 'inverse', 1/sqrt(n) for 'unitary' and 1 for 'none'
use   full or partial name of the implementation to run; see implementations()

Returns out.

Raises InvalidArgument, Unavailable, OutOfMemory, DeviceError.)");

  module.def(
      "convolve", &convolve, "x"_a, "filter"_a, nb::kw_only(), "out"_a = nb::none(), "norm"_a = "inverse",
      "use"_a = "",
      nb::sig("def convolve(x: Array, filter: Array, *, out: Array | None = None, norm: Norm = 'inverse', "
              "use: str = '') -> Array"),
      R"(Circular convolutions along the last axis with one filter: out = inverse_fft(fft(x) * filter).

x       array of any shape with at least one axis, complex64 or complex128, as fft() takes it
filter  the spectrum of the filter, of x's dtype and as many numbers as a line of x has: fft() of the filter
out     array like x, or x itself; made unless given
norm    as of both transforms: with 'none', results are n times as large, else the same
use     full or partial name of the implementation to run; see implementations()

Returns out.

Raises InvalidArgument, Unavailable, OutOfMemory, DeviceError.)");

  module.def(
      "real_fft", &real_fft, "x"_a, nb::kw_only(), "out"_a = nb::none(), "norm"_a = "inverse", "use"_a = "",
      nb::sig("def real_fft(x: Array, *, out: Array | None = None, norm: Norm = 'inverse', use: str = "
              "'') -> Array"),
      R"(The discrete Fourier transform of real numbers along the last axis: the first n // 2 + 1 numbers of fft(x),
of which the others are the conjugates.

x     array of any shape with at least one axis, float32 or float64, whose lines of n along the last axis lie
      without gaps and at one distance (x[:, :n] will do); n may be any number
out   complex64 or complex128 array like x, but for its last axis of n // 2 + 1 (for n = 0: 0). It may lie in the
      memory of x where the lines of both begin at the same places, as x = out.view(float)[:, :n]; made unless given
norm  as of fft(): the transform is scaled by 1/sqrt(n) for 'unitary' alone
use   full or partial name of the implementation to run; see implementations()

Returns out.

Raises InvalidArgument, Unavailable, OutOfMemory, DeviceError.)");

  module.def(
      "inverse_real_fft", &inverse_real_fft, "x"_a, "n"_a = nb::none(), nb::kw_only(), "out"_a = nb::none(),
      "norm"_a = "inverse", "use"_a = "",
      nb::sig("def inverse_real_fft(x: Array, n: int | None = None, *, out: Array | None = None, norm: "
              "Norm = 'inverse', use: str = '') -> Array"),
      R"(The n real numbers along the last axis whose real_fft() is x.

x     array of any shape with at least one axis, complex64 or complex128, whose lines of m = n // 2 + 1 along the
      last axis lie without gaps and at one distance. The imaginary parts of the first number and, for even n,
      of the last one are not looked at
n     2 * m - 2 or 2 * m - 1; unless given the even one, and 1 where m is 1
out   float32 or float64 array like x, but for its last axis of n. It may lie in the memory of x as real_fft() has it,
      whose memory behind the n numbers of a line is undefined then; made unless given
norm  as of fft(): the transform is scaled by 1/n for 'inverse', 1/sqrt(n) for 'unitary' and 1 for 'none'
use   full or partial name of the implementation to run; see implementations()

Returns out.

Raises InvalidArgument, Unavailable, OutOfMemory, DeviceError.)");

  module.def(
      "fft_nd", &fft_nd, "x"_a, "axes"_a = nb::none(), nb::kw_only(), "out"_a = nb::none(),
      "norm"_a = "inverse", "use"_a = "",
      nb::sig("def fft_nd(x: Array, axes: int | None = None, *, out: Array | None = None, norm: Norm = "
              "'inverse', use: str = '') -> Array"),
      R"(The discrete Fourier transform along each of the last axes, for all grids of these.

x     array of one axis or more, complex64 or complex128. Its last axes may have any positive strides (a slice, a
      transposed view or Fortran order costs no copy), and one distance must lead from grid to grid;
      grids may overlap. Extents may be any numbers
axes  how many of the last axes, 1 to 3; all of them unless given
out   array like x, whose elements must not overlap, or x itself; made in C order unless given
norm  as of fft(), n being the numbers of a grid
use   full or partial name of the implementation to run; see implementations()

Returns out.

Raises InvalidArgument, Unavailable, OutOfMemory, DeviceError.)");

  module.def(
      "inverse_fft_nd", &inverse_fft_nd, "x"_a, "axes"_a = nb::none(), nb::kw_only(), "out"_a = nb::none(),
      "norm"_a = "inverse", "use"_a = "",
      nb::sig("def inverse_fft_nd(x: Array, axes: int | None = None, *, out: Array | None = None, norm: "
              "Norm = 'inverse', use: str = '') -> Array"),
      R"(The inverse transform along each of the last axes, for all grids of these.

x     array of one axis or more, complex64 or complex128, as fft_nd() takes it
axes  how many of the last axes, 1 to 3; all of them unless given
out   array like x, whose elements must not overlap, or x itself; made in C order unless given
norm  as of inverse_fft(), n being the numbers of a grid
use   full or partial name of the implementation to run; see implementations()

Returns out.

Raises InvalidArgument, Unavailable, OutOfMemory, DeviceError.)");

  module.def(
      "real_fft_nd", &real_fft_nd, "x"_a, "axes"_a = nb::none(), nb::kw_only(), "out"_a = nb::none(),
      "norm"_a = "inverse", "use"_a = "",
      nb::sig("def real_fft_nd(x: Array, axes: int | None = None, *, out: Array | None = None, norm: Norm = "
              "'inverse', use: str = '') -> Array"),
      R"(The discrete Fourier transform of real numbers along each of the last axes, for all grids of these: of fft_nd(x)
the first n // 2 + 1 numbers along the last axis of n, of which the others are conjugates.

x     array of one axis or more, float32 or float64, which lies as fft_nd() takes it
axes  how many of the last axes, 1 to 3; all of them unless given
out   complex64 or complex128 array like x, but for its last axis of n // 2 + 1 (for n = 0: 0), whose elements must not
      overlap. It may lie in the memory of x where the lines of both along the last axis begin at the same places, as
      x = out.view(float)[..., :n]; made in C order unless given
norm  as of fft(), n being the numbers of a grid of x
use   full or partial name of the implementation to run; see implementations()

Returns out.

Raises InvalidArgument, Unavailable, OutOfMemory, DeviceError.)");

  module.def(
      "inverse_real_fft_nd", &inverse_real_fft_nd, "x"_a, "axes"_a = nb::none(), "n"_a = nb::none(),
      nb::kw_only(), "out"_a = nb::none(), "norm"_a = "inverse", "use"_a = "",
      nb::sig("def inverse_real_fft_nd(x: Array, axes: int | None = None, n: int | None = None, *, out: "
              "Array | None = None, norm: Norm = 'inverse', use: str = '') -> Array"),
      R"(The grids of real numbers along the last axes whose real_fft_nd() is x.

x     array of one axis or more, complex64 or complex128, with m = n // 2 + 1 numbers along the last axis, as real_fft_nd()
      makes it. Of planes that no real grid has, results are the real parts of those of the whole spectrum
axes  how many of the last axes, 1 to 3; all of them unless given
n     real numbers along the last axis, 2 * m - 2 or 2 * m - 1; unless given the even one, and 1 where m is 1
out   float32 or float64 array like x, but for its last axis of n, whose elements must not overlap. It may lie in the memory
      of x as real_fft_nd() has it, whose memory behind the n numbers of a line is undefined then; made in C order
      unless given
norm  as of inverse_fft(), n being the numbers of a grid of out
use   full or partial name of the implementation to run; see implementations()

Returns out.

Raises InvalidArgument, Unavailable, OutOfMemory, DeviceError.)");
}

}  // namespace tandem::python
