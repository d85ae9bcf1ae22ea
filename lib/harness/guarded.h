#pragma once
// A test's buffer: starts at any element offset from an aligned address, lies between guard zones that must
// survive, and is poisoned before each run, so that what a kernel never wrote shows as NaN (0xFF…). On the
// host, pages that nothing may touch follow the zones, so that reading there shows too.

#include <bit>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "lib/core/context_impl.h"
#include "lib/harness/guard_pages.h"
#include "tandem/types.h"

namespace tandem {

/// A number that tells values apart that differ in any bit.
template <class T>
std::uint64_t bits_of(std::span<const T> values) {
  return std::hash<std::string_view>{}({reinterpret_cast<const char*>(values.data()), values.size_bytes()});
}

/// What a buffer holds: on the host where it lies, elsewhere a copy.
template <class T>
class Contents : public std::span<const T> {
 public:
  explicit Contents(std::span<const T> there) : std::span<const T>(there) {}
  explicit Contents(std::vector<T>&& copy) : std::span<const T>(copy), copy_(std::move(copy)) {}
  Contents(const Contents&) = delete;

 private:
  std::vector<T> copy_;
};

/// A buffer as bytes, whatever its elements are.
class GuardedBytes {
 public:
  /// `size` elements of `element` bytes, a power of two.
  GuardedBytes(Context& ctx, std::int64_t size, int offset, std::size_t element, bool has_nan);
  GuardedBytes(const GuardedBytes&) = delete;
  ~GuardedBytes();

  std::byte* data() { return data_; }
  std::size_t bytes() const { return size_ * element_; }
  bool on_host() const { return pages_.has_value(); }
  /// NaN patterns between whole guard zones.
  void poison();
  /// These values between whole guard zones.
  void upload(std::span<const std::byte> values);
  void download(void* values) const;
  /// Empty when both guard zones are as they were, else which one was overwritten or, on the host, touched.
  std::string damage();

 private:
  void place_between_pages(std::size_t shift);
  void guard();
  bool intact(std::byte* from, std::byte* to) const;
  std::vector<std::byte> guard_words(const std::byte* from, const std::byte* to) const;

  std::shared_ptr<Backend> backend_;
  std::size_t size_, element_;
  bool has_nan_;
  std::optional<GuardPages> pages_;  // on the host
  std::byte *begin_, *data_, *end_;  // zone, elements, zone
};

template <class T>
class GuardedBuffer {
 public:
  static_assert(std::has_single_bit(sizeof(T)));
  GuardedBuffer(Context& ctx, std::int64_t size, int offset)
      : bytes_(ctx, size, offset, sizeof(T), std::is_floating_point_v<T> || is_narrow_float<T>) {}

  T* data() { return reinterpret_cast<T*>(bytes_.data()); }
  std::size_t bytes() const { return bytes_.bytes(); }
  void poison() { bytes_.poison(); }
  void upload(std::span<const T> values) { bytes_.upload(std::as_bytes(values)); }
  Contents<T> contents() {
    const std::size_t size = bytes() / sizeof(T);
    if (bytes_.on_host()) return Contents<T>(std::span<const T>(data(), size));
    std::vector<T> values(size);
    bytes_.download(values.data());
    return Contents<T>(std::move(values));
  }
  std::string damage() { return bytes_.damage(); }

 private:
  GuardedBytes bytes_;
};

}  // namespace tandem
