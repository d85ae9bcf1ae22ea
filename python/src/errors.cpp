#include "python/src/errors.h"

#include <nanobind/nanobind.h>

#include <initializer_list>
#include <string>
#include <utility>

#include "tandem/error.h"
#include "tandem/singular_system.h"

namespace tandem::python {
namespace {

namespace nb = nanobind;

/// A message, or the name of a file, whose bytes need not be text.
nb::object text(const std::string& bytes) {
  return nb::steal(PyUnicode_DecodeFSDefaultAndSize(bytes.data(), static_cast<Py_ssize_t>(bytes.size())));
}

/// Raises tandem.NAME with the message and attributes.
void raise(const char* name, const Error& error,
           std::initializer_list<std::pair<const char*, nb::object>> attributes = {}) {
  const nb::object type = nb::module_::import_("tandem").attr(name);
  const nb::object exception = type(text(error.what()));
  for (const auto& [attribute, value] : attributes) exception.attr(attribute) = value;
  PyErr_SetObject(type.ptr(), exception.ptr());
}

}  // namespace

void translate_errors() {
  nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
    try {
      std::rethrow_exception(thrown);
    } catch (const InvalidArgument& e) {
      raise("InvalidArgument", e);
    } catch (const Unavailable& e) {
      raise("Unavailable", e);
    } catch (const OutOfMemory& e) {
      raise("OutOfMemory", e, {{"asked", nb::int_(e.asked)}, {"free", nb::int_(e.free)}});
    } catch (const DeviceError& e) {
      raise("DeviceError", e, {{"code", nb::int_(e.code)}});
    } catch (const SingularSystem& e) {
      raise("SingularSystem", e, {{"system", nb::int_(e.system)}, {"row", nb::int_(e.row)}});
    } catch (const BadFile& e) {
      raise("BadFile", e, {{"file", text(e.file)}, {"offset", nb::int_(e.offset)}});
    } catch (const Error& e) {
      raise("Error", e);
    }
  });
}

}  // namespace tandem::python
