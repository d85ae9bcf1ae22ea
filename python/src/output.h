#pragma once
// The arrays that a call returns.

#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

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

/// Memory that `owner` keeps, in C order, as an array of the library of `like`: NumPy's where that is null or None.
nb::object lent(nb::handle owner, nb::handle like, dlpack::Device device, const void* data,
                dlpack::DataType dtype, std::span<const std::int64_t> shape);

/// An array of the CPU, of the library of `like` as above, that owns what a vector held.
template <class T>
nb::object handed_over(std::vector<T> values, std::span<const std::int64_t> shape, nb::handle like = {}) {
  auto kept = std::make_unique<std::vector<T>>(std::move(values));
  const void* const data = kept->data();
  const nb::capsule owner(kept.get(), [](void* all) noexcept { delete static_cast<std::vector<T>*>(all); });
  kept.release();
  return lent(owner, like, {dlpack::kCpu, 0}, data, dlpack_type(type_of<T>), shape);
}
/// The same of one dimension.
template <class T>
nb::object handed_over(std::vector<T> values, nb::handle like = {}) {
  const auto size = static_cast<std::int64_t>(values.size());
  return handed_over(std::move(values), {&size, 1}, like);
}

}  // namespace tandem::python
