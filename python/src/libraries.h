#pragma once
// The libraries that arrays come from: how they are told apart, their modules and current streams.

#include <nanobind/nanobind.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "python/src/dlpack.h"

namespace tandem::python {

namespace nb = nanobind;

/// Whose array it is. `other`: some library's that speaks the standard protocols.
enum class Library { numpy, torch, cupy, jax, other };

/// What a type says of itself, asked once for each type.
struct TypeFacts {
  Library library;
  const dlpack::ExchangeApi* exchange;  // what the library offers to C, or null
};
const TypeFacts& facts_of(nb::handle object);

/// A name as a template argument: its Python string is made once, which is most of what a look-up costs.
template <std::size_t kSize>
struct Name {
  char text[kSize];
  constexpr Name(const char (&name)[kSize]) { std::copy_n(name, kSize, text); }
};
template <Name kName>
PyObject* python_string() {
  static PyObject* const interned = PyUnicode_InternFromString(kName.text);
  return interned;
}

/// An attribute of an object.
template <Name kName>
nb::object attribute(nb::handle object) {
  nb::object found = nb::steal(PyObject_GetAttr(object.ptr(), python_string<kName>()));
  if (!found) nb::raise_python_error();
  return found;
}

nb::object module_named(PyObject* name);
/// A module of an array's library, looked up in sys.modules, which is faster than an import.
template <Name kName>
nb::object module() {
  return module_named(python_string<kName>());
}

/// The current stream of an array's library, and the Python object that owns it where one does.
std::pair<std::uintptr_t, nb::object> current_stream(nb::handle object, int index);

}  // namespace tandem::python
