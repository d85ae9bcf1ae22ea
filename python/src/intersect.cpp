// intersect: posting lists and queries, and their results as NumPy arrays or in arrays of the caller.

#include "tandem/intersect.h"

#include <fmt/format.h>
#include <nanobind/stl/vector.h>

#include <cstdio>

#include "python/src/arrays.h"
#include "python/src/contexts.h"
#include "python/src/operations.h"
#include "python/src/output.h"

namespace tandem::python {
namespace {

using namespace nb::literals;

constexpr dlpack::DataType kU64{dlpack::kUInt, 64, 1}, kI64{dlpack::kInt, 64, 1}, kU32{dlpack::kUInt, 32, 1};

/// Elements of an array of one dimension on the CPU.
template <class T>
std::span<const T> values(const Call& call, const Array& a) {
  if (call.device.type != dlpack::kCpu)
    call.refuse(fmt::format("'{}' is on a GPU; it must be on the CPU", a.name));
  const detail::Memory all = a.vector(call);
  return {static_cast<const T*>(all.data), static_cast<std::size_t>(all.size)};
}
/// Where lists start: uint64, or int64, of which negative ones are refused as too large.
std::span<const std::uint64_t> starts(Call& call, const Array& a) {
  if (a.dtype != kI64) a.require_dtype(call, kU64, "or int64");
  return values<std::uint64_t>(call, a);
}

Index make_index(nb::handle starts_object, nb::handle ids_object) {
  Call call("Index", "");
  const Array first(call, "starts", starts_object), ids(call, "ids", ids_object);
  ids.require_dtype(call, kU32, "numbers of documents");
  const auto s = starts(call, first);
  return Index(s, values<std::uint32_t>(call, ids));
}

Queries make_queries(nb::handle starts_object, nb::handle lists_object) {
  Call call("Queries", "");
  const Array first(call, "starts", starts_object), lists(call, "lists", lists_object);
  lists.require_dtype(call, kU32, "numbers of lists");
  const auto s = starts(call, first);
  const auto l = values<std::uint32_t>(call, lists);
  return {{s.begin(), s.end()}, {l.begin(), l.end()}};
}

/// Queries, or Python lists of numbers.
Queries require_queries(nb::handle object) {
  if (nb::isinstance<Queries>(object)) return nb::cast<Queries>(object);
  std::vector<std::vector<std::uint32_t>> lists;
  if (!nb::try_cast(object, lists)) {
    throw InvalidArgument(
        fmt::format("intersect: 'queries' is of type {}; it must be Queries, or for each query the numbers "
                    "of its lists, such as "
                    "[[0, 2], [1]]",
                    Py_TYPE(object.ptr())->tp_name));
  }
  Queries queries;
  for (const auto& query : lists) queries.add(query);
  return queries;
}

AnyIndex require_index(nb::handle object) {
  if (nb::isinstance<Index>(object)) return nb::cast<Index>(object);
  if (nb::isinstance<PackedIndex>(object)) return nb::cast<PackedIndex>(object);
  throw InvalidArgument(fmt::format("intersect: 'index' is of type {}; it must be an Index or a PackedIndex",
                                    Py_TYPE(object.ptr())->tp_name));
}

/// From "cpu", "cuda" (device 0) or "cuda:1".
dlpack::Device require_device(std::string_view device) {
  if (device == "cpu") return {dlpack::kCpu, 0};
  int index = 0;
  char rest = 0;
  if (device == "cuda" || std::sscanf(std::string(device).c_str(), "cuda:%d%c", &index, &rest) == 1)
    return {dlpack::kCuda, index};
  throw InvalidArgument(
      fmt::format("intersect: device is '{}'; it must be 'cpu', 'cuda' or 'cuda:INDEX'", device));
}

/// The context of a place, on the default stream.
Context& context(dlpack::Device device) {
  constexpr std::uintptr_t kDefaultStream = 1;  // cudaStreamLegacy
  Context& ctx = device.type == dlpack::kCpu
                     ? host_context()
                     : device_context(device.index, reinterpret_cast<void*>(kDefaultStream));
  return *(last_context() = &ctx);
}

nb::tuple intersect(nb::handle index_object, nb::handle queries_object, const char* device, const char* use) {
  const AnyIndex index = require_index(index_object);
  const Queries queries = require_queries(queries_object);
  Context& ctx = context(require_device(device));
  Intersections found;
  {
    const nb::gil_scoped_release others_run;
    found = tandem::intersect(ctx, index, queries, {.use = use});
  }
  return nb::make_tuple(handed_over(std::move(found.offsets)), handed_over(std::move(found.ids)));
}

nb::object intersect_count(nb::handle index_object, nb::handle queries_object, const char* device,
                           const char* use) {
  const AnyIndex index = require_index(index_object);
  const Queries queries = require_queries(queries_object);
  Context& ctx = context(require_device(device));
  std::vector<std::uint64_t> counts;
  {
    const nb::gil_scoped_release others_run;
    counts = tandem::intersect_count(ctx, index, queries, {.use = use});
  }
  return handed_over(std::move(counts));
}

/// A batch and where its queries lie, which the library cannot ask of memory.
struct Batch {
  dlpack::Device device;
  QueryBatch queries;
};

Batch make_batch(nb::handle index, nb::handle queries, const char* device_name) {
  const dlpack::Device device = require_device(device_name);
  Context& ctx = context(device);
  Batch batch{device, QueryBatch(ctx, require_index(index), require_queries(queries))};
  ctx.synchronize();  // calls on other streams may follow
  return batch;
}

void require_place(const Call& call, const Batch& batch) {
  if (batch.device.type == call.device.type && batch.device.index == call.device.index) return;
  call.refuse(fmt::format("'{}' is on {}, but 'batch' was made for {}", call.first, device_name(call.device),
                          device_name(batch.device)));
}

void intersect_into(const Batch& batch, nb::handle offsets_object, nb::handle ids_object, const char* use) {
  Call call("intersect_into", use);
  const Array offsets(call, "offsets", offsets_object, Access::write),
      ids(call, "ids", ids_object, Access::write);
  offsets.require_dtype(call, kU64, "positions in 'ids'");
  ids.require_dtype(call, kU32, "numbers of documents");
  const detail::Memory o = offsets.vector(call), i = ids.vector(call);
  require_place(call, batch);
  call.run([&](Context& ctx, const Options& options) {
    tandem::intersect_into(ctx, batch.queries,
                           View<std::uint64_t>{static_cast<std::uint64_t*>(o.data), o.size},
                           View<std::uint32_t>{static_cast<std::uint32_t*>(i.data), i.size}, options);
  });
}

void intersect_count_into(const Batch& batch, nb::handle counts_object, const char* use) {
  Call call("intersect_count_into", use);
  const Array counts(call, "counts", counts_object, Access::write);
  counts.require_dtype(call, kU64, "numbers of ids");
  const detail::Memory c = counts.vector(call);
  require_place(call, batch);
  call.run([&](Context& ctx, const Options& options) {
    tandem::intersect_count_into(ctx, batch.queries,
                                 View<std::uint64_t>{static_cast<std::uint64_t*>(c.data), c.size}, options);
  });
}

}  // namespace

void add_intersect(nb::module_& module) {
  nb::class_<Index>(module, "Index", "Posting lists: for each word the numbers of its documents, ascending.")
      .def(
          "__init__",
          [](Index* self, nb::handle starts, nb::handle ids) { new (self) Index(make_index(starts, ids)); },
          "starts"_a, "ids"_a,
          nb::sig("def __init__(self, starts: SupportsDLPack, ids: SupportsDLPack) -> None"),
          R"(List l is ids[starts[l]:starts[l + 1]].

starts  uint64 or int64, one more than there are lists, from 0 to len(ids), never falling
ids     uint32, ascending in each list

Copies both. Raises InvalidArgument, OutOfMemory.)")
      .def(
          "pack", [](const Index& index) { return PackedIndex(index); },
          "The same lists in a half to a quarter of the memory, where lists have hundreds of ids or more.")
      .def_prop_ro("lists", &Index::lists, "How many lists there are.")
      .def_prop_ro("ids", &Index::ids, "How many ids all lists have together.")
      .def_prop_ro("nbytes", &Index::bytes, "Bytes of memory.");
  nb::class_<PackedIndex>(module, "PackedIndex", "The lists of an Index in less memory; see Index.pack().")
      .def_prop_ro("lists", &PackedIndex::lists, "How many lists there are.")
      .def_prop_ro("ids", &PackedIndex::ids, "How many ids all lists have together.")
      .def_prop_ro("nbytes", &PackedIndex::bytes, "Bytes of memory.");
  nb::class_<Queries>(module, "Queries", "Queries in arrays, where Python lists would take long.")
      .def(
          "__init__",
          [](Queries* self, nb::handle starts, nb::handle lists) {
            new (self) Queries(make_queries(starts, lists));
          },
          "starts"_a, "lists"_a,
          nb::sig("def __init__(self, starts: SupportsDLPack, lists: SupportsDLPack) -> None"),
          R"(Query q intersects the lists lists[starts[q]:starts[q + 1]].

starts  uint64 or int64, one more than there are queries
lists   uint32, numbers of lists of an Index

Copies both. Raises InvalidArgument.)")
      .def("__len__", &Queries::size);
  nb::class_<Batch>(module, "QueryBatch", "Queries made ready for an index, for intersect_into().")
      .def(
          "__init__",
          [](Batch* self, nb::handle index, nb::handle queries, const char* device) {
            new (self) Batch(make_batch(index, queries, device));
          },
          "index"_a, "queries"_a, nb::kw_only(), "device"_a = "cpu",
          nb::sig(
              "def __init__(self, index: Index | PackedIndex, queries: Queries | Sequence[Sequence[int]], *, "
              "device: str = 'cpu') -> None"),
          "Arguments as of intersect(). Keeps what it needs of the index alive.")
      .def_prop_ro(
          "queries", [](const Batch& batch) { return batch.queries.queries(); },
          "How many queries there are.")
      .def_prop_ro(
          "most", [](const Batch& batch) { return batch.queries.most(); },
          "How many ids the results can have together at the most.");

  module.def(
      "intersect", &intersect, "index"_a, "queries"_a, nb::kw_only(), "device"_a = "cpu", "use"_a = "",
      nb::sig(
          "def intersect(index: Index | PackedIndex, queries: Queries | Sequence[Sequence[int]], *, device: "
          "str = 'cpu', use: str = '') -> tuple[numpy.ndarray, numpy.ndarray]"),
      R"(For each query the ids that all of its lists hold, ascending.

index    Index or PackedIndex
queries  for each query the numbers of its lists, such as [[0, 2], [1]]; or Queries. One list is its
         own result, no list has none, a list named twice counts once
device   where to compute: 'cpu', 'cuda' or 'cuda:INDEX'
use      full or partial name of the implementation to run; see implementations()

Returns (offsets, ids), uint64 and uint32 NumPy arrays: query q has ids[offsets[q]:offsets[q + 1]].

Raises InvalidArgument, Unavailable, OutOfMemory, DeviceError.)");
  module.def(
      "intersect_count", &intersect_count, "index"_a, "queries"_a, nb::kw_only(), "device"_a = "cpu",
      "use"_a = "",
      nb::sig(
          "def intersect_count(index: Index | PackedIndex, queries: Queries | Sequence[Sequence[int]], *, "
          "device: str = 'cpu', use: str = '') -> numpy.ndarray"),
      "How many ids each query has, as a uint64 NumPy array. Otherwise as intersect().");
  module.def(
      "intersect_into", &intersect_into, "batch"_a, "offsets"_a, "ids"_a, nb::kw_only(), "use"_a = "",
      nb::sig("def intersect_into(batch: QueryBatch, offsets: SupportsDLPack, ids: SupportsDLPack, *, use: "
              "str = '') -> "
              "None"),
      R"(As intersect(), into arrays of the caller, where the batch was made, without waiting for a GPU.

offsets  uint64, batch.queries + 1 of them or more
ids      uint32, batch.most of them or more; what lies behind the last result is unspecified

Raises InvalidArgument, Unavailable, OutOfMemory, DeviceError.)");
  module.def(
      "intersect_count_into", &intersect_count_into, "batch"_a, "counts"_a, nb::kw_only(), "use"_a = "",
      nb::sig(
          "def intersect_count_into(batch: QueryBatch, counts: SupportsDLPack, *, use: str = '') -> None"),
      "How many ids each query has, into a uint64 array of batch.queries elements. Otherwise as "
      "intersect_into().");
}

}  // namespace tandem::python
