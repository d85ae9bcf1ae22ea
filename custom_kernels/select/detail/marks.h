#pragma once
// Which elements of a small block are kept, or begin a run: a byte for each, made by whole vectors, then looked through.

#include <bit>
#include <cstdint>
#include <cstring>

namespace tandem {

struct Marks {
  static constexpr int kSize = 256;  // elements of a block
  alignas(32) std::uint8_t is[kSize];

  /// Sets the marks of elements [first, size) to is_marked(i), 0 or 1, those before to 1, and returns how many are 1 in all. Behind
  /// the last one there are zeros up to a multiple of 8. Inlined into a function that is compiled for AVX2, it is, too.
  template <class IsMarked>
  [[gnu::always_inline]] int set(int first, int size, const IsMarked& is_marked) {
    std::memset(is + size / 8 * 8, 0, 8 * (size % 8 != 0));
    std::memset(is, 1, first);
    for (int i = first; i < size; ++i) is[i] = is_marked(i);
    int count = 0;
    for (int i = 0; i < size; ++i) count += is[i];
    return count;
  }

  /// Calls f(i) for the elements that are marked, in ascending order: eight marks at once are looked at.
  template <class F>
  void for_each(int size, const F& f) const {
    for (int i = 0; i < size; i += 8) {
      std::uint64_t eight;
      std::memcpy(&eight, is + i, 8);
      for (; eight != 0; eight &= eight - 1) f(i + std::countr_zero(eight) / 8);
    }
  }
};

}  // namespace tandem
