// Idea:    Hopper's tensor cores multiply doubles, too, as exactly as multiply-adds do and twice as fast: one
//          instruction of a warp (DMMA) multiplies 16 × 16 by 16 × 8 of them.
// New:     against specialised, a warp's operands pass through its registers: each of eight warps loads fragments for
//          64 × 32 results from the swizzled boxes.
// Expect:  three quarters of what shared memory can deliver, and so the rate of the tensor cores.
// Limits:  doubles on Hopper. Tiles of 128 × 128, one a block; a warp computes on the same stage that it has just
//          loaded, with one other warp to fill the gaps.
// Source:  NVIDIA, PTX ISA, "mma", .f64.
//
// Which lane gets which element is the instruction's to say for k, and ours for lines: any order of lines will do, as
// long as results are written where they belong. The orders below let the lanes of a request touch all banks once.

#include "custom_kernels/gemm/detail/no_product.cuh"
#include "custom_kernels/gemm/detail/swizzled_lines.cuh"
#include "custom_kernels/gemm/detail/tile_order.cuh"
#include "tandem/device/tensor_copies.cuh"

namespace tandem {
namespace {

constexpr int BM = 128, BN = 128, BK = kSwizzled<double>, WM = 64, WN = 32;
constexpr int kStages = 6, kBand = 8;
constexpr int kWarps = BM / WM * (BN / WN), kThreads = (kWarps + 4) * 32;  // the last four warps copy
constexpr int kTilesM = WM / 16, kTilesN = WN / 8;  // of an instruction, in a warp's tile

struct Stage {
  double a[BM * BK], b[BN * BK];
};
struct Stages {
  Stage stages[kStages];
  MbarrierRing<kStages> full, empty;
};

template <class C>
struct Product {
  typename C::Args g;
  TileOrder<kBand> order;
};

constexpr int kSixteenLines = 16 * BK;  // elements of 16 lines of a stage, whichever way they lie

/// Which line, of the 16 of an instruction's A, is `group` (lane / 4) of its upper or lower half.
template <bool kAlongK>
__device__ int line_of_a(int group, int half) {
  return kAlongK ? 8 * half + 2 * (group % 4) + group / 4 : 2 * (group / 2 + 4 * (group % 2)) + half;
}
/// Which line, of the 16 of two instructions' B, is column `group` of instruction `j`.
template <bool kAlongK>
__device__ int line_of_b(int group, int j) {
  return kAlongK ? 8 * j + 2 * (group % 4) + group / 4
                 : 4 * j + group % 2 + 8 * (group / 2 % 2) + group / 4 * 2;
}

/// Where a lane's elements of 16 lines lie: those of instruction or half `i` for its steps 4 · s + lane % 4 of k.
struct Places {
  int of[4][2];  // [s][i]

  template <bool kAlongK, class LineOf>
  __device__ static Places at(LineOf line_of) {
    Places places;
#pragma unroll
    for (int s = 0; s < 4; ++s) {
#pragma unroll
      for (int i = 0; i < 2; ++i) {
        const unsigned k = 4 * s + threadIdx.x % 4, line = line_of(threadIdx.x % 32 / 4, i);
        const unsigned row = kAlongK ? line : k, x = kAlongK ? k : line;
        places.of[s][i] = row * BK + (x / 2 ^ row % 8) * 2 + x % 2;
      }
    }
    return places;
  }
};

/// Warp-wide: sums += A · B; a, b: the warp's first lines of a stage.
__device__ void multiply_stage(double (&sums)[kTilesM][kTilesN][4], const double* a, const double* b,
                               const Places& places_a, const Places& places_b) {
  double frag_b[kTilesN][4];
#pragma unroll
  for (int j = 0; j < kTilesN; ++j) {
#pragma unroll
    for (int s = 0; s < 4; ++s) frag_b[j][s] = b[j / 2 * kSixteenLines + places_b.of[s][j % 2]];
  }
#pragma unroll
  for (int i = 0; i < kTilesM; ++i) {
    double frag_a[8];
#pragma unroll
    for (int s = 0; s < 8; ++s) frag_a[s] = a[i * kSixteenLines + places_a.of[s / 2][s % 2]];
#pragma unroll
    for (int j = 0; j < kTilesN; ++j) {
      double(&d)[4] = sums[i][j];
      asm volatile(
          "mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, "
          "{%4, %5, %6, %7, %8, %9, %10, %11}, {%12, %13, %14, %15}, {%0, %1, %2, %3};"
          : "+d"(d[0]), "+d"(d[1]), "+d"(d[2]), "+d"(d[3])
          : "d"(frag_a[0]), "d"(frag_a[1]), "d"(frag_a[2]), "d"(frag_a[3]), "d"(frag_a[4]), "d"(frag_a[5]),
            "d"(frag_a[6]), "d"(frag_a[7]), "d"(frag_b[j][0]), "d"(frag_b[j][1]), "d"(frag_b[j][2]),
            "d"(frag_b[j][3]));
    }
  }
}

/// Warp-wide: writes the results of a warp. kWhole: all lie in C, which is not read.
template <class C, bool kAlongA, bool kAlongB, bool kWhole>
__device__ void store(const typename C::Args& g, const double (&sums)[kTilesM][kTilesN][4], std::int64_t row0,
                      std::int64_t col0) {
  const int lane = threadIdx.x % 32;
#pragma unroll
  for (int i = 0; i < kTilesM; ++i) {
#pragma unroll
    for (int j = 0; j < kTilesN; ++j) {
#pragma unroll
      for (int e = 0; e < 4; ++e) {
        const std::int64_t row = row0 + 16 * i + line_of_a<kAlongA>(lane / 4, e / 2);
        const std::int64_t col = col0 + j / 2 * 16 + line_of_b<kAlongB>(lane % 4 * 2 + e % 2, j % 2);
        if (kWhole)
          g.c[row * g.ldc + col] = g.alpha * sums[i][j][e];
        else if (row < g.m && col < g.n)
          C::update(g.c[row * g.ldc + col], sums[i][j][e], g.alpha, g.beta);
      }
    }
  }
}

template <class C, bool kAlongA, bool kAlongB>
__global__ void __launch_bounds__(kThreads, 1)
    dmma_block(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b,
               const __grid_constant__ Product<C> product) {
  auto& shared = aligned_shared<Stages>();
  const auto& g = product.g;
  const int tiles = product.order.count(), steps = static_cast<int>(ceil_div(g.k, BK));
  if (threadIdx.x == 0) {
    shared.full.init(1);
    shared.empty.init(kWarps);
    fence_for_copies();
  }
  __syncthreads();
  start_early();
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  int row, col;  // of a tile
  unsigned round = 0;
  if (warp >= kWarps) {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 24;");
    if (threadIdx.x != kWarps * 32) return;
    for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
      product.order.locate(tile, row, col);
      for (int step = 0; step < steps; ++step, ++round) {
        Stage& stage = shared.stages[round % kStages];
        Mbarrier& full = shared.full[round];
        if (round >= kStages) shared.empty.wait(round - kStages);
        full.arrive_and_expect(sizeof(Stage));
        load_lines<kAlongA, BM>(stage.a, a, step * BK, row * BM, full);
        load_lines<kAlongB, BN>(stage.b, b, step * BK, col * BN, full);
      }
    }
  } else {
    asm volatile("setmaxnreg.inc.sync.aligned.u32 240;");
    const int y = warp / (BN / WN) * WM, x = warp % (BN / WN) * WN;
    const Places places_a = Places::at<kAlongA>(line_of_a<kAlongA>);
    const Places places_b = Places::at<kAlongB>(line_of_b<kAlongB>);
    for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
      double sums[kTilesM][kTilesN][4] = {};
      for (int step = 0; step < steps; ++step, ++round) {
        shared.full.wait(round);
        const Stage& stage = shared.stages[round % kStages];
        multiply_stage(sums, stage.a + y * BK, stage.b + x * BK, places_a, places_b);
        fence_for_copies();  // behind what was read
        __syncwarp();
        if (lane == 0) shared.empty[round].arrive();
      }
      product.order.locate(tile, row, col);
      const std::int64_t row0 = std::int64_t{row} * BM + y, col0 = std::int64_t{col} * BN + x;
      if (row0 + WM <= g.m && col0 + WN <= g.n && g.beta == 0)
        store<C, kAlongA, kAlongB, true>(g, sums, row0, col0);
      else
        store<C, kAlongA, kAlongB, false>(g, sums, row0, col0);
    }
  }
}

template <class C>
requires std::is_same_v<typename C::T, double>
void dmma(const typename C::Args& g, Context& ctx) {
  if (g.k == 0) return without_product<C>(g, ctx);
  const TensorOperand a = tensor_operand(ctx, g.a, g.m, g.k, BM);
  const TensorOperand b =
      tensor_operand(ctx, Strided<const double>{g.b.data, g.b.col, g.b.row}, g.n, g.k, BN);
  const Product<C> product{g, {static_cast<int>(ceil_div(g.m, BM)), static_cast<int>(ceil_div(g.n, BN))}};
  const auto blocks = std::min(product.order.tiles_m * product.order.tiles_n, ctx.multiprocessors());
  with_layouts(a, b, [&]<bool kAlongA, bool kAlongB>() {
    launch_early(ctx, blocks, kThreads, kAlignedBytes<Stages>, dmma_block<C, kAlongA, kAlongB>, a.map, b.map,
                 product);
  });
}

std::string refuses(const Gemm::Shape& s, CaseId id) {
  if (too_many_tiles(ceil_div(s.m, BM), ceil_div(s.n, BN))) return "has more tiles than 32 bits count";
  return beyond_the_copy_engine(s, id);
}

REGISTER(Gemm, dmma, .note = "tensor cores: products of doubles, 64 x 32 a warp, fed by bulk tensor copies",
         .refuses = refuses)

}  // namespace
}  // namespace tandem
