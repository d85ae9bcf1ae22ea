#include "python/src/libraries.h"

#include <nanobind/stl/string.h>

#include <string>
#include <string_view>
#include <unordered_map>

namespace tandem::python {
namespace {

Library ask_library(nb::handle type) {
  const nb::object module = nb::getattr(type, "__module__", nb::none());
  if (!PyUnicode_Check(module.ptr())) return Library::other;
  const std::string name = nb::cast<std::string>(module);
  const auto part_of = [&](std::string_view package) {
    return name.starts_with(package) && (name.size() == package.size() || name[package.size()] == '.');
  };
  if (name == "numpy") return Library::numpy;  // not numpy.ma
  if (part_of("torch")) return Library::torch;
  if (part_of("cupy")) return Library::cupy;
  if (part_of("jax") || part_of("jaxlib")) return Library::jax;
  return Library::other;
}

/// What the type's library offers to C, or null.
const dlpack::ExchangeApi* ask_exchange(nb::handle type) {
  const nb::object capsule = nb::getattr(type, "__dlpack_c_exchange_api__", nb::none());
  constexpr const char* kName = "dlpack_exchange_api";
  if (!PyCapsule_IsValid(capsule.ptr(), kName)) return nullptr;
  const auto* api = static_cast<dlpack::ExchangeApi*>(PyCapsule_GetPointer(capsule.ptr(), kName));
  return api->major == 1 ? api : nullptr;
}

constexpr std::uintptr_t kDefaultStream = 1;  // cudaStreamLegacy: CUDA's handle of the default stream

/// The Python object that owns a current stream of CuPy's: none owns the default streams, and those that CuPy was lent.
nb::object owner_of(nb::object stream, std::uintptr_t handle) {
  constexpr std::uintptr_t kPerThreadDefault = 2;  // cudaStreamPerThread
  const bool owns = handle > kPerThreadDefault &&
                    stream.type().is(attribute<"Stream">(module<"cupy.cuda">())) &&
                    nb::getattr(stream, "_foreign_stream_ref", nb::none()).is_none();
  return owns ? stream : nb::object();
}

}  // namespace

const TypeFacts& facts_of(nb::handle object) {
  static auto& known = *new std::unordered_map<PyTypeObject*, TypeFacts>;  // outlives the interpreter
  PyTypeObject* type = Py_TYPE(object.ptr());
  const auto found = known.find(type);
  if (found != known.end()) return found->second;
  Py_INCREF(type);  // so that no other type gets its address
  const nb::handle handle(reinterpret_cast<PyObject*>(type));
  return known[type] = {ask_library(handle), ask_exchange(handle)};
}

nb::object module_named(PyObject* name) {
  nb::object module = nb::steal(PyImport_GetModule(name));
  return module ? module : nb::steal(PyImport_Import(name));
}

std::pair<std::uintptr_t, nb::object> current_stream(nb::handle object, int index) {
  const auto [library, exchange] = facts_of(object);
  std::uintptr_t stream = 0;
  nb::object owner;
  if (exchange) {
    void* theirs = nullptr;
    if (exchange->current_stream(dlpack::kCuda, index, &theirs) != 0) nb::raise_python_error();
    stream = reinterpret_cast<std::uintptr_t>(theirs);
  } else if (library == Library::torch) {
    stream = nb::cast<std::uintptr_t>(
        attribute<"current_stream">(module<"torch.cuda">())(index).attr("cuda_stream"));
  } else if (library == Library::cupy) {
    const nb::object current = attribute<"get_current_stream">(module<"cupy.cuda">())(index);
    stream = nb::cast<std::uintptr_t>(attribute<"ptr">(current));
    owner = owner_of(current, stream);
  } else if (nb::hasattr(object, "__cuda_array_interface__")) {
    // Arrays of no library's stream may name their own (see from_cuda_interface).
    const nb::object theirs = nb::object(object.attr("__cuda_array_interface__")).attr("get")("stream");
    if (!theirs.is_none()) stream = nb::cast<std::uintptr_t>(theirs);
  }
  return {stream ? stream : kDefaultStream, owner};
}

}  // namespace tandem::python
