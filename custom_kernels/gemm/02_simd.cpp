// Idea:    the order of Goto: a slice of B is packed so that it streams from the L3 cache, a block of A so
//          that it stays in L2, and a micro-kernel keeps a small tile of C in vector registers while it runs
//          through k.
// New:     against openmp, what was brought close is used many times: the tile of 6 × 16 floats lives in 12
//          vector registers, and a step of k takes 2 loads and 6 broadcasts for its 12 vector multiply-adds.
// Expect:  two vectors of multiply-adds per cycle and core where there are AVX2 and FMA, less the packing (a
//          few moves per element that is then used hundreds of times) and the edges, computed in whole tiles
//          of zeros.
// Limits:  other processors get narrower vectors. Matrices thinner than a tile waste most of it.
// Source:  Goto, van de Geijn 2008, "Anatomy of high-performance matrix multiplication"; Van Zee, van de
//          Geijn 2015, "BLIS: a framework for rapidly instantiating BLAS functionality".

#include <algorithm>

#include "lib/ops/gemm/contract.h"

namespace tandem {
namespace {

constexpr int kRows = 6;  // of the micro-kernel's tile
template <class T>
constexpr int kCols = 64 / sizeof(T);  // two vectors of 32 bytes

// A block of A has kBlockM × kBlockK elements (about half of an L2 cache), a slice of B kBlockK × kSliceN.
constexpr std::int64_t kBlockM = 96, kBlockK = 384, kSliceN = 2048;

/// A vector of 32 bytes that starts at any element.
template <class T>
struct Vector {
  typedef T type __attribute__((vector_size(32), aligned(alignof(T)), may_alias));
};

/// c = Σ a_p · b_p over k packed columns of A (kRows elements each) and rows of B (kCols each).
template <class T>
[[gnu::target_clones("arch=x86-64-v3", "default")]] void micro_kernel(std::int64_t k, const T* a, const T* b,
                                                                      T* c) {
  using V = typename Vector<T>::type;
  constexpr int kHalf = kCols<T> / 2;
  V sum[kRows][2] = {};
  for (std::int64_t p = 0; p < k; ++p, a += kRows, b += kCols<T>) {
    const V left = *reinterpret_cast<const V*>(b), right = *reinterpret_cast<const V*>(b + kHalf);
#pragma GCC unroll 6
    for (int i = 0; i < kRows; ++i) {
      sum[i][0] += a[i] * left;
      sum[i][1] += a[i] * right;
    }
  }
#pragma GCC unroll 6
  for (int i = 0; i < kRows; ++i) {
    *reinterpret_cast<V*>(c + i * kCols<T>) = sum[i][0];
    *reinterpret_cast<V*>(c + i * kCols<T> + kHalf) = sum[i][1];
  }
}

/// Packs `lines` lines of `from`, kWidth at a time and side by side for each p < k; zeros fill the last
/// panel.
template <int kWidth, class T>
void pack(Strided<const T> from, std::int64_t lines, std::int64_t k, T* to) {
  for (std::int64_t first = 0; first < lines; first += kWidth, to += k * kWidth) {
    const auto width = static_cast<int>(std::min<std::int64_t>(kWidth, lines - first));
    if (from.row == 1) {
      for (std::int64_t p = 0; p < k; ++p) {
        for (int i = 0; i < kWidth; ++i) to[p * kWidth + i] = i < width ? from(first + i, p) : T(0);
      }
    } else {
      for (int i = 0; i < kWidth; ++i) {
        for (std::int64_t p = 0; p < k; ++p) to[p * kWidth + i] = i < width ? from(first + i, p) : T(0);
      }
    }
  }
}

constexpr std::int64_t panels(std::int64_t lines, int width) { return (lines + width - 1) / width; }

template <class C>
void simd(const typename C::Args& g, Context& ctx) {
  using T = typename C::T;
  constexpr int kWidth = kCols<T>;
  const std::int64_t blocks = panels(g.m, kBlockM);
  T* slice_of_b = ctx.scratch<T>(kBlockK * kSliceN);
  T* blocks_of_a = ctx.scratch<T>(blocks * kBlockM * kBlockK);
  const Strided<const T> columns{g.b.data, g.b.col, g.b.row};  // B by columns, as pack takes lines
  for (std::int64_t j0 = 0; j0 < g.n; j0 += kSliceN) {
    const std::int64_t n = std::min(kSliceN, g.n - j0);
    for (std::int64_t p0 = 0; p0 < std::max<std::int64_t>(g.k, 1); p0 += kBlockK) {
      const std::int64_t k = std::min(kBlockK, g.k - p0);
      // The first block of k brings in β; the others add to what is there.
      const T beta = p0 == 0 ? g.beta : T(1);
#pragma omp parallel if (g.m * g.n * g.k > 1 << 16)
      {
#pragma omp for schedule(static)
        for (std::int64_t panel = 0; panel < panels(n, kWidth); ++panel) {
          const std::int64_t j = panel * kWidth;
          pack<kWidth, T>({&columns(j0 + j, p0), columns.row, columns.col},
                          std::min<std::int64_t>(kWidth, n - j), k, slice_of_b + j * k);
        }
#pragma omp for schedule(dynamic)
        for (std::int64_t block = 0; block < blocks; ++block) {
          const std::int64_t i0 = block * kBlockM, m = std::min(kBlockM, g.m - i0);
          T* block_of_a = blocks_of_a + i0 * kBlockK;
          pack<kRows, T>({&g.a(i0, p0), g.a.row, g.a.col}, m, k, block_of_a);
          for (std::int64_t j = 0; j < n; j += kWidth) {
            for (std::int64_t i = 0; i < m; i += kRows) {
              T tile[kRows * kWidth];
              micro_kernel(k, block_of_a + i * k, slice_of_b + j * k, tile);
              T* c = g.c + (i0 + i) * g.ldc + j0 + j;
              const auto height = std::min<std::int64_t>(kRows, m - i),
                         width = std::min<std::int64_t>(kWidth, n - j);
              for (std::int64_t r = 0; r < height; ++r) {
                for (std::int64_t s = 0; s < width; ++s)
                  C::update(c[r * g.ldc + s], tile[r * kWidth + s], g.alpha, beta);
              }
            }
          }
        }
      }
    }
  }
}

REGISTER(
    Gemm, simd, .note = "packed blocks, 6 x 16 results in vector registers",
    .depth = [](std::int64_t k) { return static_cast<double>(k) + 2.0 * static_cast<double>(k) / kBlockK; })

}  // namespace
}  // namespace tandem
