// Idea:    Goto's algorithm: a KC × NC panel of B is packed for the L3 cache, an MC × KC block of A for L2,
//          and a micro-kernel keeps MR × NR results in vector registers while it runs through k.
// New:     against threads, each cache level reuses what it holds: the 6 × 16 floats of a micro-tile fill 12
//          vector registers, and a step of k takes 2 loads and 6 broadcasts for 12 vector multiply-adds.
// Expect:  two vector multiply-adds per cycle and core with AVX2 and FMA, less the packing (a few moves per
//          element that is then used hundreds of times) and the edges, padded to whole micro-tiles.
// Limits:  processors without AVX2 get narrower vectors. Matrices thinner than a micro-tile waste most of it.
// Source:  Goto, van de Geijn 2008, "Anatomy of high-performance matrix multiplication"; Van Zee, van de
//          Geijn 2015, "BLIS: a framework for rapidly instantiating BLAS functionality".

#include <algorithm>
#include <limits>

#include "lib/core/target_clones.h"
#include "lib/core/workers.h"
#include "lib/ops/gemm/contract.h"

namespace tandem {
namespace {

constexpr int MR = 6;
template <class T>
constexpr int NR = 64 / sizeof(T);  // two vectors of 32 bytes

constexpr std::int64_t MC = 96, NC = 2048, KC = 384;  // MC × KC floats: 144 KB, within an L2 cache

/// A vector of 32 bytes without alignment beyond its element's.
template <class T>
struct Vector {
  typedef T type __attribute__((vector_size(32), aligned(alignof(T)), may_alias));
};

/// c = a · b for packed a (k, MR), b (k, NR) and c (MR, NR).
template <class T>
TANDEM_CLONES void micro_kernel(std::int64_t k, const T* a, const T* b, T* c) {
  using V = typename Vector<T>::type;
  constexpr int kHalf = NR<T> / 2;
  V sum[MR][2] = {};  // (MR, NR)
  for (std::int64_t p = 0; p < k; ++p, a += MR, b += NR<T>) {
    const V left = *reinterpret_cast<const V*>(b), right = *reinterpret_cast<const V*>(b + kHalf);
#pragma GCC unroll 6
    for (int i = 0; i < MR; ++i) {
      sum[i][0] += a[i] * left;
      sum[i][1] += a[i] * right;
    }
  }
#pragma GCC unroll 6
  for (int i = 0; i < MR; ++i) {
    *reinterpret_cast<V*>(c + i * NR<T>) = sum[i][0];
    *reinterpret_cast<V*>(c + i * NR<T> + kHalf) = sum[i][1];
  }
}

/// Packs `from`, (lines, k), as consecutive micro-panels (k, kWidth); zeros fill the last.
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

constexpr Pieces kPanels{.size = 8}, kAllByCaller{.alone = std::numeric_limits<std::int64_t>::max()};
constexpr std::int64_t kAloneProducts = 1 << 19;  // up to this many, one thread

constexpr std::int64_t panels(std::int64_t lines, int width) { return (lines + width - 1) / width; }

template <class C>
requires Gemm::wide<C>
void simd(const typename C::Args& g, Context& ctx) {
  using T = typename C::T;
  const std::int64_t blocks = panels(g.m, MC);
  const bool few = g.m * g.n * g.k <= kAloneProducts;
  T* packed_b = ctx.scratch<T>(KC * NC);
  T* packed_a = ctx.scratch<T>(blocks * MC * KC);
  const Strided<const T> columns{g.b.data, g.b.col, g.b.row};  // (n, k): B transposed, as pack takes rows
  for (std::int64_t j0 = 0; j0 < g.n; j0 += NC) {
    const std::int64_t n = std::min(NC, g.n - j0);
    for (std::int64_t p0 = 0; p0 < std::max<std::int64_t>(g.k, 1); p0 += KC) {
      const std::int64_t k = std::min(KC, g.k - p0);
      // The first block of k applies β; the others accumulate.
      const T beta = p0 == 0 ? g.beta : T(1);
      parallel_for(panels(n, NR<T>), few ? kAllByCaller : kPanels,
                   [&](std::int64_t begin, std::int64_t end, int) {
                     for (std::int64_t panel = begin; panel < end; ++panel) {
                       const std::int64_t j = panel * NR<T>;
                       pack<NR<T>, T>({&columns(j0 + j, p0), columns.row, columns.col},
                                      std::min<std::int64_t>(NR<T>, n - j), k, packed_b + j * k);
                     }
                   });
      parallel_for(blocks, few ? kAllByCaller : Pieces{}, [&](std::int64_t begin, std::int64_t end, int) {
        for (std::int64_t block = begin; block < end; ++block) {
          const std::int64_t i0 = block * MC, m = std::min(MC, g.m - i0);
          T* block_of_a = packed_a + i0 * KC;
          pack<MR, T>({&g.a(i0, p0), g.a.row, g.a.col}, m, k, block_of_a);
          for (std::int64_t j = 0; j < n; j += NR<T>) {
            for (std::int64_t i = 0; i < m; i += MR) {
              T tile[MR * NR<T>];  // (MR, NR)
              micro_kernel(k, block_of_a + i * k, packed_b + j * k, tile);
              T* c = g.c + (i0 + i) * g.ldc + j0 + j;
              const auto height = std::min<std::int64_t>(MR, m - i),
                         width = std::min<std::int64_t>(NR<T>, n - j);
              for (std::int64_t r = 0; r < height; ++r) {
                for (std::int64_t s = 0; s < width; ++s)
                  C::update(c[r * g.ldc + s], tile[r * NR<T> + s], g.alpha, beta);
              }
            }
          }
        }
      });
    }
  }
}

REGISTER(
    Gemm, simd, .note = "packed blocks, 6 x 16 results in vector registers",
    .depth = [](std::int64_t k) { return static_cast<double>(k) + 2.0 * static_cast<double>(k) / KC; })

}  // namespace
}  // namespace tandem
