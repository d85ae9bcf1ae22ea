// On arrays of Python: transform and random, which make each element by itself, transpose, gemm and tridiagonal.

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nanobind/stl/optional.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>

#include "python/src/operations.h"
#include "python/src/operators.h"
#include "python/src/output.h"
#include "tandem/gemm.h"
#include "tandem/random.h"
#include "tandem/transform.h"
#include "tandem/transpose.h"
#include "tandem/tridiagonal.h"

namespace tandem::python {
namespace {

using namespace nb::literals;

nb::object transform(const char* f, nb::args inputs, nb::handle alpha, nb::handle out, const char* use) {
  constexpr std::size_t kMost = 4;
  constexpr const char* kNames[kMost] = {"x", "y", "w", "v"};
  Call call("transform", use);
  const OperatorId id = require_operator(call, "f", f, transforms);
  const auto count = static_cast<std::size_t>(inputs_of(id));
  if (inputs.size() != count)
    call.refuse(fmt::format("f is '{}' and got {} arrays; it takes {}", f, inputs.size(), count));
  if (alpha.is_none() == (id == OperatorId::axpy))
    call.refuse(fmt::format("alpha is {}; it is needed by axpy and by no other function",
                            alpha.is_none() ? "not given" : "given"));
  std::optional<Array> in[kMost];
  detail::TransformArray memory[kMost];
  const Array& x = in[0].emplace(call, kNames[0], inputs[0]);
  const Type type = require_type(call, x, id, transforms);
  const std::size_t bytes = size_of(type);
  const auto described = [&](const Array& a) {
    const detail::Memory all = a.elements(call);
    if (!a.dense(x.order()))
      call.refuse(fmt::format("'{}' of shape {} lies in {} order; it must lie as 'x' does", a.name,
                              a.shape_text(), x.order() == Order::c ? "Fortran" : "C"));
    return detail::TransformArray{all.data, all.size, bytes, bytes};
  };
  memory[0] = described(x);
  for (std::size_t k = 1; k < count; ++k) {
    const Array& next = in[k].emplace(call, kNames[k], inputs[k]);
    next.require_dtype(call, x.dtype, "as 'x' does");
    next.require_shape(call, x.shape(), "the shape of 'x'");
    memory[k] = described(next);
  }
  std::optional<Scalar> scalar;
  if (!alpha.is_none()) scalar.emplace(call, "alpha", alpha, type);
  Output output(call, out, x, x.shape(), x.order());
  const detail::TransformArray results = described(output.array());
  call.run([&](Context& ctx, const Options& options) {
    detail::transform(ctx, {type, id}, results, std::span(memory, count), scalar ? scalar->data() : nullptr,
                      options);
  });
  return output.result();
}

nb::object random(nb::object out, const char* distribution, double low, double high,
                  std::optional<double> mean, double deviation, std::uint64_t seed, std::uint64_t offset,
                  const char* generator, int dimensions, const char* scrambling, const char* use) {
  Call call("random", use);
  const Array array(call, "out", out, Access::write);
  const auto kind = static_cast<detail::DistributionKind>(
      choice_of(call, "distribution", distribution, {"uniform", "normal", "log-normal", "poisson"}));
  const Type type = require_type(call, array, OperatorId::none, has_random);
  const bool uniform = kind == detail::DistributionKind::uniform,
             poisson = kind == detail::DistributionKind::poisson;
  const detail::DistributionOf of{kind, uniform ? low : mean.value_or(poisson ? 1 : 0),
                                  uniform ? high : deviation};
  const RandomKey key{
      seed, offset, static_cast<Generator>(choice_of(call, "generator", generator, {"philox", "sobol"})),
      dimensions,
      static_cast<Scrambling>(choice_of(call, "scrambling", scrambling, {"none", "shift", "owen"}))};
  const detail::Memory numbers = array.elements(call);
  call.run(
      [&](Context& ctx, const Options& options) { detail::random(ctx, type, numbers, of, key, options); });
  return out;
}

/// What elements of an array are moved as.
Type moved_as(const Call& call, const Array& x) {
  if (const auto type = x.type(); type == Type::f32 || type == Type::f64) return *type;
  switch (x.dtype.bits * x.dtype.lanes) {
    case 8:
      return detail::moved_as<std::uint8_t>();
    case 16:
      return detail::moved_as<std::uint16_t>();
    case 32:
      return detail::moved_as<std::uint32_t>();
    case 64:
      return detail::moved_as<std::uint64_t>();
    default:
      call.refuse(fmt::format("'{}' holds {}; it must hold elements of 8, 16, 32 or 64 bits", x.name,
                              x.dtype_name()));
  }
}

nb::object transpose(nb::handle x, nb::handle out, const char* use) {
  Call call("transpose", use);
  const Array in(call, "x", x);
  const Type type = moved_as(call, in);
  const MatrixView<std::byte> from = in.matrix(call);
  const std::int64_t shape[] = {from.cols, from.rows};
  Output output(call, out, in, shape, from.layout == Layout::row_major ? Order::c : Order::fortran);
  const MatrixView<std::byte> to = output.array().matrix(call, from.layout);
  if (to.layout != from.layout)
    call.refuse(fmt::format("'out' has its {} in one piece; it must be its {}, as those of 'x' are",
                            to.layout == Layout::row_major ? "rows" : "columns",
                            to.layout == Layout::row_major ? "columns" : "rows"));
  call.run([&](Context& ctx, const Options& options) { detail::transpose(ctx, type, from, to, options); });
  return output.result();
}

nb::object gemm(nb::handle a_object, nb::handle b_object, nb::handle out, nb::handle alpha_object,
                nb::handle beta_object, const char* precision, const char* use) {
  Call call("gemm", use, precision);
  const Array a(call, "a", a_object), b(call, "b", b_object);
  const Type type = require_type(call, a, OperatorId::none, multiplies_matrices);
  b.require_dtype(call, a.dtype, "as 'a' does");
  const MatrixView<std::byte> left = a.matrix(call), right = b.matrix(call);
  const Scalar alpha(call, "alpha", alpha_object, accumulator(type));
  const Scalar beta(call, "beta", beta_object, accumulator(type));
  if (out.is_none() && !beta.is_zero())
    call.refuse("beta is not 0; it multiplies what 'out' holds, so give 'out'");
  if (left.cols != right.rows)
    call.refuse(fmt::format("'b' has {} rows; it must have {}, the columns of 'a'", right.rows, left.cols));
  const std::int64_t shape[] = {left.rows, right.cols};
  Output output(call, out, a, shape, Order::c);
  const MatrixView<std::byte> c = output.array().matrix(call);
  call.run([&](Context& ctx, const Options& options) {
    detail::gemm(ctx, type, alpha.data(), left, right, beta.data(), c, options);
  });
  return output.result();
}

/// Systems along one axis of an array without gaps. In Fortran order the axes count from the other end.
Systems along(const Call& call, const Array& rhs, int axis, bool pivot) {
  if (rhs.ndim == 0) call.refuse("'rhs' has 0 dimensions; it must have at least 1");
  if (axis < -rhs.ndim || axis >= rhs.ndim)
    call.refuse(fmt::format("axis is {}; it must be from {} to {}, as 'rhs' has shape {}", axis, -rhs.ndim,
                            rhs.ndim - 1, rhs.shape_text()));
  if (axis < 0) axis += rhs.ndim;
  const bool fortran = rhs.order() == Order::fortran;
  std::int64_t before = 1, after = 1;  // extents of the axes with larger strides, and with smaller ones
  for (int i = 0; i < rhs.ndim; ++i) {
    if (i != axis) ((i < axis) != fortran ? before : after) *= rhs.extents[i];
  }
  const std::int64_t n = rhs.extents[axis];
  Systems systems = after == 1 ? contiguous(n, before) : Systems{n, after, before, after, 1, n * after};
  systems.pivot = pivot;
  return systems;
}

nb::object tridiagonal(nb::handle lower, nb::handle diag, nb::handle upper, nb::handle rhs_object, int axis,
                       nb::handle offsets_object, bool pivot, nb::handle out, const char* use) {
  Call call("tridiagonal", use);
  const Array rhs(call, "rhs", rhs_object);
  const Type type = require_type(call, rhs, OperatorId::none, floats);
  const Array matrix[] = {{call, "lower", lower}, {call, "diag", diag}, {call, "upper", upper}};
  detail::ConstMemory in[4] = {{}, {}, {}, read_only(rhs.elements(call))};
  for (const Array& a : matrix) a.require_dtype(call, rhs.dtype, "as 'rhs' does");

  std::optional<Array> offsets;
  SystemList list{{}, pivot};
  Systems systems{};
  if (!offsets_object.is_none()) {
    rhs.vector(call);
    offsets.emplace(call, "offsets", offsets_object);
    offsets->require_dtype(call, dlpack_type(Type::i64), "positions in 'rhs'");
    const detail::Memory positions = offsets->vector(call);
    list.offsets = {static_cast<const std::int64_t*>(positions.data), positions.size};
  } else {
    systems = along(call, rhs, axis, pivot);
    systems.shared_matrix = rhs.ndim > 1 && std::all_of(std::begin(matrix), std::end(matrix),
                                                        [](const Array& a) { return a.ndim == 1; });
  }
  for (int i = 0; i < 3; ++i) {
    in[i] = read_only(matrix[i].elements(call));
    if (systems.shared_matrix) {
      matrix[i].require_shape(call, std::array{systems.n}, "one row for each unknown of a system");
    } else {
      matrix[i].require_shape(call, rhs.shape(), "the shape of 'rhs'");
      if (!matrix[i].dense(rhs.order()))
        call.refuse(fmt::format("'{}' lies in {} order; it must lie as 'rhs' does", matrix[i].name,
                                rhs.order() == Order::c ? "Fortran" : "C"));
    }
  }
  Output output(call, out, rhs, rhs.shape(), rhs.order());
  const detail::Memory x = output.array().elements(call);
  if (!output.array().dense(rhs.order()))
    call.refuse("'out' lies in another order than 'rhs'; both must lie alike");
  call.run([&](Context& ctx, const Options& options) {
    if (offsets)
      detail::tridiagonal(ctx, type, in, x, list, options);
    else
      detail::tridiagonal(ctx, type, in, x, systems, options);
  });
  return output.result();
}

}  // namespace

void add_elements_and_matrices(nb::module_& module) {
  module.def("transform", &transform, "f"_a, "inputs"_a, nb::kw_only(), "alpha"_a = nb::none(),
             "out"_a = nb::none(), "use"_a = "",
             nb::sig("def transform(f: Function, *inputs: Array, alpha: float | None = None, out: Array | "
                     "None = None, use: str = '') -> Array"),
             R"(A function of each element: f(x), f(x, y), f(x, y, w) or f(x, y, w, v).

f       'negate' (-x), 'square' (x*x), 'plus' (x + y), 'axpy' (alpha*x + y), 'multiply_add' (x*y +
        w), 'dot2' (x*y + w*v)
inputs  as many arrays as f takes, of one shape, type and order, without gaps: float32, float64,
        int32, int64, uint32, uint64
alpha   a number of their type, for axpy alone
out     array like them, or one of them; made unless given
use     full or partial name of the implementation to run; see implementations()

Returns out. Integers wrap; a product and the sum it enters may be rounded once.

Raises InvalidArgument, Unavailable, DeviceError.)");

  module.def(
      "random", &random, "out"_a, "distribution"_a = "uniform", nb::kw_only(), "low"_a = 0.0, "high"_a = 1.0,
      "mean"_a = nb::none(), "deviation"_a = 1.0, "seed"_a = 0, "offset"_a = 0, "generator"_a = "philox",
      "dimensions"_a = 1, "scrambling"_a = "none", "use"_a = "",
      nb::sig("def random(out: Array, distribution: str = 'uniform', *, low: float = 0.0, high: float = 1.0, "
              "mean: float | None = None, deviation: float = 1.0, seed: int = 0, offset: int = 0, "
              "generator: str = 'philox', dimensions: int = 1, scrambling: str = 'none', use: str = '') -> "
              "Array"),
      R"(Fills out with random numbers, the same bits on every machine.

out           array of any shape, its elements without gaps in C or Fortran order: float32, float64, uint32,
              uint64
distribution  'uniform': of floats [low, high), of integers all; 'normal' and 'log-normal': floats, by mean (0
              unless given) and deviation; 'poisson': integers, by mean (1 unless given)
seed          says all numbers
offset        the place of the first one in the sequence of the seed
generator     'philox'; 'sobol': coordinates of points in so many dimensions, up to 32
scrambling    of Sobol's points, by the seed: 'none', 'shift' or 'owen'
use           full or partial name of the implementation to run; see implementations()

Returns out. Nothing waits for a GPU.

    tandem.random(numpy.empty(3), "normal", seed=7)
)");

  module.def("transpose", &transpose, "x"_a, nb::kw_only(), "out"_a = nb::none(), "use"_a = "",
             nb::sig("def transpose(x: Array, *, out: Array | None = None, use: str = '') -> Array"),
             R"(The transposed matrix, moved in memory: out[j, i] = x[i, j].

x    matrix whose rows or whose columns lie in one piece (a slice of a matrix will do), of any elements
     of 1, 2, 4 or 8 bytes
out  matrix of x.shape[1] rows and x.shape[0] columns in the order of x, or a square x itself; made
     unless given
use  full or partial name of the implementation to run; see implementations()

Returns out. (x.T moves nothing: it is a view.)

Raises InvalidArgument, Unavailable, OutOfMemory, DeviceError.)");

  module.def(
      "gemm", &gemm, "a"_a, "b"_a, nb::kw_only(), "out"_a = nb::none(), "alpha"_a = 1, "beta"_a = 0,
      "precision"_a = "full", "use"_a = "",
      nb::sig("def gemm(a: Array, b: Array, *, out: Array | None = None, alpha: float = 1, beta: float "
              "= 0, precision: Precision = 'full', use: str = '') -> Array"),
      R"(The matrix product: out = alpha*a@b + beta*out.

a, b   matrices of m x k and k x n elements, float32, float64, float16 or bfloat16 (added up as float32), each with its rows or its columns
       in one piece: a transposed view (a.T) or a slice costs no copy
out    matrix of m x n elements that overlaps neither; made unless given
alpha  a number
beta   a number; where it is 0, as unless given, what out held is not read
precision
       what the automatic choice may use for float32 on a GPU: 'full', float32 arithmetic; 'split', too,
       tensor cores on numbers in three parts, about as accurate; 'tf32', too, factors of 11 bits
use    full or partial name of the implementation to run; see implementations()

Returns out.

Raises InvalidArgument, Unavailable, OutOfMemory, DeviceError.)");

  module.def(
      "tridiagonal", &tridiagonal, "lower"_a, "diag"_a, "upper"_a, "rhs"_a, nb::kw_only(), "axis"_a = -1,
      "offsets"_a = nb::none(), "pivot"_a = false, "out"_a = nb::none(), "use"_a = "",
      nb::sig("def tridiagonal(lower: Array, diag: Array, upper: Array, rhs: Array, *, axis: int = -1, "
              "offsets: Array | None = None, pivot: bool = False, out: Array | None = None, use: str = "
              "'') -> Array"),
      R"(Solves lower[i]*x[i-1] + diag[i]*x[i] + upper[i]*x[i+1] = rhs[i] for many systems at once.

rhs                 array of any shape, float32 or float64, without gaps in C or Fortran order: one
                    system for each line along `axis`
lower, diag, upper  arrays of the shape, type and order of rhs; or of one dimension, for a matrix
                    that all systems share. The first lower and the last upper of each system are
                    never read
axis                along which the unknowns of a system lie
offsets             int64 array: instead, systems of different lengths in arrays of one dimension;
                    system s has rows offsets[s] to offsets[s+1] - 1
pivot               exchange rows: for matrices that are neither dominated by the diagonal nor
                    symmetric positive definite
out                 array like rhs, or rhs itself; made unless given
use                 full or partial name of the implementation to run; see implementations()

Returns out.

Raises SingularSystem (on a GPU from the next call that waits, see synchronize()), InvalidArgument,
Unavailable, OutOfMemory, DeviceError.)");
}

}  // namespace tandem::python
