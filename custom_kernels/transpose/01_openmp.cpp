// Idea:    the matrix is cut into tiles that fit in the L1 cache with all their cache lines, and threads share the
//          rows of tiles.
// New:     against serial, a cache line that a column write opens is filled before it leaves the cache.
// Expect:  each line is moved once: the bandwidth of the memory, less the lines that are read only because they
//          are about to be overwritten.
// Limits:  rows whose distance is a large power of two compete for few places in the cache; a tile is kept small
//          enough for that.
// Source:  Frigo, Leiserson, Prokop, Ramachandran 1999, "Cache-oblivious algorithms", for what a tile saves.

#include <algorithm>

#include "lib/ops/transpose.h"

namespace tandem {
namespace {

// A tile is one cache line wide on either side, and tall enough for hardware prefetch to help.
template <class T>
constexpr std::int64_t kTile = 64 / sizeof(T);
constexpr std::int64_t kSerialElements = 1 << 14;  // up to this many, one thread

template <class C>
void openmp(const typename C::Args& a, Context&) {
  using T = typename C::T;
  constexpr std::int64_t kSide = kTile<T>;
  const bool in_place = a.in == a.out;
#pragma omp parallel for schedule(dynamic, 4) if (a.rows * a.cols > kSerialElements)
  for (std::int64_t i0 = 0; i0 < a.rows; i0 += kSide) {
    const std::int64_t i1 = std::min(i0 + kSide, a.rows);
    for (std::int64_t j0 = in_place ? i0 : 0; j0 < a.cols; j0 += kSide) {
      const std::int64_t j1 = std::min(j0 + kSide, a.cols);
      if (in_place) {
        for (std::int64_t i = i0; i < i1; ++i) {
          for (std::int64_t j = std::max(j0, i + 1); j < j1; ++j)
            std::swap(a.out[i * a.ld_out + j], a.out[j * a.ld_out + i]);
        }
      } else if (i1 - i0 == kSide && j1 - j0 == kSide) {
        T tile[kSide * kSide];
        for (std::int64_t i = 0; i < kSide; ++i) {
          for (std::int64_t j = 0; j < kSide; ++j) tile[j * kSide + i] = a.in[(i0 + i) * a.ld_in + j0 + j];
        }
        for (std::int64_t j = 0; j < kSide; ++j)
          std::copy_n(tile + j * kSide, kSide, a.out + (j0 + j) * a.ld_out + i0);
      } else {
        for (std::int64_t j = j0; j < j1; ++j) {
          for (std::int64_t i = i0; i < i1; ++i) a.out[j * a.ld_out + i] = a.in[i * a.ld_in + j];
        }
      }
    }
  }
}

REGISTER(Transpose, openmp, .note = "tiles of cache lines, shared out among the threads")

}  // namespace
}  // namespace tandem
