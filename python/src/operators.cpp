#include "python/src/operators.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "tandem/error.h"
#include "tandem/histogram.h"
#include "tandem/random.h"
#include "tandem/reduce.h"
#include "tandem/reduce_by_key.h"
#include "tandem/scan.h"
#include "tandem/segmented_reduce.h"
#include "tandem/segmented_scan.h"
#include "tandem/select.h"
#include "tandem/sort.h"
#include "tandem/transform.h"
#include "tandem/transpose.h"

namespace tandem::python {
namespace {

/// Whether `test` holds for elements of type T with the operator or function of this id.
template <class T, class Test, class... Op>
bool any_of(OperatorId op, Test test) {
  return ((Op::id == op && test.template operator()<Op>()) || ...);
}
template <class T, class Test>
bool with_operator(OperatorId op, Test test) {
  return any_of<T, Test, Plus, Multiplies, Minimum, Maximum, LogicalAnd, LogicalOr, Negate, Square, Axpy<T>,
                MultiplyAdd, Dot2>(op, test);
}

constexpr std::size_t kTypes = static_cast<std::size_t>(Type::u8) + 1;
constexpr std::size_t kOperators = static_cast<std::size_t>(OperatorId::none) + 1;

template <class F>
void for_each_type(F f) {
  for (std::size_t type = 0; type < kTypes; ++type) f(static_cast<Type>(type));
}

}  // namespace

bool reduces(Type type, OperatorId op) {
  return with_type(type, [=]<class T>() {
    return with_operator<T>(op, []<class Op>() { return detail::reduces<T, Op>(); });
  });
}
bool scans(Type type, OperatorId op) {
  return with_type(type, [=]<class T>() {
    return with_operator<T>(op, []<class Op>() { return detail::scans<T, Op>(); });
  });
}
bool transforms(Type type, OperatorId op) {
  return with_type(type, [=]<class T>() {
    return with_operator<T>(op, []<class Op>() { return detail::transforms<T, Op>(); });
  });
}
bool selects(Type type, OperatorId) {
  return with_type(type, []<class T>() { return detail::selects<T>(); });
}
bool reduces_segments(Type type, OperatorId op) {
  return with_type(type, [=]<class T>() {
    return with_operator<T>(op, []<class Op>() { return detail::reduces_segments<T, Op>(); });
  });
}
bool scans_segments(Type type, OperatorId op) {
  return with_type(type, [=]<class T>() {
    return with_operator<T>(op, []<class Op>() { return detail::scans_segments<T, Op>(); });
  });
}
bool reduces_by_key(Type type, OperatorId op) {
  return with_type(type, [=]<class T>() {
    return with_operator<T>(op, []<class Op>() { return detail::reduces_by_key<T, Op>(); });
  });
}
bool has_random(Type type, OperatorId) {
  return with_type(type, []<class T>() { return detail::is_real<T>() || detail::is_word<T>(); });
}
bool makes_runs(Type type, OperatorId) {
  return with_type(type, []<class T>() { return detail::makes_runs<T>; });
}
bool has_histogram(Type type, OperatorId) {
  return with_type(type, []<class T>() { return detail::has_histogram<T>(); });
}
bool sorts(Type type, OperatorId) {
  return with_type(type, []<class T>() { return detail::sorts<T>; });
}
bool multiplies_matrices(Type type, OperatorId) { return is_floating(type); }
bool floats(Type type, OperatorId) { return type == Type::f32 || type == Type::f64; }

OperatorId require_operator(const Call& call, const char* argument, const char* name, Takes takes) {
  std::vector<std::string_view> known;
  for (std::size_t i = 0; i + 1 < kOperators; ++i) {
    const auto op = static_cast<OperatorId>(i);
    if (tandem::name(op) == name && takes(Type::f32, op)) return op;
  }
  for (std::size_t i = 0; i + 1 < kOperators; ++i) {
    const auto op = static_cast<OperatorId>(i);
    if (takes(Type::f32, op)) known.push_back(tandem::name(op));
  }
  call.refuse(fmt::format("{} is '{}'; it must be one of {}", argument, name, fmt::join(known, ", ")));
}

std::size_t choice_of(const Call& call, const char* argument, std::string_view text,
                      std::initializer_list<std::string_view> known) {
  const auto found = std::find(known.begin(), known.end(), text);
  if (found == known.end())
    call.refuse(fmt::format("{} is '{}'; it must be one of {}", argument, text, fmt::join(known, ", ")));
  return static_cast<std::size_t>(found - known.begin());
}

Type require_type(const Call& call, const Array& x, OperatorId op, Takes takes) {
  if (const auto type = x.type(); type && takes(*type, op)) return *type;
  std::vector<std::string> known;
  for_each_type([&](Type type) {
    if (takes(type, op)) known.push_back(numpy_name(type));
  });
  call.refuse(fmt::format("'{}' holds {}; {}it must hold one of {}", x.name, x.dtype_name(),
                          op == OperatorId::none ? "" : fmt::format("for {} ", name(op)),
                          fmt::join(known, ", ")));
}

Type accumulator(Type type) {
  return with_type(type, []<class T>() { return type_of<accumulator_t<T>>; });
}

int inputs_of(OperatorId function) {
  int inputs = 0;
  with_operator<float>(function, [&]<class F>() {
    inputs = detail::inputs_of<F, float>;
    return true;
  });
  return inputs;
}

Scalar::Scalar(const Call& call, const char* argument, nb::handle value, Type type) {
  with_type(type, [&]<class T>() {
    T element{};
    if constexpr (std::is_integral_v<T>) {
      using Wide = std::conditional_t<std::is_unsigned_v<T>, unsigned long long, long long>;
      const nb::object index = nb::steal(PyNumber_Index(value.ptr()));
      Wide wide = 0;
      if (index.is_valid()) {
        if constexpr (std::is_unsigned_v<T>)
          wide = PyLong_AsUnsignedLongLong(index.ptr());
        else
          wide = PyLong_AsLongLong(index.ptr());
      }
      const bool fits = !PyErr_Occurred() && std::in_range<T>(wide);
      PyErr_Clear();
      if (!fits) {
        call.refuse(fmt::format("{} is {}; it must be a whole number from {} to {}, as elements are {}",
                                argument, nb::repr(value).c_str(), std::numeric_limits<T>::min(),
                                std::numeric_limits<T>::max(), numpy_name(type)));
      }
      element = static_cast<T>(wide);
    } else {
      const double number = PyFloat_AsDouble(value.ptr());
      if (PyErr_Occurred()) {
        PyErr_Clear();
        call.refuse(fmt::format("{} is {}; it must be a number", argument, nb::repr(value).c_str()));
      }
      element = T(static_cast<accumulator_t<T>>(number));
      const double held = static_cast<accumulator_t<T>>(element);
      if (std::isfinite(number) && (!std::isfinite(held) || (number != 0 && held == 0)))
        call.refuse(fmt::format("{} is {}; as elements are {}, it is too {}", argument,
                                nb::repr(value).c_str(), numpy_name(type), held == 0 ? "small" : "large"));
    }
    zero_ = static_cast<accumulator_t<T>>(element) == 0;
    std::memcpy(bytes_, &element, sizeof element);
  });
}

nb::object to_python(Type type, const void* element) {
  return with_type(type, [&]<class T>() -> nb::object {
    T value;
    std::memcpy(&value, element, sizeof value);
    if constexpr (std::is_integral_v<T>)
      return nb::int_(value);
    else
      return nb::float_(static_cast<double>(value));
  });
}

}  // namespace tandem::python
