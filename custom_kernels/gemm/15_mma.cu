// Idea:    tensor cores: one instruction of a warp (mma.sync) multiplies 16 × 16 by 16 × 8 elements of 16 bits and adds
//          them to sums of floats, all in the registers of its lanes.
// New:     against warp_tile, a warp's instruction does 2,048 multiply-adds instead of 32; each lane loads pairs of
//          neighbours along k from shared memory, where both operands lie contiguous along k.
// Expect:  shared memory feeds the tensor cores: a warp's 64 × 32 results take 12 words of each lane for 16 products.
//          Rows are padded by 16 bytes, so that the eight rows of a request lie in different banks.
// Limits:  elements of 16 bits. The block either loads or multiplies; an operand that is contiguous along its lines
//          is transposed on its way, element by element.
// Source:  NVIDIA, PTX ISA, "mma.m16n8k16".

#include "lib/ops/gemm/contract.h"
#include "tandem/device/mma.cuh"
#include "tandem/device/vector_access.cuh"

namespace tandem {
namespace {

constexpr int BM = 128, BN = 128, BK = 32, WM = 64, WN = 32;
constexpr int kThreads = BM / WM * (BN / WN) * 32;
constexpr int kPitch = BK + 8;

/// An operand: `lines` rows of A, or columns of B, of k elements.
template <class T>
struct Operand {
  Strided<const T> x;  // (line, step of k)
  std::int64_t lines, k;
  bool aligned;

  static Operand of(const Strided<const T>& x, std::int64_t lines, std::int64_t k) {
    return {x, lines, k, lines_aligned(x.data, x.col == 1 ? x.row : x.col)};
  }
  /// Block-wide: tile[i · kPitch + p] = x(line0 + i, p0 + p), by packs of what is contiguous; zeros beyond the edges.
  __device__ void load(T* tile, std::int64_t line0, std::int64_t p0) const {
    constexpr int kLines = BM, kPack = Pack<T>::kSize;
    static_assert(BM == BN);
    const bool along_k = x.col == 1;
#pragma unroll
    for (int id = threadIdx.x; id < kLines * BK / kPack; id += kThreads) {
      const int i = along_k ? id / (BK / kPack) : id % (kLines / kPack) * kPack;
      const int p = along_k ? id % (BK / kPack) * kPack : id / (kLines / kPack);
      Pack<T> pack{};
      if (along_k && line0 + i < lines)
        pack = load_pack(x.data + (line0 + i) * x.row, p0 + p, k, aligned);
      else if (!along_k && p0 + p < k)
        pack = load_pack(x.data + (p0 + p) * x.col, line0 + i, lines, aligned);
#pragma unroll
      for (int e = 0; e < kPack; ++e)
        tile[along_k ? i * kPitch + p + e : (i + e) * kPitch + p] = pack.values[e];
    }
  }
};

/// Two neighbours of a row as one word.
template <class T>
__device__ std::uint32_t word_at(const T* tile, int line, int p) {
  const auto pair = *reinterpret_cast<const Pack<T, 2>*>(tile + line * kPitch + p);
  std::uint32_t word;
  memcpy(&word, &pair, sizeof word);
  return word;
}

template <class C>
__global__ void __launch_bounds__(kThreads)
    mma_block(typename C::Args g, Operand<typename C::T> from_a, Operand<typename C::T> from_b,
              std::int64_t tiles_per_row) {
  using T = typename C::T;
  __shared__ Shared<T, BM * kPitch> a;  // (BM, BK), padded
  __shared__ Shared<T, BN * kPitch> b;  // (BN, BK), padded
  const int warp = threadIdx.x / 32, group = threadIdx.x % 32 / 4, quarter = threadIdx.x % 4;
  const int y = warp / (BN / WN) * WM, x = warp % (BN / WN) * WN;
  const std::int64_t row0 = blockIdx.x / tiles_per_row * BM, col0 = blockIdx.x % tiles_per_row * BN;
  float sums[WM / 16][WN / 8][4] = {};
  for (std::int64_t p0 = 0; p0 < g.k; p0 += BK) {
    from_a.load(&a[0], row0, p0);
    from_b.load(&b[0], col0, p0);
    __syncthreads();
#pragma unroll
    for (int p = 0; p < BK; p += 16) {
      std::uint32_t frag_a[WM / 16][4], frag_b[WN / 8][2];
#pragma unroll
      for (int i = 0; i < WM / 16; ++i) {
#pragma unroll
        for (int r = 0; r < 4; ++r)
          frag_a[i][r] = word_at(&a[0], y + 16 * i + group + r % 2 * 8, p + r / 2 * 8 + 2 * quarter);
      }
#pragma unroll
      for (int j = 0; j < WN / 8; ++j) {
#pragma unroll
        for (int r = 0; r < 2; ++r) frag_b[j][r] = word_at(&b[0], x + 8 * j + group, p + r * 8 + 2 * quarter);
      }
#pragma unroll
      for (int i = 0; i < WM / 16; ++i) {
#pragma unroll
        for (int j = 0; j < WN / 8; ++j) mma_16x8x16<T>(sums[i][j], frag_a[i], frag_b[j]);
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < WM / 16; ++i) {
#pragma unroll
    for (int j = 0; j < WN / 8; ++j) {
#pragma unroll
      for (int e = 0; e < 4; ++e) {
        const std::int64_t row = row0 + y + 16 * i + group + e / 2 * 8,
                           col = col0 + x + 8 * j + 2 * quarter + e % 2;
        if (row < g.m && col < g.n) C::update(g.c[row * g.ldc + col], sums[i][j][e], g.alpha, g.beta);
      }
    }
  }
}

template <class C>
requires(!Gemm::wide<C>) void mma(const typename C::Args& g, Context& ctx) {
  using T = typename C::T;
  const std::int64_t tiles_per_row = ceil_div(g.n, BN);
  launch(ctx, ceil_div(g.m, BM) * tiles_per_row, kThreads, 0, mma_block<C>, g, Operand<T>::of(g.a, g.m, g.k),
         Operand<T>::of({g.b.data, g.b.col, g.b.row}, g.n, g.k), tiles_per_row);
}

REGISTER(
    Gemm, mma,
    .note = "tensor cores: each warp multiplies 16-bit elements from shared memory, 64 x 32 results",
    .depth = [](std::int64_t k) { return static_cast<double>(k) + 16; })

}  // namespace
}  // namespace tandem
