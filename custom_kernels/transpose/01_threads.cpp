// Idea:    the matrix is cut into tiles whose side is one cache line. A tile is transposed in
//          vector registers by perfect shuffles and written in whole lines where the output is more than
//          a core's caches hold, with non-temporal stores where it is large.
// New:     against serial, every cache line that is touched is used completely at once; log2(N) shuffles of N
//          registers replace the moves of N² single elements; each thread has rows of the output.
// Expect:  the bandwidth of the memory.
// Limits:  what does not fill a vector at the edges goes element by element, and so do the tiles on the diagonal in place.
// Source:  Stone 1971, "Parallel processing with the perfect shuffle"; Lam, Rothberg, Wolf 1991, "The cache
//          performance and optimizations of blocked algorithms".

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include <algorithm>
#include <atomic>
#include <cstring>
#include <utility>

#include "custom_kernels/transpose/detail/vectors.h"
#include "lib/core/target_clones.h"
#include "lib/core/workers.h"
#include "lib/ops/transpose/contract.h"

namespace tandem {
namespace {

template <class T>
constexpr int kLine = 64 / sizeof(T);             // elements of a cache line: rows and columns of a tile
constexpr std::int64_t kBand = 128;               // rows of a band, whose tiles are visited column by column
constexpr std::int64_t kAloneElements = 1 << 19;  // up to this many, one thread; in place, half of them
constexpr std::int64_t kStreamBytes = 4 << 20;    // larger outputs would not stay in a cache
constexpr std::int64_t kDirectBytes = 16 << 20;   // smaller ones mostly do
constexpr std::int64_t kSetBytes = 4096;          // lines so far apart are in one set of an L1 cache

/// Transposes a tile.
template <class T>
void transpose_tile(const T* in, std::int64_t ld_in, T* out, std::int64_t ld_out) {
  constexpr int kSize = Vector<T>::kSize;
  for (int i = 0; i < kLine<T>; i += kSize) {
    for (int j = 0; j < kLine<T>; j += kSize)
      transpose_vectors(in + i * ld_in + j, ld_in, out + j * ld_out + i, ld_out);
  }
}

/// What lies at an edge: vectors as far as they fill it, the rest element by element, in loops as long as it is.
template <class T>
void transpose_edge(const T* in, std::int64_t rows, std::int64_t cols, std::int64_t ld_in, T* out,
                    std::int64_t ld_out) {
  constexpr int kSize = Vector<T>::kSize;
  const std::int64_t full_rows = rows / kSize * kSize, full_cols = cols / kSize * kSize;
  for (std::int64_t j = 0; j < full_cols; j += kSize) {
    for (std::int64_t i = 0; i < full_rows; i += kSize)
      transpose_vectors(in + i * ld_in + j, ld_in, out + j * ld_out + i, ld_out);
  }
  for (std::int64_t c = full_cols; c < cols; ++c) {
    for (std::int64_t r = 0; r < rows; ++r) out[c * ld_out + r] = in[r * ld_in + c];
  }
  for (std::int64_t r = full_rows; r < rows; ++r) {
    for (std::int64_t c = 0; c < full_cols; ++c) out[c * ld_out + r] = in[r * ld_in + c];
  }
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

/// A tile, transposed while it is loaded, and written in whole lines.
template <class T>
struct alignas(64) TransposedTile {
  static constexpr int kTile = kLine<T>;
  T lines[kTile * kTile];

  TransposedTile(const T* in, std::int64_t ld) { transpose_tile(in, ld, lines, kTile); }
  void write(T* out, std::int64_t ld, bool stream) const {
    for (int j = 0; j < kTile; ++j) write_line(lines + j * kTile, out + j * ld, stream);
  }
};

/// Exchanges the tiles of rows [i0, i1) on and right of the diagonal with those below it.
template <class C>
[[gnu::flatten]] TANDEM_CLONES void transpose_in_place(const typename C::Args& a, std::int64_t i0,
                                                       std::int64_t i1) {
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

/// Rows [i0, i1) and columns [j0, j1), a band of rows after the other.
template <class C>
[[gnu::flatten]] TANDEM_CLONES void transpose_piece(const typename C::Args& a, std::int64_t i0,
                                                    std::int64_t i1, std::int64_t j0, std::int64_t j1,
                                                    bool direct, bool stream) {
  using T = typename C::T;
  constexpr int kTile = kLine<T>;
  for (std::int64_t band = i0; band < i1; band += kBand) {
    const std::int64_t end = std::min(band + kBand, i1);
    for (std::int64_t j = j0; j < j1; j += kTile) {
      const std::int64_t cols = std::min<std::int64_t>(kTile, j1 - j);
      for (std::int64_t i = band, rows; i < end; i += rows) {
        rows = cols < kTile ? end - i : std::min<std::int64_t>(kTile, end - i);
        const T* from = a.in + i * a.ld_in + j;
        T* to = a.out + j * a.ld_out + i;
        if (rows < kTile || cols < kTile)
          transpose_edge(from, rows, cols, a.ld_in, to, a.ld_out);
        else if (direct)
          transpose_tile(from, a.ld_in, to, a.ld_out);
        else
          TransposedTile<T>(from, a.ld_in).write(to, a.ld_out, stream);
      }
    }
  }
}

template <class C>
void threads(const typename C::Args& a, Context&) {
  using T = typename C::T;
  if (a.in == a.out) {
    parallel_for(a.rows, {.size = kBand, .alone = kAloneElements / 2 / a.cols},
                 [&](std::int64_t begin, std::int64_t end, int) {
                   for (std::int64_t i = begin; i < end; i += kBand)
                     transpose_in_place<C>(a, i, std::min(i + kBand, end));
                 });
    return;
  }
  const bool lines = reinterpret_cast<std::uintptr_t>(a.out) % 64 == 0 && a.ld_out % kLine<T> == 0;
  const std::int64_t bytes = a.rows * a.cols * std::int64_t{sizeof(T)};
  const bool one_set = a.ld_out * std::int64_t{sizeof(T)} % kSetBytes == 0;
  const bool direct = bytes <= kDirectBytes && !one_set, stream = lines && !direct && bytes > kStreamBytes;
  // Where two threads write to one line of the output, it goes to and fro between their caches. So each has rows of the output
  // of its own, if there are enough, else long parts of them.
  const std::int64_t pieces = 4 * most_workers();
  const bool by_columns = a.cols >= pieces * kLine<T>;
  const std::int64_t cut = by_columns ? a.cols : a.rows, across = by_columns ? a.rows : a.cols;
  const std::int64_t step = by_columns ? kLine<T> : kBand, size = (cut / pieces / step + 1) * step;
  parallel_for(cut, {.size = size, .alone = kAloneElements / across},
               [&](std::int64_t begin, std::int64_t end, int) {
                 by_columns ? transpose_piece<C>(a, 0, a.rows, begin, end, direct, stream)
                            : transpose_piece<C>(a, begin, end, 0, a.cols, direct, stream);
                 if (stream)
                   std::atomic_thread_fence(std::memory_order_seq_cst);  // orders non-temporal stores
               });
}

REGISTER(Transpose, threads, .note = "tiles of cache lines by perfect shuffles, shared out among the threads")

}  // namespace
}  // namespace tandem
