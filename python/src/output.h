#pragma once
// The arrays that a call returns.

#include <memory>
#include <optional>
#include <span>

#include "python/src/arrays.h"

namespace tandem::python {

/// Where a call writes: the caller's `out`, or an array of the library and place of `like`, and of its type unless
/// another is given.
class Output {
 public:
  /// Throws InvalidArgument where `out` is not None and has another type or shape.
  Output(Call& call, nb::handle out, const Array& like, std::span<const std::int64_t> shape, Order order,
         std::optional<dlpack::DataType> dtype = {});

  const Array& array() const { return *array_; }
  /// The array as the caller gets it, after the call has run.
  nb::object result();

 private:
  void make(const Array& like, std::span<const std::int64_t> shape, Order order);
  /// The element type as the library of `like` calls it.
  nb::object library_dtype(const Array& like) const;

  Call& call_;
  const dlpack::DataType dtype_;
  nb::object object_;
  std::optional<Array> array_;
  std::unique_ptr<detail::Buffer>
      own_;               // for libraries whose arrays cannot be written: handed over afterwards
  nb::object namespace_;  // of that library
};

}  // namespace tandem::python
