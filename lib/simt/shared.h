#pragma once
// Shared memory on the executor: arrays that check every index and hold NaN patterns until the block writes
// them.

#include <cstdint>
#include <type_traits>

#include "lib/simt/executor.h"

namespace tandem {

/// `__shared__ Shared<T, N> tile;`, tile[i], or `Shared<T, R, C>`, tile[r][c]. It becomes a static
/// thread_local handle: each OS thread runs one block at a time.
template <class T, int N, int... Columns>
class Shared {
  static_assert(std::is_trivially_copyable_v<T> && sizeof...(Columns) <= 1);

 public:
  constexpr Shared() = default;
  T& operator[](std::int64_t i) requires(sizeof...(Columns) == 0) {
    return *static_cast<T*>(simt::shared_element(array_, i, N, sizeof(T)));
  }

  struct Row {
    simt::SharedArray& array;
    std::int64_t row;
    T& operator[](std::int64_t column) const {
      constexpr std::int64_t kColumns = (Columns * ... * 1);
      if (column < 0 || column >= kColumns || row < 0 || row >= N)
        simt::outside_tile(row, column, N, kColumns);
      return *static_cast<T*>(simt::shared_element(array, row * kColumns + column, N * kColumns, sizeof(T)));
    }
  };
  Row operator[](std::int64_t row) requires(sizeof...(Columns) == 1) { return {array_, row}; }

 private:
  simt::SharedArray array_;
};

/// The block's dynamic shared memory as elements of T.
template <class T>
struct DynamicShared {
  T& operator[](std::int64_t i) const { return *static_cast<T*>(simt::dynamic_shared_element(i, sizeof(T))); }
};
template <class T>
DynamicShared<T> dynamic_shared() {
  return {};
}

}  // namespace tandem
