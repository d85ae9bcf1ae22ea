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

template <class T>
class GuardedBuffer {
 public:
  GuardedBuffer(Context& ctx, std::int64_t size, int offset)
      : backend_(ctx.impl().backend), size_(static_cast<std::size_t>(size)) {
    const std::size_t shift = static_cast<std::size_t>(offset) * sizeof(T);
    if (backend_->place() == Place::host) {
      place_between_pages(shift);
    } else {
      begin_ = static_cast<std::byte*>(backend_->allocate(kZone + shift + bytes() + kZone));
      data_ = begin_ + kZone + shift;
      end_ = data_ + bytes() + kZone;
    }
    backend_->expose(data_, bytes());
  }
  GuardedBuffer(const GuardedBuffer&) = delete;
  ~GuardedBuffer() {
    backend_->conceal(data_, bytes());
    if (!pages_) backend_->release(begin_, static_cast<std::size_t>(end_ - begin_));
  }

  T* data() { return reinterpret_cast<T*>(data_); }
  /// NaN patterns between whole guard zones.
  void poison() {
    guard();
    backend_->fill(data_, 0xFF, bytes());
  }
  /// These values between whole guard zones.
  void upload(std::span<const T> values) {
    guard();
    backend_->copy(data_, values.data(), values.size_bytes());
  }
  Contents<T> contents() {
    if (backend_->place() == Place::host) return Contents<T>(std::span<const T>(data(), size_));
    std::vector<T> values(size_);
    backend_->copy(values.data(), data_, bytes());
    backend_->synchronize();
    return Contents<T>(std::move(values));
  }
  /// A number that tells contents apart that differ in any bit.
  std::uint64_t bits() { return bits_of<T>(contents()); }
  /// Empty when both guard zones are as they were, else which one was overwritten or, on the host, touched.
  std::string damage() {
    const auto intact = [&](std::byte* from, std::byte* to) {
      std::vector<std::byte> zone(static_cast<std::size_t>(to - from));
      backend_->copy(zone.data(), from, zone.size());
      backend_->synchronize();
      return zone == guard_words(from, to);
    };
    if (!intact(begin_, data_)) return "wrote before the first element";
    if (!intact(data_ + bytes(), end_)) return "wrote past the last element";
    if (const std::byte* touched = pages_ ? pages_->touched() : nullptr) {
      if (touched < data_)
        return "touched memory " + std::to_string(data_ - touched) + " bytes before the first element";
      return "touched memory " + std::to_string(touched - data_ - bytes()) + " bytes past the last element";
    }
    return {};
  }

 private:
  static constexpr std::size_t kZone = 1024;  // bytes on either side

  std::size_t bytes() const { return size_ * sizeof(T); }
  /// As close to the pages behind as the alignment allows, or with the first element as close to those before:
  /// of even sizes at even offsets the last element can be the last before a page.
  void place_between_pages(std::size_t shift) {
    const std::size_t alignment = shift < 16 ? 16 : 64;
    pages_.emplace(bytes() + shift + alignment);
    begin_ = pages_->begin();
    end_ = pages_->end();
    data_ = begin_ + shift;
    if ((size_ + shift / sizeof(T)) % 2 == 0) {
      const auto room = static_cast<std::size_t>(end_ - data_) - bytes();
      data_ += room / alignment * alignment;
    }
  }
  void guard() {
    if (pages_) pages_->close();
    for (const auto& [from, to] : {std::pair{begin_, data_}, std::pair{data_ + bytes(), end_}}) {
      const std::vector<std::byte> words = guard_words(from, to);
      backend_->copy(from, words.data(), words.size());
      backend_->synchronize();  // before the words end
    }
  }
  static_assert(std::has_single_bit(sizeof(T)));
  /// What the zones hold shows in any result that it enters: NaN for floating point, numbers near the largest
  /// or the smallest for others.
  std::vector<std::byte> guard_words(const std::byte* from, const std::byte* to) const {
    constexpr bool kNan = std::is_floating_point_v<T> || is_narrow_float<T>;
    const auto top = std::byte(kNan ? 0xFF : size_ / 2 % 2 ? 0x7F : 0x80);
    std::vector<std::byte> words(static_cast<std::size_t>(to - from), std::byte{0xF5});
    const std::size_t phase = static_cast<std::size_t>(from - data_) % sizeof(T);  // also before data_
    for (std::size_t i = sizeof(T) - 1 - phase; i < words.size(); i += sizeof(T)) words[i] = top;
    return words;
  }

  std::shared_ptr<Backend> backend_;
  std::size_t size_;
  std::optional<GuardPages> pages_;  // on the host
  std::byte *begin_, *data_, *end_;  // zone, elements, zone
};

}  // namespace tandem
