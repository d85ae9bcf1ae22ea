#pragma once
// Memory where a context computes, and views of anybody's memory.

#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "tandem/context.h"
#include "tandem/error.h"
#include "tandem/types.h"

namespace tandem {

/// `size` elements from `data` on. Raw pointer + size, std::span, std::vector, thrust::device_vector and
/// Array all convert to it; see view().
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

/// An owned array in the memory of a context's place. Movable, not copyable; outlives its context safely.
template <class T>
class Array {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  /// `size` elements, contents undefined.
  Array(Context& ctx, std::int64_t size) : backend_(ctx.backend()), size_(size) {
    std::int64_t bytes;
    if (size < 0 || __builtin_mul_overflow(size, static_cast<std::int64_t>(sizeof(T)), &bytes)) {
      throw InvalidArgument("Array: size is " + std::to_string(size) +
                            "; it must be at least 0 and fit in 2^63 bytes");
    }
    if (size == 0) return;
    data_ = static_cast<T*>(backend_->allocate(this->bytes()));
    backend_->expose(data_, this->bytes());
  }
  /// A copy of host values.
  Array(Context& ctx, std::span<const T> values) : Array(ctx, static_cast<std::int64_t>(values.size())) {
    upload(values);
  }
  Array(Context& ctx, const std::vector<T>& values) : Array(ctx, std::span<const T>(values)) {}

  Array(Array&& other) noexcept
      : backend_(other.backend_),
        data_(std::exchange(other.data_, nullptr)),
        size_(std::exchange(other.size_, 0)) {}
  Array& operator=(Array&& other) noexcept {
    std::swap(backend_, other.backend_);
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~Array() {
    if (!data_) return;
    backend_->conceal(data_, bytes());
    backend_->release(data_, bytes());
  }

  T* data() { return data_; }
  const T* data() const { return data_; }
  std::int64_t size() const { return size_; }
  std::size_t bytes() const { return static_cast<std::size_t>(size_) * sizeof(T); }

  /// Replaces the first values.size() elements; returns once `values` may be reused.
  void upload(std::span<const T> values) {
    if (static_cast<std::int64_t>(values.size()) > size_) {
      throw InvalidArgument("Array::upload: " + std::to_string(values.size()) + " values for an array of " +
                            std::to_string(size_));
    }
    backend_->copy(data_, values.data(), values.size_bytes());
    backend_->synchronize();
  }
  /// A host copy, after everything queued before it.
  std::vector<T> to_vector() const {
    std::vector<T> values(static_cast<std::size_t>(size_));
    backend_->copy(values.data(), data_, bytes());
    backend_->synchronize();
    return values;
  }

 private:
  std::shared_ptr<Backend> backend_;
  T* data_ = nullptr;
  std::int64_t size_ = 0;
};

}  // namespace tandem
