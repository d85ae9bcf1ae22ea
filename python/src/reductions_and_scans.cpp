// On arrays of Python: reduce, scan, and their forms by segments, by keys and along an axis.

#include <fmt/format.h>
#include <nanobind/stl/optional.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "python/src/operations.h"
#include "python/src/operators.h"
#include "python/src/output.h"
#include "tandem/reduce.h"
#include "tandem/reduce_by_key.h"
#include "tandem/scan.h"
#include "tandem/segmented_reduce.h"
#include "tandem/segmented_scan.h"

namespace tandem::python {
namespace {

using namespace nb::literals;

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

/// Of a scan: null unless given.
struct InitialValue {
  std::optional<Scalar> value;

  InitialValue(Call& call, nb::handle init, Type type) {
    if (!init.is_none()) value.emplace(call, "init", init, type);
  }
  const void* data() const { return value ? value->data() : nullptr; }
};

nb::object scan(nb::handle x, const char* op, bool exclusive, nb::handle init, nb::handle out,
                const char* use) {
  Call call("scan", use);
  const Array in(call, "x", x);
  const OperatorId id = require_operator(call, "op", op, scans);
  const Type type = require_type(call, in, id, scans);
  const detail::ConstMemory elements = read_only(in.vector(call));
  const InitialValue first(call, init, type);
  Output output(call, out, in, in.shape(), Order::c);
  const detail::Memory results = output.array().vector(call);
  call.run([&](Context& ctx, const Options& options) {
    detail::scan(ctx, {type, id}, elements, results, exclusive, first.data(), options);
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
  Output output(call, out, in, shape, Order::c, dlpack_type(accumulator(type)));
  const detail::Memory results = output.array().vector(call);
  call.run([&](Context& ctx, const Options& options) {
    detail::segmented_reduce(ctx, {type, id}, elements, segments.in(ctx), results, options);
  });
  return output.result();
}

nb::object segmented_scan(nb::handle x, nb::handle offsets, const char* op,
                          std::optional<std::int64_t> length, bool exclusive, nb::handle init, nb::handle out,
                          const char* use) {
  Call call("segmented_scan", use);
  const Array in(call, "x", x);
  const OperatorId id = require_operator(call, "op", op, scans_segments);
  const Type type = require_type(call, in, id, scans_segments);
  const detail::ConstMemory elements = read_only(in.vector(call));
  const SegmentArguments segments(call, in, offsets, length);
  const InitialValue first(call, init, type);
  Output output(call, out, in, in.shape(), Order::c);
  const detail::Memory results = output.array().vector(call);
  call.run([&](Context& ctx, const Options& options) {
    detail::segmented_scan(ctx, {type, id}, elements, segments.in(ctx), results, exclusive, first.data(),
                           options);
  });
  return output.result();
}

/// Elements beside the keys whose runs are their segments.
struct KeyedArguments {
  Array keys, x;
  OperatorId op;
  Type key_type, type;
  detail::ConstMemory key_elements, elements;
  KeyedArguments(Call& call, nb::handle keys_given, nb::handle x_given, const char* op_given, Takes takes)
      : keys(call, "keys", keys_given),
        x(call, "x", x_given),
        op(require_operator(call, "op", op_given, takes)),
        key_type(require_type(call, keys, OperatorId::none, makes_runs)),
        type(require_type(call, x, op, takes)),
        key_elements(read_only(keys.vector(call))),
        elements(read_only(x.vector(call))) {}
};

nb::object scan_by_key(nb::handle keys, nb::handle x, const char* op, bool exclusive, nb::handle init,
                       nb::handle out, const char* use) {
  Call call("scan_by_key", use);
  const KeyedArguments from(call, keys, x, op, scans_segments);
  const InitialValue first(call, init, from.type);
  Output output(call, out, from.x, from.x.shape(), Order::c);
  const detail::Memory results = output.array().vector(call);
  call.run([&](Context& ctx, const Options& options) {
    detail::scan_by_key(ctx, {from.type, from.op}, from.key_type, from.key_elements, from.elements, results,
                        exclusive, first.data(), options);
  });
  return output.result();
}

nb::tuple reduce_by_key(nb::handle keys, nb::handle x, const char* op, nb::handle keys_out, nb::handle out,
                        const char* use) {
  Call call("reduce_by_key", use);
  const KeyedArguments from(call, keys, x, op, reduces_by_key);
  Output found(call, keys_out, from.keys, from.keys.shape(), Order::c),
      output(call, out, from.x, from.x.shape(), Order::c, dlpack_type(accumulator(from.type)));
  const detail::Memory keys_found = found.array().vector(call), results = output.array().vector(call);
  std::int64_t runs = 0;
  call.run([&](Context& ctx, const Options& options) {
    runs = detail::reduce_by_key(ctx, {from.type, from.op},
                                 {from.key_type, from.key_elements, from.elements, keys_found, results},
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
  Output output(call, out, in, shape, Order::c, dlpack_type(accumulator(type)));
  const detail::Memory results = output.array().vector(call);
  call.run([&](Context& ctx, const Options& options) {
    detail::reduce_axis(ctx, {type, id}, from, axis, results, options);
  });
  return output.result();
}

}  // namespace

void add_reductions_and_scans(nb::module_& module) {
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

x        array of one dimension without gaps: float32, float64, int32, int64, uint32, uint64, float16 and
         bfloat16 (accumulated as float32), int8 and uint8 (as int32)
offsets  int64, one more than there are segments, ascending; they are checked, which waits for them
op       'plus', 'minimum', 'maximum'
length   instead of offsets: all segments have this length, which divides the size of x
out      array of the type that x is accumulated in, one element for each segment; made unless given
use      full or partial name of the implementation to run; see implementations()

Returns out. An empty segment gives the operator's identity; integers wrap; a NaN makes the result of its
segment NaN.

Raises InvalidArgument, Unavailable, OutOfMemory, DeviceError.)");

  module.def("segmented_scan", &segmented_scan, "x"_a, "offsets"_a = nb::none(), "op"_a = "plus",
             nb::kw_only(), "length"_a = nb::none(), "exclusive"_a = false, "init"_a = nb::none(),
             "out"_a = nb::none(), "use"_a = "",
             nb::sig("def segmented_scan(x: Array, offsets: Array | None = None, op: Operator = 'plus', *, "
                     "length: int | None = None, exclusive: bool = False, init: float | None = None, "
                     "out: Array | None = None, use: str = '') -> Array"),
             R"(Prefix sums of each segment: out[i] = x[first of i's segment] o ... o x[i].

x          array of one dimension without gaps: float32, float64, int32, int64, float16 and bfloat16
           (accumulated as float32, each result rounded once), int8, uint8, uint32, uint64
exclusive  leave x[i] out: a segment begins with init
init       a number of the type of x, for exclusive scans; the operator's identity unless given
out        array of the shape and type of x, or x itself; made unless given, and then undefined outside
           all segments
Other arguments as for segmented_reduce. Returns out. From a NaN on the results of its segment are NaN.

Raises InvalidArgument, Unavailable, OutOfMemory, DeviceError.)");

  module.def("scan_by_key", &scan_by_key, "keys"_a, "x"_a, "op"_a = "plus", nb::kw_only(),
             "exclusive"_a = false, "init"_a = nb::none(), "out"_a = nb::none(), "use"_a = "",
             nb::sig("def scan_by_key(keys: Array, x: Array, op: Operator = 'plus', *, exclusive: bool = "
                     "False, init: float | None = None, out: Array | None = None, use: str = '') -> Array"),
             R"(Prefix sums that begin anew where the key changes.

keys  array of the size of x: uint32, int32, uint64, int64, float32, float64; compared with their neighbours
      alone; a NaN equals nothing
x, other arguments, and what it returns: as for segmented_scan.

Raises InvalidArgument, Unavailable, OutOfMemory, DeviceError.)");

  module.def("reduce_by_key", &reduce_by_key, "keys"_a, "x"_a, "op"_a = "plus", nb::kw_only(),
             "keys_out"_a = nb::none(), "out"_a = nb::none(), "use"_a = "",
             nb::sig("def reduce_by_key(keys: Array, x: Array, op: Operator = 'plus', *, keys_out: Array | "
                     "None = None, out: Array | None = None, use: str = '') -> tuple[Array, Array]"),
             R"(The first key of each run of equal keys, and one value from its elements.

keys           as for scan_by_key
x              array of the size of keys: float32, float64, int32, int64, float16 and bfloat16 (accumulated
               as float32), int8 and uint8 (as int32), uint32, uint64
op             'plus', 'minimum', 'maximum'
keys_out, out  arrays of the size of keys, of the type of keys and of the accumulating type; made unless given
use            full or partial name of the implementation to run; see implementations()

Returns the parts of keys_out and out that hold results; what lies behind them is not touched. Waits for their
number.

Raises InvalidArgument, Unavailable, OutOfMemory, DeviceError.)");

  module.def("reduce_axis", &reduce_axis, "x"_a, "axis"_a, "op"_a = "plus", nb::kw_only(),
             "out"_a = nb::none(), "use"_a = "",
             nb::sig("def reduce_axis(x: Array, axis: int, op: Operator = 'plus', *, out: Array | None = "
                     "None, use: str = '') -> Array"),
             R"(One value from each column (axis 0) or row (axis 1) of a matrix.

x      matrix whose rows or columns lie in one piece, of the types that segmented_reduce takes
axis   the one that vanishes; negative from the last
Other arguments, and what it returns, as for segmented_reduce.

Raises InvalidArgument, Unavailable, OutOfMemory, DeviceError.)");
}

}  // namespace tandem::python
