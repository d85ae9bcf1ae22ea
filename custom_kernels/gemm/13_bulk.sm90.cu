// Idea:    warp specialisation: one producer warp only starts bulk tensor copies (TMA) into a ring of stages,
//          eight consumer warps only multiply. Blocks are persistent: while one tile of C is written, the
//          inputs of the next one arrive.
// New:     against warp_tile, the copies cost the multiplying warps no instruction and no register, and the
//          TMA checks the bounds (it fills in zeros). The tiles of C stay as they are.
// Expect:  95 % of all instructions are multiply-adds; what is lost is the last, partly filled wave of tiles.
// Limits:  floats on Hopper. The stages hold both operands MN-major (contiguous along m or n), and the TMA
//          copies aligned lines without transposing: other operands are transposed first, one pass over them.
//          Small products leave multiprocessors without a tile.
// Source:  NVIDIA, PTX ISA, "cp.async.bulk.tensor" and "mbarrier"; CUTLASS 3, warp-specialised persistent
//          kernels.

#include <climits>

#include "custom_kernels/gemm/detail/no_product.cuh"
#include "tandem/device/tensor_copies.cuh"
#include "tandem/device/vector_access.cuh"

namespace tandem {
namespace {

constexpr int BM = 128, BN = 256, BK = 32, WM = 64, WN = 64, TM = 16, TN = 8;
constexpr int kBand = 16;  // rows of tiles in a band
constexpr int kStages = 4;
constexpr int kWarps = BM / WM * (BN / WN);  // consumers
// setmaxnreg moves registers between warpgroups (four warps), so the producer warp has three idle companions.
constexpr int kThreads = (kWarps + 4) * 32;

using Pack4 = Pack<float>;
struct Stage {
  Pack4 a[BK * BM / 4];  // (BK, BM)
  Pack4 b[BK * BN / 4];  // (BK, BN)
};
struct Stages {
  Stage stages[kStages];
  MbarrierRing<kStages> full, empty;
};
constexpr std::size_t kSharedBytes = sizeof(Stages) + 128;  // the TMA wants an alignment of 128 bytes

// --- the product of MN-major operands

struct Product {
  std::int64_t m, n, k;
  float alpha, beta;
  float* c;
  std::int64_t ldc;
  bool aligned_c;
  int tiles_m, tiles_n;

  /// First row and column of a tile. Within a band, tiles are numbered down the columns.
  __device__ void locate(int tile, int& row0, int& col0) const {
    const int band = tile / (kBand * tiles_n), in_band = tile % (kBand * tiles_n);
    const int height = min(kBand, tiles_m - band * kBand);
    row0 = (band * kBand + in_band % height) * BM;
    col0 = in_band / height * BN;
  }
};

/// A thread's inputs of one step of k.
struct Fragment {
  Pack4 frag_a[TM / 4], frag_b[TN / 4];  // (TM), (TN)
  __device__ void load(const Stage& stage, int p, int y, int x) {
#pragma unroll
    for (int i = 0; i < TM / 4; ++i) frag_a[i] = stage.a[p * (BM / 4) + y + i * (WM / TM)];
#pragma unroll
    for (int j = 0; j < TN / 4; ++j) frag_b[j] = stage.b[p * (BN / 4) + x + j * (WN / TN)];
  }
  __device__ void multiply(float (&sum)[TM][TN]) const {
#pragma unroll
    for (int i = 0; i < TM; ++i) {
#pragma unroll
      for (int s = 0; s < TN; ++s) {
        const int j = i % 2 ? TN - 1 - s : s;  // to and fro: successive FFMAs share an operand
        sum[i][j] += frag_a[i / 4].values[i % 4] * frag_b[j / 4].values[j % 4];
      }
    }
  }
};

/// Thread-wide, by one thread of the block: keeps the ring of stages filled.
__device__ void produce(Stages& shared, const CUtensorMap* a, const CUtensorMap* b, const Product& g,
                        int tiles, int steps) {
  unsigned round = 0;
  for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    int row0, col0;
    g.locate(tile, row0, col0);
    for (int step = 0; step < steps; ++step, ++round) {
      Stage& stage = shared.stages[round % kStages];
      Mbarrier& full = shared.full[round];
      if (round >= kStages) shared.empty.wait(round - kStages);
      full.arrive_and_expect(sizeof(Stage));
      tensor_load(stage.a, *a, row0, step * BK, full);
      tensor_load(stage.b, *b, col0, step * BK, full);
    }
  }
}

/// Warp-wide, by kWarps warps: multiplies stage after stage and writes the tiles of C.
__device__ void consume(Stages& shared, const Product& g, int tiles, int steps) {
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  // The thread's first row and column in the block's tile, in packs.
  const int y = warp / (BN / WN) * (WM / 4) + lane / (WN / TN);
  const int x = warp % (BN / WN) * (WN / 4) + lane % (WN / TN);
  unsigned round = 0;
  Fragment now, next;
  for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    float sum[TM][TN] = {};  // (TM, TN)
    for (int step = 0; step < steps; ++step, ++round) {
      const Stage& stage = shared.stages[round % kStages];
      shared.full.wait(round);
      now.load(stage, 0, y, x);
#pragma unroll 4
      for (int p = 0; p < BK; p += 2) {
        next.load(stage, p + 1, y, x);
        now.multiply(sum);
        now.load(stage, (p + 2) % BK, y, x);  // the last load is not used
        next.multiply(sum);
      }
      fence_for_copies();  // behind what was read
      __syncwarp();
      if (lane == 0) shared.empty[round].arrive();
    }
    int row0, col0;
    g.locate(tile, row0, col0);
#pragma unroll
    for (int i = 0; i < TM; ++i) {
      const int row = row0 + (i / 4 * (WM / TM) + y) * 4 + i % 4;
      if (row >= g.m) continue;
#pragma unroll
      for (int j = 0; j < TN; j += 4) {
        const int col = col0 + (j / 4 * (WN / TN) + x) * 4;
        Pack4 c = g.beta == 0 ? Pack4{} : load_pack(g.c + std::int64_t(row) * g.ldc, col, g.n, g.aligned_c);
#pragma unroll
        for (int e = 0; e < 4; ++e) Gemm::Case<float>::update(c.values[e], sum[i][j + e], g.alpha, g.beta);
        store_pack(g.c + std::int64_t(row) * g.ldc, col, g.n, g.aligned_c, c);
      }
    }
  }
}

__global__ void __launch_bounds__(kThreads, 1)
    bulk_blocks(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b, Product g) {
  auto& shared = *reinterpret_cast<Stages*>((reinterpret_cast<std::uintptr_t>(dynamic_shared<char>()) + 127) /
                                            128 * 128);
  const int tiles = g.tiles_m * g.tiles_n, steps = static_cast<int>((g.k + BK - 1) / BK);
  if (threadIdx.x == 0) {
    shared.full.init(1);
    shared.empty.init(kWarps);
    fence_for_copies();
  }
  __syncthreads();
  if (threadIdx.x < kWarps * 32) {
    asm volatile("setmaxnreg.inc.sync.aligned.u32 240;");
    consume(shared, g, tiles, steps);
  } else {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 24;");
    if (threadIdx.x == kWarps * 32) produce(shared, &a, &b, g, tiles, steps);
  }
}

// --- MN-major operands for the TMA

constexpr int kTile = 32, kHelperThreads = 256;

/// Block-wide: to[p · pitch + line] = x(line, p), through shared memory so that both sides are coalesced.
__global__ void make_mn_major(Strided<const float> x, std::int64_t lines, std::int64_t k, float* to,
                              std::int64_t pitch, std::int64_t tiles_per_line) {
  __shared__ Shared<float, kTile*(kTile + 1)> tile;  // (kTile, kTile), padded
  const std::int64_t line0 = blockIdx.x / tiles_per_line * kTile, p0 = blockIdx.x % tiles_per_line * kTile;
  const int fast = threadIdx.x % kTile;
  for (int slow = threadIdx.x / kTile; slow < kTile; slow += kHelperThreads / kTile) {
    const int line = x.col == 1 ? slow : fast, p = x.col == 1 ? fast : slow;
    if (line0 + line < lines && p0 + p < k) tile[p * (kTile + 1) + line] = x(line0 + line, p0 + p);
  }
  __syncthreads();
  for (int p = threadIdx.x / kTile; p < kTile; p += kHelperThreads / kTile) {
    if (line0 + fast < lines && p0 + p < k)
      to[(p0 + p) * pitch + line0 + fast] = tile[p * (kTile + 1) + fast];
  }
}

/// The tensor map of x, (lines, k), MN-major: transposed into scratch memory where it is not.
CUtensorMap mn_major_map(Context& ctx, Strided<const float> x, std::int64_t lines, std::int64_t k, int box) {
  if (x.row != 1 || !lines_aligned(x.data, x.col)) {
    const std::int64_t pitch = ceil_div(lines, 4) * 4, tiles_per_line = ceil_div(k, kTile);
    float* to = ctx.scratch<float>(k * pitch);
    launch(ctx, ceil_div(lines, kTile) * tiles_per_line, kHelperThreads, 0, make_mn_major, x, lines, k, to,
           pitch, tiles_per_line);
    x = {to, 1, pitch};
  }
  return tensor_map<float, 2>(ctx, x.data, {lines, k}, {x.col}, {box, BK});
}

template <class C>
requires std::is_same_v<typename C::T, float>
void bulk(const typename C::Args& g, Context& ctx) {
  if (g.k == 0) return without_product<C>(g, ctx);
  const CUtensorMap a = mn_major_map(ctx, g.a, g.m, g.k, BM);
  const CUtensorMap b = mn_major_map(ctx, {g.b.data, g.b.col, g.b.row}, g.n, g.k, BN);
  const Product product{g.m,
                        g.n,
                        g.k,
                        g.alpha,
                        g.beta,
                        g.c,
                        g.ldc,
                        lines_aligned(g.c, g.ldc),
                        static_cast<int>(ceil_div(g.m, BM)),
                        static_cast<int>(ceil_div(g.n, BN))};
  const auto blocks = std::min(product.tiles_m * product.tiles_n, ctx.multiprocessors());
  launch(ctx, blocks, kThreads, kSharedBytes, bulk_blocks, a, b, product);
}

std::string refuses(const Gemm::Shape& s, CaseId) {
  return std::max({s.m, s.n, s.k}) > INT_MAX - BN ? "the TMA counts in 32 bits" : "";
}

/// Aligned rows of C, and a last wave of tiles that leaves few multiprocessors idle.
bool suits(const Gemm::Shape& s) {
  constexpr std::int64_t kMultiprocessors = 132;
  const std::int64_t tiles = ceil_div(s.m, BM) * ceil_div(s.n, BN);
  const bool full_waves = 10 * tiles >= 9 * ceil_div(tiles, kMultiprocessors) * kMultiprocessors;
  return full_waves && (s.n + s.c_gap) % 4 == 0;
}

REGISTER(Gemm, bulk,
         .note = "a warp of bulk tensor copies feeds eight that multiply, 16 x 8 results per thread",
         .refuses = refuses, .suits = suits)

}  // namespace
}  // namespace tandem
