// fft and inverse_fft on arrays of Python.

#include <fmt/format.h>

#include <algorithm>

#include "python/src/operations.h"
#include "python/src/operators.h"
#include "python/src/output.h"
#include "tandem/fft.h"

namespace tandem::python {
namespace {

using namespace nb::literals;

/// Of the real numbers that a complex one consists of.
Type require_complex(const Call& call, const Array& x) {
  for (const Type type : {Type::f32, Type::f64}) {
    if (x.dtype == dlpack::DataType{dlpack::kComplex, static_cast<std::uint8_t>(16 * size_of(type)), 1})
      return type;
  }
  call.refuse(
      fmt::format("'{}' holds {}; it must hold one of complex64, complex128", x.name, x.dtype_name()));
}

/// The lines along the last axis.
struct Lines {
  std::int64_t n, batch, distance;  // from one to the next
  detail::Memory memory;

  Lines(const Call& call, const Array& x) {
    if (x.ndim == 0) call.refuse(fmt::format("'{}' has 0 dimensions; it must have at least 1", x.name));
    n = x.extents[x.ndim - 1], batch = 1, distance = n;
    bool even = n <= 1 || x.strides[x.ndim - 1] == 1;
    for (int i = x.ndim - 2; i >= 0; --i) {
      if (x.extents[i] == 1) continue;
      if (batch == 1) distance = x.strides[i];
      even = even && x.strides[i] == distance * batch;
      batch *= x.extents[i];
    }
    if (x.size() == 0)
      distance = n;
    else if (!even || distance < n) {
      call.refuse(
          fmt::format("'{}' of shape {} does not lie line by line along its last axis, at one distance "
                      "(numpy.ascontiguousarray)",
                      x.name, x.shape_text()));
    }
    memory = {x.data, x.size() == 0 ? 0 : (batch - 1) * distance + n};
  }
};

nb::object transformed(const char* name, bool inverse, nb::handle x, nb::handle out, const char* norm,
                       const char* use) {
  Call call(name, use);
  const Array in(call, "x", x);
  const Type type = require_complex(call, in);
  const auto scaling = static_cast<FftScaling>(choice_of(call, "norm", norm, {"inverse", "unitary", "none"}));
  const Lines from(call, in);
  Output output(call, out, in, in.shape(), Order::c);
  const Lines to(call, output.array());
  call.run([&](Context& ctx, const Options& options) {
    detail::fft(ctx, type, read_only(from.memory), to.memory,
                {from.n, from.batch, from.distance, to.distance, scaling}, inverse, options);
  });
  return output.result();
}

nb::object fft(nb::handle x, nb::handle out, const char* norm, const char* use) {
  return transformed("fft", false, x, out, norm, use);
}
nb::object inverse_fft(nb::handle x, nb::handle out, const char* norm, const char* use) {
  return transformed("inverse_fft", true, x, out, norm, use);
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
}

}  // namespace tandem::python
