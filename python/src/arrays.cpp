#include "python/src/arrays.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <string_view>
#include <tuple>
#include <utility>

#include "python/src/contexts.h"
#include "tandem/error.h"

namespace tandem::python {
namespace {

// --- names ---

std::string tuple_text(std::span<const std::int64_t> values) {
  return fmt::format("({}{})", fmt::join(values, ", "), values.size() == 1 ? "," : "");
}

struct TypeRow {
  Type type;
  dlpack::DataType dtype;
};
constexpr TypeRow kTypes[] = {{Type::f16, {dlpack::kFloat, 16, 1}}, {Type::bf16, {dlpack::kBfloat, 16, 1}},
                              {Type::f32, {dlpack::kFloat, 32, 1}}, {Type::f64, {dlpack::kFloat, 64, 1}},
                              {Type::i8, {dlpack::kInt, 8, 1}},     {Type::i32, {dlpack::kInt, 32, 1}},
                              {Type::i64, {dlpack::kInt, 64, 1}},   {Type::u32, {dlpack::kUInt, 32, 1}},
                              {Type::u64, {dlpack::kUInt, 64, 1}},  {Type::u8, {dlpack::kUInt, 8, 1}}};

/// From the buffer protocol's format, a letter of Python's struct module. None for elements of another kind or
/// in another order of bytes.
std::optional<dlpack::DataType> parse_format(std::string_view format, std::int64_t bytes) {
  if (!format.empty() && (format[0] == '@' || format[0] == '=' || format[0] == '<' || format[0] == '|'))
    format.remove_prefix(1);
  if (format.empty() || bytes < 1 || bytes > 16) return std::nullopt;
  const auto bits = static_cast<std::uint8_t>(8 * bytes);
  if (format.size() == 1 && std::strchr("bhilqn", format[0])) return dlpack::DataType{dlpack::kInt, bits, 1};
  if (format.size() == 1 && std::strchr("BHILQN", format[0])) return dlpack::DataType{dlpack::kUInt, bits, 1};
  if (format.size() == 1 && std::strchr("efd", format[0])) return dlpack::DataType{dlpack::kFloat, bits, 1};
  if (format[0] == '?') return dlpack::DataType{dlpack::kBool, bits, 1};
  if (format[0] == 'Z' || format == "F" || format == "D") return dlpack::DataType{dlpack::kComplex, bits, 1};
  return std::nullopt;
}

/// From NumPy's name of a type: "<f4". None as above.
std::optional<dlpack::DataType> parse_type(std::string_view type) {
  constexpr std::pair<char, std::uint8_t> kKinds[] = {{'i', dlpack::kInt},
                                                      {'u', dlpack::kUInt},
                                                      {'f', dlpack::kFloat},
                                                      {'c', dlpack::kComplex},
                                                      {'b', dlpack::kBool}};
  if (type.size() < 3 || type[0] == '>') return std::nullopt;
  int bytes = 0;
  const auto [end, error] = std::from_chars(type.data() + 2, type.data() + type.size(), bytes);
  if (error != std::errc() || end != type.data() + type.size() || bytes < 1 || bytes > 16)
    return std::nullopt;
  for (const auto& [letter, code] : kKinds) {
    if (type[1] == letter) return dlpack::DataType{code, static_cast<std::uint8_t>(8 * bytes), 1};
  }
  return std::nullopt;
}

/// From a catch block: an error of the array's own methods, which says that it cannot be had, becomes
/// InvalidArgument. Everything else (KeyboardInterrupt, our own) goes on.
[[noreturn]] void refuse_foreign(const Call& call, const char* argument, nb::handle object) {
  const auto refuse = [&](const std::string& reason) {
    call.refuse(
        fmt::format("'{}' ({}) cannot be exported: {}", argument, Py_TYPE(object.ptr())->tp_name, reason));
  };
  try {
    throw;
  } catch (const nb::python_error& error) {
    if (!error.matches(PyExc_Exception) || error.matches(PyExc_MemoryError)) throw;
    refuse(nb::cast<std::string>(nb::str(error.value())));
  } catch (const std::bad_cast&) {
    refuse(
        "it does not describe itself as DLPack, the buffer protocol or __cuda_array_interface__ prescribe");
  }
  __builtin_unreachable();
}

}  // namespace

std::string device_name(dlpack::Device device) {
  switch (device.type) {
    case dlpack::kCpu:
      return "the CPU";
    case dlpack::kCuda:
      return fmt::format("cuda:{}", device.index);
    default:
      return fmt::format("a device of DLPack's type {}", device.type);
  }
}

dlpack::DataType dlpack_type(Type type) {
  return std::find_if(std::begin(kTypes), std::end(kTypes), [&](auto& row) { return row.type == type; })
      ->dtype;
}
std::string name_of(dlpack::DataType dtype) {
  constexpr const char* kCodes[] = {"int", "uint", "float", "opaque", "bfloat", "complex", "bool"};
  if (dtype.code >= std::size(kCodes)) return fmt::format("elements of DLPack's type {}", dtype.code);
  if (dtype.code == dlpack::kBool) return "bool";
  return fmt::format("{}{}{}", kCodes[dtype.code], dtype.bits,
                     dtype.lanes == 1 ? "" : fmt::format("x{}", dtype.lanes));
}
std::string numpy_name(Type type) { return name_of(dlpack_type(type)); }

// --- Call ---

void Call::refuse(const std::string& what) const {
  throw InvalidArgument(fmt::format("{}: {}", operation, what));
}

void Call::settle(const char* argument, dlpack::Device at, nb::handle object) {
  if (at.type == dlpack::kCudaHost) at = {dlpack::kCpu, 0};  // pinned memory of the CPU
  if (at.type == dlpack::kCudaManaged) at.type = dlpack::kCuda;
  if (at.type == dlpack::kCpu) at.index = 0;
  if (first) {
    if (at.type != device.type || at.index != device.index)
      refuse(fmt::format("'{}' is on {}, but '{}' on {}; a call computes in one place", argument,
                         device_name(at), first, device_name(device)));
    return;
  }
  if (at.type == dlpack::kCpu) {
    context_ = &host_context();
  } else if (at.type == dlpack::kCuda) {
    if (const std::string reason = why_no_device(); !reason.empty())
      throw Unavailable(
          fmt::format("{}: '{}' is on {}, and that {}", operation, argument, device_name(at), reason));
    nb::object owner;
    std::tie(stream, owner) = current_stream(object, at.index);
    streams = facts_of(object).library;
    try {
      context_ = &device_context(at.index, reinterpret_cast<void*>(stream), owner);
    } catch (const InvalidArgument& e) {
      refuse(fmt::format("'{}' is on {}: {}", argument, device_name(at), e.what()));
    }
  } else {
    refuse(fmt::format("'{}' is on {}; it must be on the CPU (1) or a CUDA device (2)", argument,
                       device_name(at)));
  }
  first = argument;
  device = at;
}

Context& Call::computes_in() {
  last_context() = context_;
  return *context_;
}

// --- Array ---

namespace {

/// As DLPack says; none of an array that does not speak it.
std::optional<dlpack::Device> device_of(nb::handle object) {
  if (!nb::hasattr(object, "__dlpack_device__")) return std::nullopt;
  const nb::object device = object.attr("__dlpack_device__")();
  const auto number = [&](int i) { return nb::cast<int>(nb::int_(nb::object(device[i]))); };
  return dlpack::Device{number(0), number(1)};
}

/// Whether the library's own current stream is the one that the call is queued on. (JAX tells no stream.)
bool on_current_stream(const Call& call, Library library) {
  return library == call.streams && library != Library::other && library != Library::jax;
}

/// Whether the memory may be read without __dlpack__(), which makes the streams of two libraries wait for each other,
/// and refuses a tensor that requires grad.
bool needs_no_dlpack(const Call& call, nb::handle object, Library library, bool has_exchange) {
  if (has_exchange && nb::cast<bool>(nb::getattr(object, "requires_grad", nb::bool_(false)))) return false;
  return !call.first || call.device.type == dlpack::kCpu || on_current_stream(call, library);
}

}  // namespace

Array::Array(Call& call, const char* name, nb::handle object, Access access)
    : name(name), library(facts_of(object).library), object(object) {
  try {
    export_from(call);
    if (access == Access::write && (read_only_ || library == Library::jax))
      call.refuse(fmt::format("'{}' is {}; an output must be writable", name,
                              library == Library::jax ? "of JAX, whose arrays never change" : "read-only"));
  } catch (...) {
    release();
    refuse_foreign(call, name, object);
  }
}

Array::Array(const char* name, void* data, const Array& like, dlpack::DataType dtype,
             std::span<const std::int64_t> shape, Order order)
    : name(name), library(like.library), data(data), dtype(dtype), ndim(static_cast<int>(shape.size())) {
  set_shape(shape, order);
}

Array::~Array() { release(); }

void Array::export_from(Call& call) {
  const dlpack::ExchangeApi* exchange = facts_of(object).exchange;
  if (needs_no_dlpack(call, object, library, exchange != nullptr)) {
    if (exchange) return from_exchange(call, *exchange);
    if (library == Library::cupy) return from_cupy(call);
  }
  // CuPy's and JAX's types implement the buffer protocol, too, but it fails for an array on a GPU.
  const std::optional<dlpack::Device> device = library == Library::numpy ? std::nullopt : device_of(object);
  if (PyObject_CheckBuffer(object.ptr()) && (!device || device->type == dlpack::kCpu))
    return from_buffer(call);
  if (device) return from_dlpack(call, *device);
  if (nb::hasattr(object, "__cuda_array_interface__")) return from_cuda_interface(call);
  call.refuse(fmt::format("'{}' is of type {}; it must be a NumPy array or another that speaks DLPack", name,
                          Py_TYPE(object.ptr())->tp_name));
}

void Array::release() {
  if (buffer_.obj) PyBuffer_Release(&buffer_);
  if (managed_ && managed_->release) managed_->release(managed_);
}

void Array::set_dimensions(const Call& call, int count) {
  if (count > kMostDimensions)
    call.refuse(fmt::format("'{}' has {} dimensions; there may be {}", name, count, kMostDimensions));
  ndim = count;
}

void Array::set_stride(const Call& call, int i, std::int64_t bytes, std::int64_t of_element) {
  strides[i] = bytes / of_element;
  if (strides[i] * of_element != bytes)
    call.refuse(fmt::format("'{}' has a stride of {} bytes; it must be a multiple of the {} of an element",
                            name, bytes, of_element));
}

void Array::set_shape(std::span<const std::int64_t> shape, Order order) {
  std::int64_t stride = 1;
  for (int i = 0; i < ndim; ++i) {
    const int at = order == Order::c ? ndim - 1 - i : i;
    extents[at] = shape[static_cast<std::size_t>(at)];
    strides[at] = stride;
    stride *= extents[at];
  }
}

void Array::from_buffer(Call& call) {
  call.settle(name, {dlpack::kCpu, 0}, object);
  if (PyObject_GetBuffer(object.ptr(), &buffer_, PyBUF_FORMAT | PyBUF_STRIDES) != 0) nb::raise_python_error();
  const char* format = buffer_.format ? buffer_.format : "B";
  const auto parsed = parse_format(format, buffer_.itemsize);
  if (!parsed) refuse_elements(call, format);
  set_dimensions(call, buffer_.ndim);
  dtype = *parsed;
  data = buffer_.buf;
  read_only_ = buffer_.readonly;
  for (int i = 0; i < ndim; ++i) {
    extents[i] = buffer_.shape[i];
    set_stride(call, i, buffer_.strides[i], buffer_.itemsize);
  }
}

void Array::from_dlpack(Call& call, dlpack::Device device) {
  call.settle(name, device, object);
  nb::dict arguments;
  if (call.device.type == dlpack::kCuda) {
    // −1: nothing to wait for.
    arguments["stream"] =
        on_current_stream(call, library) ? nb::object(nb::int_(-1)) : nb::object(nb::int_(call.stream));
  }
  const nb::object method = object.attr("__dlpack__");
  try {
    nb::dict all;
    all.update(arguments);
    all["max_version"] = nb::make_tuple(1, 0);
    all["copy"] = false;
    export_ = method(**all);
  } catch (const nb::python_error& error) {
    if (!error.matches(PyExc_TypeError)) throw;
    export_ = method(**arguments);  // from before DLPack 1.0
  }
  // The capsule stays whole and is kept: its own destructor gives the memory back.
  PyObject* capsule = export_.ptr();
  if (PyCapsule_IsValid(capsule, "dltensor_versioned")) {
    const auto& managed =
        *static_cast<dlpack::ManagedVersioned*>(PyCapsule_GetPointer(capsule, "dltensor_versioned"));
    if (managed.major != 1)
      call.refuse(fmt::format("'{}' is exported by DLPack {}.{}; version 1 is needed", name, managed.major,
                              managed.minor));
    read_only_ = managed.flags & dlpack::kReadOnly;
    take(call, managed.tensor);
  } else if (PyCapsule_IsValid(capsule, "dltensor")) {
    take(call, static_cast<dlpack::Managed*>(PyCapsule_GetPointer(capsule, "dltensor"))->tensor);
  } else {
    call.refuse(
        fmt::format("'{}' ({}).__dlpack__() gave no DLPack capsule", name, Py_TYPE(object.ptr())->tp_name));
  }
}

void Array::from_exchange(Call& call, const dlpack::ExchangeApi& api) {
  if (api.managed_from(object.ptr(), &managed_) != 0) nb::raise_python_error();
  read_only_ = managed_->flags & dlpack::kReadOnly;
  take(call, managed_->tensor);
}

// By the attributes of a CuPy array: its __dlpack__() asks the driver about the pointer, several times.
void Array::from_cupy(Call& call) {
  const nb::object memory = attribute<"data">(object);
  call.settle(name, {dlpack::kCuda, nb::cast<int>(attribute<"device_id">(memory))}, object);
  const nb::object type = attribute<"dtype">(object);  // whose "str" would be written anew
  const std::string letter = nb::cast<std::string>(attribute<"char">(type));
  describe(call, parse_format(letter, nb::cast<std::int64_t>(attribute<"itemsize">(type))), letter,
           attribute<"ptr">(memory), attribute<"shape">(object), attribute<"strides">(object));
}

void Array::take(Call& call, const dlpack::Tensor& tensor) {
  call.settle(name, tensor.device, object);
  set_dimensions(call, tensor.ndim);
  dtype = tensor.dtype;
  data = static_cast<std::byte*>(tensor.data) + tensor.byte_offset;
  set_shape({tensor.shape, static_cast<std::size_t>(ndim)}, Order::c);
  if (tensor.strides) std::copy_n(tensor.strides, ndim, strides);
}

// Numba's arrays speak only this one.
void Array::from_cuda_interface(Call& call) {
  const nb::dict interface = nb::cast<nb::dict>(object.attr("__cuda_array_interface__"));
  const nb::tuple memory =
      nb::cast<nb::tuple>(interface["data"]);  // the address, and whether it is read-only
  // The interface does not name the device: the first, unless the array itself says another.
  const nb::object device = nb::getattr(object, "device", nb::none());
  const nb::object index = nb::getattr(device, "id", nb::int_(0));
  call.settle(name, {dlpack::kCuda, nb::cast<int>(index)}, object);
  const std::string type = nb::cast<std::string>(interface["typestr"]);
  describe(call, parse_type(type), type, memory[0], interface["shape"], interface.attr("get")("strides"));
  read_only_ = nb::cast<bool>(memory[1]);
  export_ = interface;
}

/// As NumPy describes memory: its elements, the address, tuples of extents and strides in bytes (None: C order, no
/// gaps).
void Array::describe(const Call& call, std::optional<dlpack::DataType> type, const std::string& type_name,
                     nb::handle address, nb::handle shape, nb::handle in_bytes) {
  if (!type) refuse_elements(call, type_name);
  dtype = *type;
  data = reinterpret_cast<void*>(nb::cast<std::uintptr_t>(address));
  const nb::tuple extents_of = nb::cast<nb::tuple>(shape);
  set_dimensions(call, static_cast<int>(extents_of.size()));
  for (int i = 0; i < ndim; ++i) extents[i] = nb::cast<std::int64_t>(extents_of[static_cast<std::size_t>(i)]);
  if (in_bytes.is_none()) return set_shape(this->shape(), Order::c);
  const nb::tuple strides_of = nb::cast<nb::tuple>(in_bytes);
  for (int i = 0; i < ndim; ++i)
    set_stride(call, i, nb::cast<std::int64_t>(strides_of[static_cast<std::size_t>(i)]), dtype.bits / 8);
}

void Array::refuse_elements(const Call& call, const std::string& type) const {
  call.refuse(fmt::format(
      "'{}' holds elements of type '{}'; numbers in the order of bytes of this machine are needed", name,
      type));
}

std::int64_t Array::size() const {
  std::int64_t product = 1;
  for (const std::int64_t extent : shape()) product *= extent;
  return product;
}

bool Array::dense(Order order) const {
  std::int64_t stride = 1;
  bool dense = true;
  for (int i = 0; i < ndim; ++i) {
    const int at = order == Order::c ? ndim - 1 - i : i;
    dense &= extents[at] == 1 || strides[at] == stride;
    stride *= extents[at];
  }
  return dense || stride == 0;
}

std::optional<Type> Array::type() const {
  for (const TypeRow& row : kTypes) {
    if (row.dtype == dtype) return row.type;
  }
  return std::nullopt;
}

std::string Array::dtype_name() const { return name_of(dtype); }
std::string Array::shape_text() const { return tuple_text(shape()); }

detail::Memory Array::elements(const Call& call) const {
  if (!dense(Order::c) && !dense(Order::fortran)) {
    call.refuse(fmt::format(
        "'{}' of shape {} has strides {}; its elements must lie without gaps in C or Fortran order "
        "(numpy.ascontiguousarray)",
        name, shape_text(), tuple_text({strides, static_cast<std::size_t>(ndim)})));
  }
  return {data, size()};
}

detail::Memory Array::vector(const Call& call) const {
  if (ndim != 1) call.refuse(fmt::format("'{}' has {} dimensions; it must have 1 (ravel)", name, ndim));
  return elements(call);
}

MatrixView<std::byte> Array::matrix(const Call& call, Layout preferred) const {
  if (ndim != 2) call.refuse(fmt::format("'{}' has {} dimensions; it must have 2", name, ndim));
  const auto as = [&](Layout layout) -> std::optional<MatrixView<std::byte>> {
    const int along = layout == Layout::row_major ? 1 : 0, across = 1 - along;  // a line; from line to line
    const bool fits = (strides[along] == 1 || extents[along] <= 1) &&
                      (strides[across] >= extents[along] || extents[across] <= 1);
    if (!fits && size() > 0) return std::nullopt;
    const std::int64_t ld = std::max(extents[across] > 1 && fits ? strides[across] : 0, extents[along]);
    return MatrixView<std::byte>{static_cast<std::byte*>(data), extents[0], extents[1], ld, layout};
  };
  const Layout other = preferred == Layout::row_major ? Layout::column_major : Layout::row_major;
  if (const auto view = as(preferred)) return *view;
  if (const auto view = as(other)) return *view;
  call.refuse(
      fmt::format("'{}' of shape {} has strides {}; its rows or its columns must lie without gaps and apart "
                  "(numpy.ascontiguousarray)",
                  name, shape_text(), tuple_text({strides, 2})));
}

void Array::require_dtype(const Call& call, dlpack::DataType wanted, const char* why) const {
  if (dtype == wanted) return;
  call.refuse(fmt::format("'{}' holds {}; it must hold {}, {}", name, dtype_name(), name_of(wanted), why));
}

void Array::require_shape(const Call& call, std::span<const std::int64_t> wanted, const char* why) const {
  if (std::equal(wanted.begin(), wanted.end(), extents, extents + ndim)) return;
  call.refuse(
      fmt::format("'{}' has shape {}; it must be {}, {}", name, shape_text(), tuple_text(wanted), why));
}

}  // namespace tandem::python
