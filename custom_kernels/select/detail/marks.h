#pragma once
// Which elements of a small block are kept, or begin a run: a byte for each, written by vector instructions, then looked through.

#include <bit>
#include <cstdint>
#include <cstring>

namespace tandem {

struct Marks {
  static constexpr int kSize = 256;  // elements of a block
  alignas(32) std::uint8_t is[kSize];

  /// Sets the mark of each of `size` elements to is_marked(i), 0 or 1, or that of element 0 to 1 anyway, and returns how many
  /// are 1. Behind the last one there are zeros up to a multiple of 8. Where the caller is compiled for AVX2, this is, too.
  template <class IsMarked>
  [[gnu::always_inline]] int set(bool first_is_marked, int size, const IsMarked& is_marked) {
    std::memset(is + size / 8 * 8, 0, 8 * (size % 8 != 0));
    is[0] = 1;
    for (int i = first_is_marked; i < size; ++i) is[i] = is_marked(i);
    int count = 0;
    for (int i = 0; i < size; ++i) count += is[i];
    return count;
  }

  /// Calls f(i) for the elements that are marked, in ascending order: eight marks at once are looked at.
  template <class F>
  void for_each(int size, const F& f) const {
    static_assert(std::endian::native == std::endian::little);
    for (int i = 0; i < size; i += 8) {
      std::uint64_t eight;
      std::memcpy(&eight, is + i, 8);
      for (; eight != 0; eight &= eight - 1) f(i + std::countr_zero(eight) / 8);
    }
  }

  /// Whether so few of `size` elements are marked that each is looked for: an eighth at most.
  static bool are_few(int count, int size) { return count <= size / 8; }
};

}  // namespace tandem
