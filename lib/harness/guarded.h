#pragma once
// A test's buffer: starts at any element offset from an aligned address, lies between guard zones that must
// survive, and is poisoned before each run, so that what a kernel never wrote shows as NaN (0xFF…).

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lib/core/context_impl.h"

namespace tandem {

template <class T>
class GuardedBuffer {
 public:
  GuardedBuffer(Context& ctx, std::int64_t size, int offset)
      : backend_(ctx.impl().backend),
        size_(static_cast<std::size_t>(size)),
        offset_(static_cast<std::size_t>(offset)) {
    memory_ = static_cast<std::byte*>(backend_->allocate(bytes()));
    backend_->expose(data(), size_ * sizeof(T));
  }
  GuardedBuffer(const GuardedBuffer&) = delete;
  ~GuardedBuffer() {
    backend_->conceal(data(), size_ * sizeof(T));
    backend_->release(memory_, bytes());
  }

  T* data() { return reinterpret_cast<T*>(memory_ + before()); }
  /// NaN patterns between whole guard zones.
  void poison() {
    guard();
    backend_->fill(data(), 0xFF, size_ * sizeof(T));
  }
  /// These values between whole guard zones.
  void upload(std::span<const T> values) {
    guard();
    backend_->copy(data(), values.data(), values.size_bytes());
  }
  std::vector<T> download() {
    std::vector<T> values(size_);
    backend_->copy(values.data(), data(), size_ * sizeof(T));
    backend_->synchronize();
    return values;
  }
  /// A number that tells contents apart that differ in any bit.
  std::uint64_t bits() {
    const std::vector<T> values = download();
    return std::hash<std::string_view>{}({reinterpret_cast<const char*>(values.data()), size_ * sizeof(T)});
  }
  /// Empty when both guard zones are as they were, else which one was overwritten.
  std::string damage() {
    std::vector<std::byte> zone(std::max(before(), kZone));
    const auto intact = [&](std::byte* from, std::size_t count) {
      backend_->copy(zone.data(), from, count);
      backend_->synchronize();
      return std::all_of(zone.begin(), zone.begin() + static_cast<std::ptrdiff_t>(count),
                         [](std::byte b) { return b == std::byte{kGuard}; });
    };
    if (!intact(memory_, before())) return "wrote before the first element";
    if (!intact(memory_ + before() + size_ * sizeof(T), kZone)) return "wrote past the last element";
    return {};
  }

 private:
  static constexpr std::size_t kZone = 1024;  // bytes on either side
  static constexpr unsigned char kGuard = 0xA5;
  void guard() {
    backend_->fill(memory_, kGuard, before());
    backend_->fill(memory_ + before() + size_ * sizeof(T), kGuard, kZone);
  }
  std::size_t before() const { return kZone + offset_ * sizeof(T); }
  std::size_t bytes() const { return before() + size_ * sizeof(T) + kZone; }

  std::shared_ptr<Backend> backend_;
  std::size_t size_, offset_;
  std::byte* memory_;
};

}  // namespace tandem
