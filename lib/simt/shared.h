#pragma once
// Shared memory on the executor: arrays that check every index and hold NaN patterns until the block writes
// them.

#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>

#include "lib/simt/executor.h"

namespace tandem {

namespace simt {
[[noreturn]] inline void out_of_shared_bounds(std::int64_t index, std::int64_t size) {
  fail("shared memory index " + std::to_string(index) + " is outside [0, " + std::to_string(size) + ")");
}
}  // namespace simt

/// `__shared__ Tile<T, N> tile;` becomes a static thread_local one: each OS thread runs one block at a time.
template <class T, int N>
class Tile {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  constexpr Tile() : bytes_{} {}
  T& operator[](std::int64_t i) {
    if (i < 0 || i >= N) simt::out_of_shared_bounds(i, N);
    if (serial_ != simt::block_serial()) {
      serial_ = simt::block_serial();
      std::memset(bytes_, 0xFF, sizeof bytes_);
    }
    return reinterpret_cast<T*>(bytes_)[i];
  }

 private:
  std::uint64_t serial_ = 0;
  alignas(16) unsigned char bytes_[N * sizeof(T)];
};

/// The block's dynamic shared memory as elements of T.
template <class T>
class DynamicShared {
 public:
  DynamicShared(T* data, std::int64_t size) : data_(data), size_(size) {}
  T& operator[](std::int64_t i) const {
    if (i < 0 || i >= size_) simt::out_of_shared_bounds(i, size_);
    return data_[i];
  }

 private:
  T* data_;
  std::int64_t size_;
};
template <class T>
DynamicShared<T> dynamic_shared() {
  return {reinterpret_cast<T*>(simt::dynamic_shared_memory()),
          static_cast<std::int64_t>(simt::dynamic_shared_bytes() / sizeof(T))};
}

}  // namespace tandem
