#pragma once
// Arrays in a context's memory, and views of anybody's.

#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "tandem/context.h"
#include "tandem/error.h"

namespace tandem {

/// A pointer and a number of elements: what every operation takes. std::span, std::vector,
/// thrust::device_vector and Array all convert to it; see view().
template <class T>
struct View {
  T* data = nullptr;
  std::int64_t size = 0;
};

/// Anything with data() (a pointer, or a fancy pointer with get()) and size(), or a View.
template <class Container>
auto view(Container&& container) {
  if constexpr (requires { container.data(); }) {
    if constexpr (std::is_pointer_v<decltype(container.data())>) {
      return View<std::remove_pointer_t<decltype(container.data())>>{
          container.data(), static_cast<std::int64_t>(container.size())};
    } else {
      return View<std::remove_pointer_t<decltype(container.data().get())>>{
          container.data().get(), static_cast<std::int64_t>(container.size())};
    }
  } else {
    return container;
  }
}

template <class Container>
concept Viewable = requires(Container& c) {
  view(c).data;
};
template <class Container>
using element_of = std::remove_cv_t<std::remove_pointer_t<decltype(view(std::declval<Container&>()).data)>>;

namespace detail {
/// Memory of a context's place; outlives the context safely.
class TANDEM_API Buffer {
 public:
  Buffer(Context& ctx, std::int64_t count, std::size_t element_bytes);
  Buffer(Buffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), owner_(std::exchange(other.owner_, nullptr)) {}
  Buffer& operator=(Buffer&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(owner_, other.owner_);
    return *this;
  }
  ~Buffer();

  void* data() const { return data_; }
  /// `count` elements from host memory, which may be reused when this returns. `room`: elements there are.
  void upload(const void* from, std::size_t count, std::int64_t room, std::size_t element_bytes);
  /// To host memory, after everything queued before.
  void download(void* to, std::size_t bytes) const;

 private:
  struct Owner;
  void* data_ = nullptr;
  Owner* owner_ = nullptr;
};

/// Memory whose element type is forgotten; `size` still counts elements.
struct ConstMemory {
  const void* data;
  std::int64_t size;
};
struct Memory {
  void* data;
  std::int64_t size;
};
template <class Container>
ConstMemory const_memory(const Container& container) {
  const auto v = view(container);
  return {v.data, v.size};
}
template <class Container>
Memory memory(Container&& container) {
  const auto v = view(container);
  return {v.data, v.size};
}
}  // namespace detail

/// An owned array in the memory of a context's place. Movable, not copyable; outlives its context safely. On
/// the host a range like any other, which also converts to std::span.
template <class T>
class Array {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  using value_type = T;

  /// `size` elements, contents undefined. InvalidArgument where the size is negative or overflows.
  Array(Context& ctx, std::int64_t size) : buffer_(ctx, size, sizeof(T)), size_(size) {}
  /// A copy of host values.
  Array(Context& ctx, std::span<const T> values) : Array(ctx, static_cast<std::int64_t>(values.size())) {
    upload(values);
  }
  Array(Context& ctx, const std::vector<T>& values) : Array(ctx, std::span<const T>(values)) {}

  Array(Array&& other) noexcept : buffer_(std::move(other.buffer_)), size_(std::exchange(other.size_, 0)) {}
  Array& operator=(Array&& other) noexcept {
    std::swap(buffer_, other.buffer_);
    std::swap(size_, other.size_);
    return *this;
  }

  T* data() { return static_cast<T*>(buffer_.data()); }
  const T* data() const { return static_cast<const T*>(buffer_.data()); }
  std::int64_t size() const { return size_; }
  std::size_t bytes() const { return static_cast<std::size_t>(size_) * sizeof(T); }
  /// Pointers into the context's memory: to be read through on the host alone.
  T* begin() { return data(); }
  T* end() { return data() + size_; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size_; }

  /// Replaces the first values.size() elements; returns once `values` may be reused. InvalidArgument where
  /// they are too many.
  void upload(std::span<const T> values) { buffer_.upload(values.data(), values.size(), size_, sizeof(T)); }
  /// A host copy, after everything queued before it.
  std::vector<T> to_vector() const {
    std::vector<T> values;
    detail::translated([&] { values.resize(static_cast<std::size_t>(size_)); });
    buffer_.download(values.data(), bytes());
    return values;
  }

 private:
  detail::Buffer buffer_;
  std::int64_t size_ = 0;
};

}  // namespace tandem
