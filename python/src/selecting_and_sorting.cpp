// On arrays of Python: select, partition, unique, histogram, sort and top_k.

#include <fmt/format.h>
#include <nanobind/stl/optional.h>

#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>
#include <utility>

#include "python/src/operations.h"
#include "python/src/operators.h"
#include "python/src/output.h"
#include "tandem/histogram.h"
#include "tandem/select.h"
#include "tandem/sort.h"
#include "tandem/top_k.h"

namespace tandem::python {
namespace {

using namespace nb::literals;

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
  nb::object results = with_type(type, [&]<class T>() {
    const Range<T> range = comparison ? range_of<T>(call, comparison, value, type) : Range<T>::nothing();
    Output output(call, out, in, in.shape(), Order::c);
    const detail::Memory room = output.array().vector(call);
    call.run([&](Context& ctx, const Options& options) {
      kept = detail::select(ctx, type, what, elements, &range, kept_by, room, options);
    });
    return output.result();
  });
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

/// What count(context, counts, options) makes of so many bins.
template <class Count>
nb::object counted(Call& call, const Array& in, std::int64_t bins, nb::handle out, Count count) {
  Output output(call, out, in, {&bins, 1}, Order::c, dlpack_type(Type::i64));
  const detail::Memory counts = output.array().vector(call);
  call.run([&](Context& ctx, const Options& options) { count(ctx, counts, options); });
  return output.result();
}

nb::object histogram(nb::handle x, nb::handle lower, nb::handle upper, nb::handle edges_object,
                     std::optional<std::int64_t> bins, nb::handle out, const char* use) {
  Call call("histogram", use);
  const Array in(call, "x", x);
  const Type type = require_type(call, in, OperatorId::none, has_histogram);
  const detail::ConstMemory elements = read_only(in.elements(call));
  const Type of_edges = is_floating(type) ? type : Type::i64;
  const bool even = edges_object.is_none();
  if (lower.is_none() == even || upper.is_none() == even)
    call.refuse("either both 'lower' and 'upper' or 'edges' alone say where bins lie");
  if (even) {
    const std::int64_t count = bins.value_or(256);
    if (count < 1 || count > kMostBins)
      call.refuse(fmt::format("bins is {}; it must be from 1 to {}", count, kMostBins));
    const Scalar first(call, "lower", lower, of_edges), last(call, "upper", upper, of_edges);
    return counted(call, in, count, out, [&](Context& ctx, detail::Memory counts, const Options& options) {
      detail::histogram_even(ctx, type, elements, first.data(), last.data(), counts, options);
    });
  }
  if (bins) call.refuse(fmt::format("bins is {}; it must not be given where 'edges' is", *bins));
  const Array edges(call, "edges", edges_object);
  edges.require_dtype(call, dlpack_type(of_edges),
                      is_floating(type) ? "as 'x' does" : "what edges of whole numbers are");
  const detail::ConstMemory limits = read_only(edges.vector(call));
  call.run([&](Context& ctx, const Options&) { detail::check_bin_edges(ctx, type, limits); });
  return counted(call, in, edges.size() - 1, out,
                 [&](Context& ctx, detail::Memory counts, const Options& options) {
                   detail::histogram_between(ctx, type, elements, limits, counts, options);
                 });
}

nb::object sort(nb::handle x, nb::handle values, bool descending, int begin_bit, std::optional<int> end_bit,
                nb::handle out, const char* use) {
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
  const SortOrder order{descending, begin_bit, end_bit.value_or(SortOrder{}.end_bit)};
  call.run([&](Context& ctx, const Options& options) {
    detail::sort(ctx, type, keys, keys_out, with, order, options);
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

}  // namespace

void add_selecting_and_sorting(nb::module_& module) {
  module.def("select", &select, "x"_a, "comparison"_a, "value"_a, nb::kw_only(), "out"_a = nb::none(),
             "use"_a = "",
             nb::sig("def select(x: Array, comparison: str, value: float, *, out: Array | None = None, use: "
                     "str = '') -> "
                     "Array"),
             R"(The elements of x that compare so with a value, in their order.

x           array of one dimension without gaps: float32, float64, float16, bfloat16, int8, int32, int64, uint8,
            uint32, uint64
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

x      array of one dimension without gaps, of the types of select
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
      "histogram", &histogram, "x"_a, "lower"_a = nb::none(), "upper"_a = nb::none(), nb::kw_only(),
      "edges"_a = nb::none(), "bins"_a = nb::none(), "out"_a = nb::none(), "use"_a = "",
      nb::sig("def histogram(x: Array, lower: float | None = None, upper: float | None = None, *, "
              "edges: Array | None = None, bins: int | None = None, out: Array | None = None, use: str = '') "
              "-> Array"),
      R"(How many elements of x fall in each bin, of even bins over [lower, upper) or of bins between edges.

x             array of any shape, its elements without gaps in C or Fortran order: float32, float64, int32,
              uint32, uint8
lower, upper  numbers of the type of x; for integers upper may be one past their largest
bins          how many lie evenly between them, from 1 to 65,536; 256 unless given
edges         instead of these: array of one dimension, of the type of x, for integers int64, from 2 to
              65,537 edges, each above the one before. x[i] is in bin b if edges[b] <= x[i] < edges[b + 1].
              They are checked, which waits for them
out           int64 array of one dimension, a count for each bin; made unless given
use           full or partial name of the implementation to run; see implementations()

Returns out. Elements outside, upper or the last edge among them, and NaN are counted nowhere. Nothing waits
for a GPU, but for edges.

Raises InvalidArgument, Unavailable, OutOfMemory, DeviceError.)");

  module.def(
      "sort", &sort, "x"_a, "values"_a = nb::none(), nb::kw_only(), "descending"_a = false, "begin_bit"_a = 0,
      "end_bit"_a = nb::none(), "out"_a = nb::none(), "use"_a = "",
      nb::sig("def sort(x: Array, values: Array | None = None, *, descending: bool = False, begin_bit: int = "
              "0, end_bit: int | None = None, out: Array | None = None, use: str = '') -> Any"),
      R"(Sorted keys; with values, (keys, values in the order of their keys). Stable.

x           array of one dimension without gaps: float32, float64, float16, bfloat16, int8, int32, int64, uint8,
            uint32, uint64
values      array of as many elements of 4 or 8 bytes
descending  the largest key first
begin_bit,  keys whose codes agree in the bits from begin_bit to end_bit - 1 count as equal; 0 and all bits
end_bit     unless given
out         array of the shape and type of x, or x itself: the keys; made unless given
use         full or partial name of the implementation to run; see implementations()

NaNs come last, and in descending order first; zeros of both signs are equal. The code of a key is an unsigned
number of as many bits: an unsigned key itself; a signed one with its sign bit flipped; a floating-point one with
its sign bit flipped where it is positive or zero, with all bits flipped where it is negative, and all ones where
it is NaN.

Raises InvalidArgument, Unavailable, OutOfMemory, DeviceError.)");

  module.def(
      "top_k", &top_k, "x"_a, "k"_a, nb::kw_only(), "ascending"_a = false, "out"_a = nb::none(), "use"_a = "",
      nb::sig("def top_k(x: Array, k: int, *, ascending: bool = False, out: Array | None = None, use: str = "
              "'') -> tuple[Array, Array]"),
      R"(The k largest keys in order, and where they stand: (keys, positions), positions int64.

x          array of one dimension without gaps: float32, float64, float16, bfloat16, int8, int32, int64, uint8,
           uint32, uint64
k          from 0 to the size of x
ascending  the k smallest instead, the smallest first
out        array of k elements of the type of x: the keys; made unless given
use        full or partial name of the implementation to run; see implementations()

Among equal keys the first positions win, and stand in ascending position. NaNs are larger than all numbers.

Raises InvalidArgument, Unavailable, OutOfMemory, DeviceError.)");
}

}  // namespace tandem::python
