// Idea:    the matrix is cut into tiles whose side is one cache line. A tile is transposed in
//          vector registers by perfect shuffles and written in whole lines, with non-temporal
//          stores where the output is large.
// New:     against serial, every cache line that is touched is used completely at once; log2(N) shuffles of N
//          registers replace the moves of N² single elements; threads share bands of rows.
// Expect:  the bandwidth of the memory.
// Limits:  partial tiles at the edges go element by element, and so do the tiles on the diagonal in place.
// Source:  Stone 1971, "Parallel processing with the perfect shuffle"; Lam, Rothberg, Wolf 1991, "The cache
//          performance and optimizations of blocked algorithms".

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include <algorithm>
#include <atomic>
#include <cstring>
#include <utility>

#include "lib/core/workers.h"
#include "lib/ops/transpose/contract.h"

namespace tandem {
namespace {

template <class T>
constexpr int kLine = 64 / sizeof(T);             // elements of a cache line: rows and columns of a tile
constexpr std::int64_t kBand = 128;               // rows of a band, whose tiles are visited column by column
constexpr std::int64_t kAloneElements = 1 << 18;  // up to this many, one thread
constexpr std::int64_t kStreamBytes = 4 << 20;    // larger outputs would not stay in a cache

/// A vector of 16 bytes with unsigned lanes of the size of an element.
template <class T>
struct Vector {
  static constexpr int kSize = 16 / sizeof(T);
  using Word = std::conditional_t<
      sizeof(T) == 1, std::uint8_t,
      std::conditional_t<sizeof(T) == 2, std::uint16_t,
                         std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>>;
  typedef Word type __attribute__((vector_size(16)));
  typedef Word at_any_element __attribute__((vector_size(16), aligned(sizeof(T)), may_alias));
};

/// Perfect shuffle: interleaves the low (or high) halves of two vectors.
template <bool kHigh, class V, int... i>
V interleave(V a, V b, std::integer_sequence<int, i...>) {
  constexpr int kSize = sizeof...(i), kFirst = kHigh ? kSize / 2 : 0;
  return __builtin_shufflevector(a, b, (kFirst + i / 2 + (i % 2 ? kSize : 0))...);
}

/// Transposes kSize × kSize elements.
template <class T>
void transpose_vectors(const T* in, std::int64_t ld_in, T* out, std::int64_t ld_out) {
  using V = typename Vector<T>::type;
  using Unaligned = typename Vector<T>::at_any_element;
  constexpr int kSize = Vector<T>::kSize;
  constexpr std::make_integer_sequence<int, kSize> kAll;
  V rows[kSize];
  for (int i = 0; i < kSize; ++i) rows[i] = *reinterpret_cast<const Unaligned*>(in + i * ld_in);
  for (int round = 1; round < kSize; round *= 2) {
    V next[kSize];
    for (int i = 0; i < kSize / 2; ++i) {
      next[2 * i] = interleave<false>(rows[i], rows[i + kSize / 2], kAll);
      next[2 * i + 1] = interleave<true>(rows[i], rows[i + kSize / 2], kAll);
    }
    std::copy_n(next, kSize, rows);
  }
  for (int i = 0; i < kSize; ++i) *reinterpret_cast<Unaligned*>(out + i * ld_out) = rows[i];
}

/// Writes a line of 64 bytes; with `stream`, which needs it aligned, by non-temporal stores.
inline void write_line(const void* from, void* to, bool stream) {
#ifdef __SSE2__
  if (stream) {
    for (int i = 0; i < 4; ++i)
      _mm_stream_si128(static_cast<__m128i*>(to) + i, static_cast<const __m128i*>(from)[i]);
    return;
  }
#endif
  std::memcpy(to, from, 64);
}

/// A tile, transposed while it is loaded.
template <class T>
struct alignas(64) TransposedTile {
  static constexpr int kTile = kLine<T>;
  T lines[kTile * kTile];

  TransposedTile(const T* in, std::int64_t ld) {
    for (int i = 0; i < kTile; i += Vector<T>::kSize) {
      for (int j = 0; j < kTile; j += Vector<T>::kSize)
        transpose_vectors(in + i * ld + j, ld, lines + j * kTile + i, kTile);
    }
  }
  void write(T* out, std::int64_t ld, bool stream) const {
    for (int j = 0; j < kTile; ++j) write_line(lines + j * kTile, out + j * ld, stream);
  }
};

/// Exchanges the tiles of rows [i0, i1) on and right of the diagonal with those below it.
template <class C>
void transpose_in_place(const typename C::Args& a, std::int64_t i0, std::int64_t i1) {
  using Transposed = TransposedTile<typename C::T>;
  constexpr int kTile = Transposed::kTile;
  for (std::int64_t i = i0; i < i1; i += kTile) {
    for (std::int64_t j = i; j < a.cols; j += kTile) {
      if (i != j && j + kTile <= a.cols) {
        auto *above = a.out + i * a.ld_out + j, *below = a.out + j * a.ld_out + i;
        const Transposed upper(above, a.ld_out), lower(below, a.ld_out);
        upper.write(below, a.ld_out, false);
        lower.write(above, a.ld_out, false);
        continue;
      }
      for (std::int64_t r = i; r < std::min(i + kTile, i1); ++r) {
        for (std::int64_t c = std::max(j, r + 1); c < std::min(j + kTile, a.cols); ++c)
          std::swap(a.out[r * a.ld_out + c], a.out[c * a.ld_out + r]);
      }
    }
  }
}

template <class C>
void transpose_band(const typename C::Args& a, std::int64_t i0, std::int64_t i1, bool stream) {
  constexpr int kTile = kLine<typename C::T>;
  for (std::int64_t j = 0; j < a.cols; j += kTile) {
    for (std::int64_t i = i0; i < i1; i += kTile) {
      if (i + kTile <= i1 && j + kTile <= a.cols) {
        const TransposedTile<typename C::T> tile(a.in + i * a.ld_in + j, a.ld_in);
        tile.write(a.out + j * a.ld_out + i, a.ld_out, stream);
        continue;
      }
      for (std::int64_t c = j; c < std::min(j + kTile, a.cols); ++c) {
        for (std::int64_t r = i; r < std::min(i + kTile, i1); ++r)
          a.out[c * a.ld_out + r] = a.in[r * a.ld_in + c];
      }
    }
  }
}

template <class C>
void threads(const typename C::Args& a, Context&) {
  using T = typename C::T;
  const bool lines = reinterpret_cast<std::uintptr_t>(a.out) % 64 == 0 && a.ld_out % kLine<T> == 0;
  const bool stream = lines && a.rows * a.cols * std::int64_t{sizeof(T)} > kStreamBytes;
  const Pieces bands{.size = kBand, .alone = kAloneElements / a.cols};
  parallel_for(a.rows, bands, [&](std::int64_t begin, std::int64_t end, int) {
    for (std::int64_t i0 = begin; i0 < end; i0 += kBand) {
      const std::int64_t i1 = std::min(i0 + kBand, end);
      a.in == a.out ? transpose_in_place<C>(a, i0, i1) : transpose_band<C>(a, i0, i1, stream);
    }
    if (stream) std::atomic_thread_fence(std::memory_order_seq_cst);  // orders non-temporal stores
  });
}

REGISTER(Transpose, threads, .note = "tiles of cache lines by perfect shuffles, shared out among the threads")

}  // namespace
}  // namespace tandem
