// reduce, scan, their forms by segments and keys, sort, top_k, transform, transpose, gemm, tridiagonal, selections, histogram and
// random numbers on arrays of Python.

#include "python/src/operations.h"

#include <fmt/format.h>
#include <nanobind/stl/optional.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>
#include <vector>

#include "python/src/operators.h"
#include "python/src/output.h"
#include "tandem/gemm.h"
#include "tandem/histogram.h"
#include "tandem/random.h"
#include "tandem/reduce.h"
#include "tandem/reduce_by_key.h"
#include "tandem/scan.h"
#include "tandem/segmented_reduce.h"
#include "tandem/segmented_scan.h"
#include "tandem/select.h"
#include "tandem/sort.h"
#include "tandem/top_k.h"
#include "tandem/transform.h"
#include "tandem/transpose.h"
#include "tandem/tridiagonal.h"

namespace tandem::python {
namespace {

using namespace nb::literals;

detail::ConstMemory read_only(detail::Memory memory) { return {memory.data, memory.size}; }

nb::object reduce(nb::handle x, const char* op, nb::handle out, bool is_portable, const char* use) {
  Call call("reduce", use);
  const Options as_asked{.use = use, .bits = is_portable ? portable : Bits::own};
  const Array in(call, "x", x);
  const OperatorId id = require_operator(call, "op", op, reduces);
  const Type type = require_type(call, in, id, reduces);
  const Type result = accumulator(type);
  const detail::ConstMemory elements = read_only(in.elements(call));
  if (out.is_none()) {
    alignas(8) std::byte value[8];
    call.run([&](Context& ctx, const Options&) {
      detail::reduce(ctx, {type, id}, elements, value, as_asked);
    });
    return to_python(result, value);
  }
  const Array value(call, "out", out, Access::write);
  value.require_dtype(call, dlpack_type(result), "what these elements are accumulated in");
  if (value.size() != 1)
    call.refuse(fmt::format("'out' has shape {}; it must have one element", value.shape_text()));
  call.run([&](Context& ctx, const Options&) {
    detail::reduce_into(ctx, {type, id}, elements, {value.data, 1}, as_asked);
  });
  return nb::borrow(out);
}

nb::object scan(nb::handle x, const char* op, bool exclusive, nb::handle init, nb::handle out,
                const char* use) {
  Call call("scan", use);
  const Array in(call, "x", x);
  const OperatorId id = require_operator(call, "op", op, scans);
  const Type type = require_type(call, in, id, scans);
  const detail::ConstMemory elements = read_only(in.vector(call));
  std::optional<Scalar> first;
  if (!init.is_none()) first.emplace(call, "init", init, type);
  Output output(call, out, in, in.shape(), Order::c);
  const detail::Memory results = output.array().vector(call);
  call.run([&](Context& ctx, const Options& options) {
    detail::scan(ctx, {type, id}, elements, results, exclusive, first ? first->data() : nullptr, options);
  });
  return output.result();
}

/// Where segments of `in` lie: by offsets or of one length.
struct SegmentArguments {
  std::optional<Array> offsets;
  View<const std::int64_t> positions{};
  std::optional<std::int64_t> length;
  std::int64_t count = 0;

  SegmentArguments(Call& call, const Array& in, nb::handle offsets_object, std::optional<std::int64_t> given)
      : length(given) {
    if (offsets_object.is_none() != length.has_value())
      call.refuse("one of 'offsets' and 'length' says where segments lie");
    if (length) {
      if (*length < 1 || in.size() % *length != 0)
        call.refuse(fmt::format("length is {}; it must divide {}, the size of 'x'", *length, in.size()));
      count = in.size() / *length;
    } else {
      offsets.emplace(call, "offsets", offsets_object);
      offsets->require_dtype(call, dlpack_type(Type::i64), "positions in 'x'");
      const detail::Memory memory = offsets->vector(call);
      positions = {static_cast<const std::int64_t*>(memory.data), memory.size};
      count = std::max<std::int64_t>(0, memory.size - 1);
    }
  }
  Segments in(Context& ctx) const {
    return length ? Segments::equal(count, *length) : Segments(ctx, positions);
  }
};

nb::object segmented_reduce(nb::handle x, nb::handle offsets, const char* op,
                            std::optional<std::int64_t> length, nb::handle out, const char* use) {
  Call call("segmented_reduce", use);
  const Array in(call, "x", x);
  const OperatorId id = require_operator(call, "op", op, reduces_segments);
  const Type type = require_type(call, in, id, reduces_segments);
  const detail::ConstMemory elements = read_only(in.vector(call));
  const SegmentArguments segments(call, in, offsets, length);
  const std::int64_t shape[] = {segments.count};
  Output output(call, out, in, shape, Order::c);
  const detail::Memory results = output.array().vector(call);
  call.run([&](Context& ctx, const Options& options) {
    detail::segmented_reduce(ctx, {type, id}, elements, segments.in(ctx), results, options);
  });
  return output.result();
}

nb::object segmented_scan(nb::handle x, nb::handle offsets, const char* op,
                          std::optional<std::int64_t> length, bool exclusive, nb::handle out,
                          const char* use) {
  Call call("segmented_scan", use);
  const Array in(call, "x", x);
  const OperatorId id = require_operator(call, "op", op, reduces_segments);
  const Type type = require_type(call, in, id, reduces_segments);
  const detail::ConstMemory elements = read_only(in.vector(call));
  const SegmentArguments segments(call, in, offsets, length);
  Output output(call, out, in, in.shape(), Order::c);
  const detail::Memory results = output.array().vector(call);
  call.run([&](Context& ctx, const Options& options) {
    detail::segmented_scan(ctx, {type, id}, elements, segments.in(ctx), results, exclusive, options);
  });
  return output.result();
}

nb::object scan_by_key(nb::handle keys, nb::handle x, const char* op, bool exclusive, nb::handle out,
                       const char* use) {
  Call call("scan_by_key", use);
  const Array of_runs(call, "keys", keys), in(call, "x", x);
  const OperatorId id = require_operator(call, "op", op, reduces_segments);
  const Type key_type = require_type(call, of_runs, OperatorId::none, makes_runs);
  const Type type = require_type(call, in, id, reduces_segments);
  const detail::ConstMemory key_elements = read_only(of_runs.vector(call)),
                            elements = read_only(in.vector(call));
  Output output(call, out, in, in.shape(), Order::c);
  const detail::Memory results = output.array().vector(call);
  call.run([&](Context& ctx, const Options& options) {
    detail::scan_by_key(ctx, {type, id}, key_type, key_elements, elements, results, exclusive, options);
  });
  return output.result();
}

nb::tuple reduce_by_key(nb::handle keys, nb::handle x, const char* op, nb::handle keys_out, nb::handle out,
                        const char* use) {
  Call call("reduce_by_key", use);
  const Array of_runs(call, "keys", keys), in(call, "x", x);
  const OperatorId id = require_operator(call, "op", op, reduces_segments);
  const Type key_type = require_type(call, of_runs, OperatorId::none, makes_runs);
  const Type type = require_type(call, in, id, reduces_segments);
  const detail::ConstMemory key_elements = read_only(of_runs.vector(call)),
                            elements = read_only(in.vector(call));
  Output found(call, keys_out, of_runs, of_runs.shape(), Order::c),
      output(call, out, in, in.shape(), Order::c);
  const detail::Memory keys_found = found.array().vector(call), results = output.array().vector(call);
  std::int64_t runs = 0;
  call.run([&](Context& ctx, const Options& options) {
    runs = detail::reduce_by_key(ctx, {type, id}, {key_type, key_elements, elements, keys_found, results},
                                 options);
  });
  return nb::make_tuple(found.result()[nb::slice(runs)], output.result()[nb::slice(runs)]);
}

nb::object reduce_axis(nb::handle x, int axis, const char* op, nb::handle out, const char* use) {
  Call call("reduce_axis", use);
  const Array in(call, "x", x);
  const OperatorId id = require_operator(call, "op", op, reduces_segments);
  const Type type = require_type(call, in, id, reduces_segments);
  const MatrixView<std::byte> from = in.matrix(call);
  if (axis < -2 || axis > 1) call.refuse(fmt::format("axis is {}; it must be from -2 to 1", axis));
  if (axis < 0) axis += 2;
  const std::int64_t shape[] = {axis == 0 ? from.cols : from.rows};
  Output output(call, out, in, shape, Order::c);
  const detail::Memory results = output.array().vector(call);
  call.run([&](Context& ctx, const Options& options) {
    detail::reduce_axis(ctx, {type, id}, from, axis, results, options);
  });
  return output.result();
}

/// The elements that compare so with a value.
template <class T>
Range<T> range_of(const Call& call, std::string_view comparison, nb::handle value, Type type) {
  const Scalar scalar(call, "value", value, type);
  T v;
  std::memcpy(&v, scalar.data(), sizeof v);
  if (comparison == "<") return less{v}.template range<T>();
  if (comparison == "<=") return less_equal{v}.template range<T>();
  if (comparison == ">") return greater{v}.template range<T>();
  if (comparison == ">=") return greater_equal{v}.template range<T>();
  if (comparison == "==") return equal{v}.template range<T>();
  if (comparison == "!=") return not_equal{v}.template range<T>();
  call.refuse(fmt::format("comparison is '{}'; it must be one of <, <=, >, >=, ==, !=", comparison));
}

/// The array of results, and how many are kept. `comparison`: null for unique and flags, which others have not.
std::pair<nb::object, std::int64_t> selected(Call& call, detail::Selection what, nb::handle x,
                                             const char* comparison, nb::handle value, nb::handle out,
                                             nb::handle flags_object = nb::none()) {
  const Array in(call, "x", x);
  const Type type = require_type(call, in, OperatorId::none, selects);
  const detail::ConstMemory elements = read_only(in.vector(call));
  std::optional<Array> flags;
  detail::ConstMemory kept_by{};
  if (what == detail::Selection::flags) {
    flags.emplace(call, "flags", flags_object);
    if (flags->dtype != dlpack_type(Type::u8) && flags->dtype != dlpack::DataType{dlpack::kBool, 8, 1})
      call.refuse(fmt::format("'flags' holds {}; it must hold bool or uint8", flags->dtype_name()));
    kept_by = read_only(flags->vector(call));
    flags->require_shape(call, in.shape(), "one flag for each element of 'x'");
  }
  std::int64_t kept = 0;
  const auto of = [&]<class T>(T) {
    const Range<T> range = comparison ? range_of<T>(call, comparison, value, type) : Range<T>::nothing();
    Output output(call, out, in, in.shape(), Order::c);
    const detail::Memory results = output.array().vector(call);
    call.run([&](Context& ctx, const Options& options) {
      kept = detail::select(ctx, type, what, elements, &range, kept_by, results, options);
    });
    return output.result();
  };
  nb::object results = type == Type::f32   ? of(float())
                       : type == Type::f64 ? of(double())
                       : type == Type::i32 ? of(std::int32_t())
                                           : of(std::int64_t());
  return {results, kept};
}

nb::object select(nb::handle x, const char* comparison, nb::handle value, nb::handle out, const char* use) {
  Call call("select", use);
  const auto [results, kept] = selected(call, detail::Selection::predicate, x, comparison, value, out);
  return results[nb::slice(kept)];
}
nb::object select_flagged(nb::handle x, nb::handle flags, nb::handle out, const char* use) {
  Call call("select_flagged", use);
  const auto [results, kept] = selected(call, detail::Selection::flags, x, nullptr, nb::none(), out, flags);
  return results[nb::slice(kept)];
}
nb::object unique(nb::handle x, nb::handle out, const char* use) {
  Call call("unique", use);
  const auto [results, kept] = selected(call, detail::Selection::unique, x, nullptr, nb::none(), out);
  return results[nb::slice(kept)];
}
nb::tuple partition(nb::handle x, const char* comparison, nb::handle value, nb::handle out, const char* use) {
  Call call("partition", use);
  const auto [results, kept] = selected(call, detail::Selection::partition, x, comparison, value, out);
  return nb::make_tuple(results, kept);
}

nb::object histogram(nb::handle x, nb::handle lower, nb::handle upper, std::int64_t bins, nb::handle out,
                     const char* use) {
  Call call("histogram", use);
  const Array in(call, "x", x);
  const Type type = require_type(call, in, OperatorId::none, has_histogram);
  const detail::ConstMemory elements = read_only(in.elements(call));
  if (bins < 1 || bins > kMostBins)
    call.refuse(fmt::format("bins is {}; it must be from 1 to {}", bins, kMostBins));
  const Type of_edges = is_floating(type) ? type : Type::i64;
  const Scalar first(call, "lower", lower, of_edges), last(call, "upper", upper, of_edges);
  Output output(call, out, in, {&bins, 1}, Order::c, dlpack_type(Type::i64));
  const detail::Memory counts = output.array().vector(call);
  call.run([&](Context& ctx, const Options& options) {
    detail::histogram_even(ctx, type, elements, first.data(), last.data(), counts, options);
  });
  return output.result();
}

/// The place of a text among those that an argument may have.
std::size_t choice_of(const Call& call, const char* argument, std::string_view text,
                      std::initializer_list<std::string_view> known) {
  const auto found = std::find(known.begin(), known.end(), text);
  if (found == known.end())
    call.refuse(fmt::format("{} is '{}'; it must be one of {}", argument, text, fmt::join(known, ", ")));
  return static_cast<std::size_t>(found - known.begin());
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

nb::object sort(nb::handle x, nb::handle values, bool descending, nb::handle out, const char* use) {
  Call call("sort", use);
  const Array in(call, "x", x);
  const Type type = require_type(call, in, OperatorId::none, sorts);
  const detail::ConstMemory keys = read_only(in.vector(call));
  Output sorted(call, out, in, in.shape(), Order::c);
  const detail::Memory keys_out = sorted.array().vector(call);
  std::optional<Array> given;
  std::optional<Output> moved;
  detail::SortValues with;
  if (!values.is_none()) {
    given.emplace(call, "values", values);
    with.bytes = given->dtype.bits * given->dtype.lanes / 8;
    if (with.bytes != 4 && with.bytes != 8)
      call.refuse(fmt::format("'values' holds {}; values have 4 or 8 bytes", given->dtype_name()));
    with.in = read_only(given->vector(call));
    moved.emplace(call, nb::none(), *given, given->shape(), Order::c);
    with.out = moved->array().vector(call);
  }
  call.run([&](Context& ctx, const Options& options) {
    detail::sort(ctx, type, keys, keys_out, with, {.descending = descending}, options);
  });
  if (!moved) return sorted.result();
  return nb::make_tuple(sorted.result(), moved->result());
}

nb::tuple top_k(nb::handle x, std::int64_t k, bool ascending, nb::handle out, const char* use) {
  Call call("top_k", use);
  const Array in(call, "x", x);
  const Type type = require_type(call, in, OperatorId::none, sorts);
  const detail::ConstMemory elements = read_only(in.vector(call));
  if (k < 0 || k > in.size())
    call.refuse(fmt::format("k is {}; it must be from 0 to {}, the size of 'x'", k, in.size()));
  Output keys(call, out, in, {&k, 1}, Order::c);
  Output positions(call, nb::none(), in, {&k, 1}, Order::c, dlpack_type(Type::i64));
  const detail::Memory keys_out = keys.array().vector(call), positions_out = positions.array().vector(call);
  call.run([&](Context& ctx, const Options& options) {
    detail::top_k(ctx, type, elements, &keys_out, &positions_out,
                  ascending ? tandem::Order::ascending : tandem::Order::descending, options);
  });
  return nb::make_tuple(keys.result(), positions.result());
}

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

nb::object transpose(nb::handle x, nb::handle out, const char* use) {
  Call call("transpose", use);
  const Array in(call, "x", x);
  const Type type = require_type(call, in, OperatorId::none, transposes);
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

void add_operations(nb::module_& module) {
  module.def(
      "reduce", &reduce, "x"_a, "op"_a = "plus", nb::kw_only(), "out"_a = nb::none(), "portable"_a = false,
      "use"_a = "",
      nb::sig("def reduce(x: SupportsDLPack, op: Operator = 'plus', *, out: typing.Any = None, portable: "
              "bool = False, use: str = '') -> typing.Any"),
      R"(One value from many: op(x[0], x[1], ...).

x     array of any shape, its elements without gaps in C or Fortran order: float32, float64, int32,
      int64, float16 and bfloat16 (accumulated as float32), int8 and uint8 (as int32); for plus,
      multiplies, minimum and maximum also uint32 and uint64
op    'plus', 'multiplies', 'minimum', 'maximum', 'logical_and', 'logical_or'
out   array of one element of the accumulating type: the value stays there, and on a GPU nothing
      waits for it
portable  True: a sum of floating-point numbers is the exact one, rounded once: the same bits on every
      machine, in any order
use   full or partial name of the implementation to run; see implementations()

Returns a float or an int, or `out`. Integers wrap; a NaN anywhere gives NaN; an empty array gives
the operator's identity.

Raises InvalidArgument, Unavailable, OutOfMemory, DeviceError.)");

  module.def("scan", &scan, "x"_a, "op"_a = "plus", nb::kw_only(), "exclusive"_a = false,
             "init"_a = nb::none(), "out"_a = nb::none(), "use"_a = "",
             nb::sig("def scan(x: Array, op: Operator = 'plus', *, exclusive: bool = False, init: float | "
                     "None = None, out: Array | None = None, use: str = '') -> Array"),
             R"(Prefix sums: out[i] = init o x[0] o ... o x[i], without x[i] where exclusive.

x          array of one dimension without gaps: float32, float64, int32, int64, float16 and bfloat16
           (accumulated as float32, each result rounded once), int8 and uint8; for plus, multiplies,
           minimum and maximum also uint32 and uint64
op         'plus', 'multiplies', 'minimum', 'maximum', 'logical_and', 'logical_or'
exclusive  leave x[i] out, so that out[0] = init
init       a number of the type of x; the operator's identity unless given
out        array of the shape and type of x, or x itself; made unless given
use        full or partial name of the implementation to run; see implementations()

Returns out. Integers wrap.

Raises InvalidArgument, Unavailable, OutOfMemory, DeviceError.)");

  module.def("segmented_reduce", &segmented_reduce, "x"_a, "offsets"_a = nb::none(), "op"_a = "plus",
             nb::kw_only(), "length"_a = nb::none(), "out"_a = nb::none(), "use"_a = "",
             nb::sig("def segmented_reduce(x: Array, offsets: Array | None = None, op: Operator = 'plus', *, "
                     "length: int | None = None, out: Array | None = None, use: str = '') -> Array"),
             R"(One value from each segment: out[s] = x[offsets[s]] o ... o x[offsets[s + 1] - 1].

x        array of one dimension without gaps: float32, float64, int32, int64
offsets  int64, one more than there are segments, ascending; they are checked, which waits for them
op       'plus', 'minimum', 'maximum'
length   instead of offsets: all segments have this length, which divides the size of x
out      array of the type of x, one element for each segment; made unless given
use      full or partial name of the implementation to run; see implementations()

Returns out. An empty segment gives the operator's identity; integers wrap; a NaN makes the result of its
segment NaN.

Raises InvalidArgument, Unavailable, OutOfMemory, DeviceError.)");

  module.def("segmented_scan", &segmented_scan, "x"_a, "offsets"_a = nb::none(), "op"_a = "plus",
             nb::kw_only(), "length"_a = nb::none(), "exclusive"_a = false, "out"_a = nb::none(),
             "use"_a = "",
             nb::sig("def segmented_scan(x: Array, offsets: Array | None = None, op: Operator = 'plus', *, "
                     "length: int | None = None, exclusive: bool = False, out: Array | None = None, use: str "
                     "= '') -> Array"),
             R"(Prefix sums of each segment: out[i] = x[first of i's segment] o ... o x[i].

exclusive  leave x[i] out: a segment begins with the operator's identity
out        array of the shape and type of x, or x itself; made unless given, and then undefined outside
           all segments
Other arguments as for segmented_reduce. Returns out. From a NaN on the results of its segment are NaN.

Raises InvalidArgument, Unavailable, OutOfMemory, DeviceError.)");

  module.def("scan_by_key", &scan_by_key, "keys"_a, "x"_a, "op"_a = "plus", nb::kw_only(),
             "exclusive"_a = false, "out"_a = nb::none(), "use"_a = "",
             nb::sig("def scan_by_key(keys: Array, x: Array, op: Operator = 'plus', *, exclusive: bool = "
                     "False, out: Array | None = None, use: str = '') -> Array"),
             R"(Prefix sums that begin anew where the key changes.

keys  array of the size of x: uint32, int32, uint64, int64, float32, float64; compared with their neighbours
      alone; a NaN equals nothing
x     array of one dimension without gaps: float32, float64, int32, int64
Other arguments, and what it returns, as for segmented_scan.

Raises InvalidArgument, Unavailable, OutOfMemory, DeviceError.)");

  module.def("reduce_by_key", &reduce_by_key, "keys"_a, "x"_a, "op"_a = "plus", nb::kw_only(),
             "keys_out"_a = nb::none(), "out"_a = nb::none(), "use"_a = "",
             nb::sig("def reduce_by_key(keys: Array, x: Array, op: Operator = 'plus', *, keys_out: Array | "
                     "None = None, out: Array | None = None, use: str = '') -> tuple[Array, Array]"),
             R"(The first key of each run of equal keys, and one value from its elements.

keys, x        as for scan_by_key
op             'plus', 'minimum', 'maximum'
keys_out, out  arrays of the shapes and types of keys and x; made unless given
use            full or partial name of the implementation to run; see implementations()

Returns the parts of keys_out and out that hold results; what lies behind them is not touched. Waits for their
number.

Raises InvalidArgument, Unavailable, OutOfMemory, DeviceError.)");

  module.def("reduce_axis", &reduce_axis, "x"_a, "axis"_a, "op"_a = "plus", nb::kw_only(),
             "out"_a = nb::none(), "use"_a = "",
             nb::sig("def reduce_axis(x: Array, axis: int, op: Operator = 'plus', *, out: Array | None = "
                     "None, use: str = '') -> Array"),
             R"(One value from each column (axis 0) or row (axis 1) of a matrix.

x      matrix whose rows or columns lie in one piece: float32, float64, int32, int64
axis   the one that vanishes; negative from the last
Other arguments, and what it returns, as for segmented_reduce.

Raises InvalidArgument, Unavailable, OutOfMemory, DeviceError.)");

  module.def("select", &select, "x"_a, "comparison"_a, "value"_a, nb::kw_only(), "out"_a = nb::none(),
             "use"_a = "",
             nb::sig("def select(x: Array, comparison: str, value: float, *, out: Array | None = None, use: "
                     "str = '') -> "
                     "Array"),
             R"(The elements of x that compare so with a value, in their order.

x           array of one dimension without gaps: float32, float64, int32, int64
comparison  '<', '<=', '>', '>=', '==' or '!='
value       a number of the type of x
out         array of the shape and type of x, or x itself; made unless given
use         full or partial name of the implementation to run; see implementations()

Returns the part of out that holds them; what lies behind it in out is not touched. Waits for their
number. A NaN satisfies '!=' alone.

Raises InvalidArgument, Unavailable, OutOfMemory, DeviceError.)");

  module.def(
      "select_flagged", &select_flagged, "x"_a, "flags"_a, nb::kw_only(), "out"_a = nb::none(), "use"_a = "",
      nb::sig("def select_flagged(x: Array, flags: Array, *, out: Array | None = None, use: str = '') -> "
              "Array"),
      R"(The elements of x whose flag is not 0, in their order: NumPy's x[flags].

x      array of one dimension without gaps: float32, float64, int32, int64
flags  array of as many elements, bool or uint8, that out does not overlap
Other arguments, and what it returns, as for select.

Raises InvalidArgument, Unavailable, OutOfMemory, DeviceError.)");

  module.def("partition", &partition, "x"_a, "comparison"_a, "value"_a, nb::kw_only(), "out"_a = nb::none(),
             "use"_a = "",
             nb::sig("def partition(x: Array, comparison: str, value: float, *, out: Array | None = None, "
                     "use: str = '') "
                     "-> tuple[Array, int]"),
             R"(All elements of x, those that compare so with a value first, each part in its order.

Arguments as for select. Returns out, and how many elements come first.

Raises InvalidArgument, Unavailable, OutOfMemory, DeviceError.)");

  module.def("unique", &unique, "x"_a, nb::kw_only(), "out"_a = nb::none(), "use"_a = "",
             nb::sig("def unique(x: Array, *, out: Array | None = None, use: str = '') -> Array"),
             R"(The first of each run of equal elements of x, in their order. A NaN equals nothing.

Arguments and results as for select.

Raises InvalidArgument, Unavailable, OutOfMemory, DeviceError.)");

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
  module.def(
      "histogram", &histogram, "x"_a, "lower"_a, "upper"_a, nb::kw_only(), "bins"_a = 256,
      "out"_a = nb::none(), "use"_a = "",
      nb::sig("def histogram(x: Array, lower: float, upper: float, *, bins: int = 256, out: Array | None "
              "= None, use: str = '') -> Array"),
      R"(How many elements of x fall in each of even bins over [lower, upper).

x             array of any shape, its elements without gaps in C or Fortran order: float32, float64, int32,
              uint32, uint8
lower, upper  numbers of the type of x; for integers upper may be one past their largest
bins          from 1 to 65,536
out           int64 array of one dimension, a count for each bin; made unless given
use           full or partial name of the implementation to run; see implementations()

Returns out. Elements outside, upper among them, and NaN are counted nowhere. Nothing waits for a GPU.

Raises InvalidArgument, Unavailable, OutOfMemory, DeviceError.)");

  module.def(
      "sort", &sort, "x"_a, "values"_a = nb::none(), nb::kw_only(), "descending"_a = false,
      "out"_a = nb::none(), "use"_a = "",
      nb::sig("def sort(x: Array, values: Array | None = None, *, descending: bool = False, out: Array | "
              "None = None, use: str = '') -> Any"),
      R"(Sorted keys; with values, (keys, values in the order of their keys). Stable.

x           array of one dimension without gaps: float32, float64, int32, int64, uint32, uint64
values      array of as many elements of 4 or 8 bytes
descending  the largest key first
out         array of the shape and type of x, or x itself: the keys; made unless given
use         full or partial name of the implementation to run; see implementations()

NaNs come last, and in descending order first; zeros of both signs are equal.

Raises InvalidArgument, Unavailable, OutOfMemory, DeviceError.)");

  module.def(
      "top_k", &top_k, "x"_a, "k"_a, nb::kw_only(), "ascending"_a = false, "out"_a = nb::none(), "use"_a = "",
      nb::sig("def top_k(x: Array, k: int, *, ascending: bool = False, out: Array | None = None, use: str = "
              "'') -> tuple[Array, Array]"),
      R"(The k largest keys in order, and where they stand: (keys, positions), positions int64.

x          array of one dimension without gaps: float32, float64, int32, int64, uint32, uint64
k          from 0 to the size of x
ascending  the k smallest instead, the smallest first
out        array of k elements of the type of x: the keys; made unless given
use        full or partial name of the implementation to run; see implementations()

Among equal keys the first positions win, and stand in ascending position. NaNs are larger than all numbers.

Raises InvalidArgument, Unavailable, OutOfMemory, DeviceError.)");

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

  module.def("transpose", &transpose, "x"_a, nb::kw_only(), "out"_a = nb::none(), "use"_a = "",
             nb::sig("def transpose(x: Array, *, out: Array | None = None, use: str = '') -> Array"),
             R"(The transposed matrix, moved in memory: out[j, i] = x[i, j].

x    matrix whose rows or whose columns lie in one piece (a slice of a matrix will do): float16,
     float32, float64, int32, int64
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
