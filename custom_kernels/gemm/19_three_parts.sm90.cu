// Idea:    a float is the exact sum of three bf16, which tensor cores multiply exactly and 16 times as fast as
//          FFMAs do. Of the nine products of parts the six largest are added up, smallest first; the other
//          three weigh less than a rounding.
// New:     against bulk, warpgroups multiply (WGMMA); tensor cores cut sums off instead of rounding them, so an
//          ordinary addition takes each sum of 32 products over. The rows of a pair of blocks (a cluster)
//          need the same columns of B: each block loads half of them, for both (multicast).
// Expect:  six products at the rate of bf16, less what the additions take, are 2.7 times as fast as floats,
//          and more accurate: chains of roundings are 32 times shorter.
// Limits:  floats on Hopper. Splitting moves 10 bytes for each element of A and B, and needs 6 of scratch
//          memory. Tiles of 256 x 256 for two multiprocessors: a small C leaves most of them idle.
// Source:  NVIDIA, PTX ISA, "wgmma"; Henry, Tang, Heinecke 2019, "Leveraging the bfloat16 artificial intelligence
//          datatype for higher-precision computations"; Ootomo, Yokota 2022, "Recovering single precision
//          accuracy from Tensor Cores".

#include <algorithm>
#include <climits>

#include "custom_kernels/gemm/detail/no_product.cuh"
#include "custom_kernels/gemm/detail/parts.cuh"
#include "tandem/device/cluster.cuh"
#include "tandem/device/tensor_copies.cuh"
#include "tandem/device/wgmma.cuh"

namespace tandem {
namespace {

using Args = Gemm::Case<float>::Args;

constexpr int BM = 128, BN = 256, BK = 32, WM = 64, WN = 128;  // WM x WN: of a warpgroup's instruction
constexpr int kHalves = BN / WN;  // of a tile's columns, one loaded by each block of a cluster
constexpr int kStages = 3;
constexpr int kRows = 8;                           // of pairs of tiles, in a band that shares the L2 cache
constexpr int kWarpgroups = BM / WM;               // that multiply
constexpr int kThreads = (kWarpgroups + 1) * 128;  // the last one copies
constexpr int kTile = BM * kHalves;                // rows of a cluster

struct Stage {
  Part a[kParts][BM][BK];
  Part b[kHalves][kParts][WN][BK];
};
struct Stages {
  Stage stages[kStages];
  MbarrierRing<kStages> full, empty;
};
constexpr std::size_t kAlignment = 1024, kSharedBytes = sizeof(Stages) + kAlignment;

struct Product {
  Args g;
  const bool *careful_a, *careful_b;
  const int *exponents_a, *exponents_b;
  bool aligned_c;
  int tiles_m, tiles_n;  // of clusters

  /// First row and column of a tile. Within a band, tiles are numbered down the columns.
  __device__ void locate(int tile, int& row0, int& col0) const {
    const int band = tile / (kRows * tiles_n), in_band = tile % (kRows * tiles_n);
    const int height = min(kRows, tiles_m - band * kRows);
    row0 = (band * kRows + in_band % height) * kTile + rank_in_cluster() * BM;
    col0 = in_band / height * BN;
  }
};

/// Called by one thread of each block: keeps the ring of stages filled.
__device__ void produce(Stages& shared, const CUtensorMap& a, const CUtensorMap& b, const Product& product,
                        int tiles, int steps) {
  constexpr unsigned short kBoth = 3;
  const int half = rank_in_cluster();
  unsigned round = 0;
  for (int tile = blockIdx.x / kHalves; tile < tiles; tile += gridDim.x / kHalves) {
    int row0, col0;
    product.locate(tile, row0, col0);
    for (int step = 0; step < steps; ++step, ++round) {
      Stage& stage = shared.stages[round % kStages];
      Mbarrier& full = shared.full[round];
      if (round >= kStages) shared.empty.wait(round - kStages);  // in both blocks
      full.arrive_and_expect(sizeof(Stage));
      tensor_load(stage.a, a, step * BK, row0, 0, full);
      tensor_load(stage.b[half], b, step * BK, col0 + half * WN, 0, full, kBoth);
    }
  }
}

/// Warpgroup-wide: sums = the products of parts from pair kFirst on, smallest first, of rows row0 on of the stage.
template <int kFirst>
__device__ void multiply(float (&sums)[64], const Stage& stage, int row0, int half) {
  constexpr int kPairs[][2] = {{2, 0}, {1, 1}, {0, 2}, {1, 0}, {0, 1}, {0, 0}};
  wgmma_hold(sums);
  wgmma_begin();
#pragma unroll
  for (int pair = kFirst; pair < 6; ++pair) {
#pragma unroll
    for (int p = 0; p < BK; p += 16)
      wgmma_64x128x16(sums, wgmma_tile(stage.a[kPairs[pair][0]][row0], p),
                      wgmma_tile(stage.b[half][kPairs[pair][1]], p), pair > kFirst || p > 0);
  }
  wgmma_commit();
  wgmma_wait<0>();
  wgmma_hold(sums);
}

/// Called by a thread: work(r, c, x, y) for its pairs of neighbours x, y, which are r rows and c columns from its
/// first one (wgmma_64x128x16).
template <class Work>
__device__ void for_each_pair(float (&sum)[kHalves][64], Work work) {
#pragma unroll
  for (int q = 0; q < 2; ++q) {
#pragma unroll
    for (int i = 0; i < BN / 8; ++i) {
      float* pair = &sum[i / (WN / 8)][i % (WN / 8) * 4 + q * 2];
      work(8 * q, 8 * i, pair[0], pair[1]);
    }
  }
}

/// Called by a thread: multiplies its sums by the powers of two that their row and column were divided by.
__device__ void take_scale_back(const Product& product, float (&sum)[kHalves][64], std::int64_t row,
                                std::int64_t col) {
  for_each_pair(sum, [&](int r, int c, float& x, float& y) {
    const int of_row = row + r < product.g.m ? product.exponents_a[row + r] : 0;
    if (col + c < product.g.n) x = ldexpf(x, of_row + product.exponents_b[col + c]);
    if (col + c + 1 < product.g.n) y = ldexpf(y, of_row + product.exponents_b[col + c + 1]);
  });
}

/// Called by a thread: writes its part of a tile. kWhole: the tile lies in C, whose pairs are aligned.
template <bool kWhole>
__device__ void store(const Args& g, float (&sum)[kHalves][64], std::int64_t row, std::int64_t col) {
  using Case = Gemm::Case<float>;
  for_each_pair(sum, [&](int r, int c, float x, float y) {
    float* at = g.c + (row + r) * g.ldc + col + c;
    if constexpr (kWhole) {
      Pack<float, 2> pair{};
      if (g.beta != 0) pair = *reinterpret_cast<const Pack<float, 2>*>(at);
      Case::update(pair.values[0], x, g.alpha, g.beta);
      Case::update(pair.values[1], y, g.alpha, g.beta);
      *reinterpret_cast<Pack<float, 2>*>(at) = pair;
    } else {
      if (row + r < g.m && col + c < g.n) Case::update(at[0], x, g.alpha, g.beta);
      if (row + r < g.m && col + c + 1 < g.n) Case::update(at[1], y, g.alpha, g.beta);
    }
  });
}

/// Warpgroup-wide, by kWarpgroups: multiplies stage after stage and writes the tiles of C.
__device__ void consume(Stages& shared, const Product& product, int tiles, int steps) {
  const Args& g = product.g;
  const int warpgroup = threadIdx.x / 128, lane = threadIdx.x % 32, row_of_warp = threadIdx.x / 32 * 16;
  unsigned round = 0;
  for (int tile = blockIdx.x / kHalves; tile < tiles; tile += gridDim.x / kHalves) {
    int row0, col0;
    product.locate(tile, row0, col0);
    bool careful = row0 + warpgroup * WM < g.m && product.careful_a[row0 / kBand + warpgroup];
    for (int col = col0; col < min(std::int64_t(col0 + BN), g.n); col += kBand)
      careful |= product.careful_b[col / kBand];
    float sum[kHalves][64] = {};
    for (int step = 0; step < steps; ++step, ++round) {
      const Stage& stage = shared.stages[round % kStages];
      shared.full.wait(round);
#pragma unroll
      for (int half = 0; half < kHalves; ++half) {
        float products[64];
        if (careful) {
          // An infinity or NaN times a part that is 0 is NaN; the largest parts alone multiply as floats do.
          multiply<5>(products, stage, warpgroup * WM, half);
#pragma unroll
          for (int i = 0; i < 64; ++i) {
            if (!isfinite(products[i])) sum[half][i] += products[i];
          }
        }
        multiply<0>(products, stage, warpgroup * WM, half);
        if (careful) {
#pragma unroll
          for (float& product : products) {
            if (!isfinite(product)) product = 0;
          }
        }
#pragma unroll
        for (int i = 0; i < 64; ++i) sum[half][i] += products[i];
      }
      if (threadIdx.x % 128 < kHalves) arrive_in_block(threadIdx.x % 128, shared.empty[round]);
    }
    const std::int64_t row = row0 + row_of_warp + lane / 4, col = col0 + lane % 4 * 2;  // of sum[0][0]
    if (careful) take_scale_back(product, sum, row, col);
    if (product.aligned_c && row0 + BM <= g.m && col0 + BN <= g.n)
      store<true>(g, sum, row, col);
    else
      store<false>(g, sum, row, col);
  }
}

__global__ void __launch_bounds__(kThreads, 1)
    multiply_parts(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b,
                   const __grid_constant__ Product product) {
  auto& shared = *reinterpret_cast<Stages*>(
      (reinterpret_cast<std::uintptr_t>(dynamic_shared<char>()) + kAlignment - 1) / kAlignment * kAlignment);
  const int tiles = product.tiles_m * product.tiles_n, steps = static_cast<int>(ceil_div(product.g.k, BK));
  if (threadIdx.x == 0) {
    shared.full.init(1);
    shared.empty.init(kHalves * kWarpgroups);
    fence_for_copies();
  }
  cluster_arrive();
  cluster_wait();
  start_early();
  if (threadIdx.x < kWarpgroups * 128) {
    asm volatile("setmaxnreg.inc.sync.aligned.u32 240;");
    consume(shared, product, tiles, steps);
  } else {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 24;");
    if (threadIdx.x == kWarpgroups * 128) produce(shared, a, b, product, tiles, steps);
  }
  cluster_arrive();  // the other block may still write here
  cluster_wait();
}

CUtensorMap parts_map(Context& ctx, const Operand& o, int lines_of_box) {
  return tensor_map<Part, 3>(ctx, o.parts, {o.k, o.lines, kParts}, {o.pitch, o.lines * o.pitch},
                             {BK, lines_of_box, kParts}, CU_TENSOR_MAP_SWIZZLE_64B);
}

template <class C>
requires std::is_same_v<typename C::T, float>
void three_parts(const typename C::Args& g, Context& ctx) {
  if (g.k == 0) return without_product<C>(g, ctx);
  const auto [a, b] = split_operands(ctx, g).of;
  const Product product{g,
                        a.careful,
                        b.careful,
                        a.exponents,
                        b.exponents,
                        reinterpret_cast<std::uintptr_t>(g.c) % 8 == 0 && g.ldc % 2 == 0,
                        static_cast<int>(ceil_div(g.m, kTile)),
                        static_cast<int>(ceil_div(g.n, BN))};
  const auto clusters =
      std::min(product.tiles_m * product.tiles_n, std::max(1, ctx.multiprocessors() / kHalves));
  launch_clusters(ctx, clusters, kHalves, kThreads, kSharedBytes, multiply_parts, parts_map(ctx, a, BM),
                  parts_map(ctx, b, WN), product);
}

std::string refuses(const Gemm::Shape& s, CaseId) {
  return std::max({s.m, s.n, s.k}) > INT_MAX - kTile ? "the TMA counts in 32 bits" : "";
}

/// Tiles that occupy half of the multiprocessors or more.
bool suits(const Gemm::Shape& s) {
  constexpr std::int64_t kClusters = 66;
  const std::int64_t waves = ceil_div(ceil_div(s.m, kTile) * ceil_div(s.n, BN), kClusters);
  return s.k >= 256 && 2 * s.m * s.n >= waves * kClusters * kTile * BN;
}

// Additions of the sums of 32 products, and what tensor cores may cut off of 17 terms in each of two steps.
REGISTER(
    Gemm, three_parts, .note = "tensor cores: six products of floats split in three bf16, added up as floats",
    .depth = [](std::int64_t k) { return static_cast<double>(k) / BK + 40; }, .refuses = refuses,
    .suits = suits, .precision = Precision::split,
    .deviates = "factors below 2^-156 of the largest in their row of A or column of B lose digits")

}  // namespace
}  // namespace tandem
