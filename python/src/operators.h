#pragma once
// Operators and scalars as Python passes them, and which element types go with them.

#include <cstddef>
#include <initializer_list>
#include <string_view>

#include "python/src/arrays.h"
#include "tandem/operators.h"

namespace tandem::python {

/// f.template operator()<T>() for the C++ type of a type's value.
template <class F>
decltype(auto) with_type(Type type, F&& f) {
  switch (type) {
#define TANDEM_ROW(name, T, ...) \
  case Type::name:               \
    return f.template operator()<T>();
    TANDEM_ELEMENT_TYPES(TANDEM_ROW)
#undef TANDEM_ROW
  }
  __builtin_unreachable();
}

/// Whether an operation is compiled for elements of a type with an operator (`none` where it has none).
using Takes = bool (*)(Type type, OperatorId op);
bool reduces(Type type, OperatorId op);
bool scans(Type type, OperatorId op);
bool transforms(Type type, OperatorId op);
bool selects(Type type, OperatorId op);
bool reduces_segments(Type type, OperatorId op);
bool scans_segments(Type type, OperatorId op);
bool reduces_by_key(Type type, OperatorId op);
bool has_random(Type type, OperatorId op);
/// As keys whose runs are segments.
bool makes_runs(Type type, OperatorId op);
bool has_histogram(Type type, OperatorId op);
bool sorts(Type type, OperatorId op);
bool multiplies_matrices(Type type, OperatorId op);
/// float and double: tridiagonal.
bool floats(Type type, OperatorId op);

/// The operator of this name. Throws InvalidArgument with those that the operation takes.
OperatorId require_operator(const Call& call, const char* argument, const char* name, Takes takes);
/// The place of a text among those that an argument may have. Throws InvalidArgument with these.
std::size_t choice_of(const Call& call, const char* argument, std::string_view text,
                      std::initializer_list<std::string_view> known);
/// The element type of `x`. Throws InvalidArgument with those that the operation takes there.
Type require_type(const Call& call, const Array& x, OperatorId op, Takes takes);
/// The type that elements are accumulated in.
Type accumulator(Type type);
/// How many inputs a function of transform has.
int inputs_of(OperatorId function);

/// A Python number as one element.
class Scalar {
 public:
  /// Throws InvalidArgument where the type cannot hold it.
  Scalar(const Call& call, const char* argument, nb::handle value, Type type);
  const void* data() const { return bytes_; }
  bool is_zero() const { return zero_; }

 private:
  alignas(8) std::byte bytes_[8];
  bool zero_;
};

/// One element as a Python number.
nb::object to_python(Type type, const void* element);

}  // namespace tandem::python
