// Idea:    one warp does nothing but start bulk tensor copies into a ring of stages; eight warps do nothing
//          but multiply, 16 × 8 results per thread. Blocks are persistent: while one tile of C is written,
//          the inputs of the next one arrive.
// New:     against warp_tile, the copies cost the multiplying warps no instruction and no register, and
//          bounds are the copy engine's affair (it fills in zeros). 6 loads from shared memory serve 128
//          multiply-adds.
// Expect:  95 % of all instructions are multiply-adds; what is lost is the last, partly filled wave of tiles.
// Limits:  floats on Hopper. The copy engine wants rows and columns k-major, aligned lines: other operands
//          are rearranged first, one pass over them. Small products leave multiprocessors without a tile.
// Source:  NVIDIA, PTX ISA, "cp.async.bulk.tensor" and "mbarrier"; CUTLASS 3, warp-specialised persistent
//          kernels.

#include <cuda.h>

#include <climits>

#include "lib/ops/gemm/contract.h"
#include "tandem/device/launch.cuh"
#include "tandem/device/vector_access.cuh"

namespace tandem {
namespace {

constexpr int kBlockM = 128, kBlockN = 256;  // of a tile of C
constexpr int kDepth = 32;                   // steps of k in a stage
constexpr int kStages = 4;
constexpr int kLanesM = 4, kLanesN = 8;  // threads of a warp along the sides of its tile
constexpr int kWarpsN = 4, kWarps = 8;   // multiplying warps, 2 × 4
constexpr int kRows = 16, kCols = 8;     // results of a thread
// Registers move between groups of four warps, so the copying warp has three idle companions.
constexpr int kThreads = (kWarps + 4) * 32;
constexpr int kBand = 16;  // rows of tiles that are walked down together, for the L2 cache

using Pack4 = Pack<float>;
struct Stage {
  Pack4 a[kDepth * kBlockM / 4], b[kDepth * kBlockN / 4];
};
struct Stages {
  Stage stages[kStages];
  std::uint64_t full[kStages], empty[kStages];  // mbarriers
};
constexpr std::size_t kSharedBytes = sizeof(Stages) + 128;  // copies need an alignment of 128 bytes

// --- mbarriers and the copy engine

__device__ unsigned address(const void* shared) {
  return static_cast<unsigned>(__cvta_generic_to_shared(shared));
}
__device__ void init(std::uint64_t* barrier, int arrivals) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(address(barrier)), "r"(arrivals) : "memory");
}
__device__ void arrive(std::uint64_t* barrier) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(address(barrier)) : "memory");
}
__device__ void arrive_and_expect(std::uint64_t* barrier, unsigned bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(address(barrier)), "r"(bytes)
               : "memory");
}
/// Until the phase of this parity has ended.
__device__ void wait(std::uint64_t* barrier, unsigned parity) {
  asm volatile(
      "{\n\t.reg .pred done;\n\t"
      "again: mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n\t"
      "@!done bra again;\n\t}" ::"r"(address(barrier)),
      "r"(parity)
      : "memory");
}
/// Brings in the box at (line, step) of the matrix that `map` describes.
__device__ void copy_box(Pack4* to, const CUtensorMap* map, int line, int step, std::uint64_t* barrier) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], "
      "[%4];" ::"r"(address(to)),
      "l"(map), "r"(line), "r"(step), "r"(address(barrier))
      : "memory");
}

// --- the product of k-major operands

struct Product {
  std::int64_t m, n, k;
  float alpha, beta;
  float* c;
  std::int64_t ldc;
  bool aligned_c;
  int tiles_m, tiles_n;

  /// Tiles are numbered down the columns of a band.
  __device__ void locate(int tile, int& row0, int& col0) const {
    const int band = tile / (kBand * tiles_n), in_band = tile % (kBand * tiles_n);
    const int height = min(kBand, tiles_m - band * kBand);
    row0 = (band * kBand + in_band % height) * kBlockM;
    col0 = in_band / height * kBlockN;
  }
};

/// The inputs of one step of k.
struct Fragment {
  Pack4 left[kRows / 4], right[kCols / 4];
  __device__ void load(const Stage& stage, int p, int y, int x) {
#pragma unroll
    for (int i = 0; i < kRows / 4; ++i) left[i] = stage.a[p * (kBlockM / 4) + y + i * kLanesM];
#pragma unroll
    for (int j = 0; j < kCols / 4; ++j) right[j] = stage.b[p * (kBlockN / 4) + x + j * kLanesN];
  }
  __device__ void multiply(float (&sum)[kRows][kCols]) const {
#pragma unroll
    for (int i = 0; i < kRows; ++i) {
#pragma unroll
      for (int s = 0; s < kCols; ++s) {
        const int j = i % 2 ? kCols - 1 - s : s;  // to and fro: neighbouring instructions share an operand
        sum[i][j] += left[i / 4].values[i % 4] * right[j / 4].values[j % 4];
      }
    }
  }
};

__device__ void produce(Stages& shared, const CUtensorMap* a, const CUtensorMap* b, const Product& g,
                        int tiles, int steps) {
  unsigned round = 0;
  for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    int row0, col0;
    g.locate(tile, row0, col0);
    for (int step = 0; step < steps; ++step, ++round) {
      const int s = round % kStages;
      wait(&shared.empty[s], round / kStages % 2 ^ 1);
      arrive_and_expect(&shared.full[s], sizeof(Stage));
      copy_box(shared.stages[s].a, a, row0, step * kDepth, &shared.full[s]);
      copy_box(shared.stages[s].b, b, col0, step * kDepth, &shared.full[s]);
    }
  }
}

__device__ void consume(Stages& shared, const Product& g, int tiles, int steps) {
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int y =
      warp / kWarpsN * (kRows * kLanesM / 4) + lane / kLanesN;  // in packs from the start of the tile
  const int x = warp % kWarpsN * (kCols * kLanesN / 4) + lane % kLanesN;
  unsigned round = 0;
  Fragment now, next;
  for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    float sum[kRows][kCols] = {};
    for (int step = 0; step < steps; ++step, ++round) {
      const int s = round % kStages;
      const Stage& stage = shared.stages[s];
      wait(&shared.full[s], round / kStages % 2);
      now.load(stage, 0, y, x);
#pragma unroll 4
      for (int p = 0; p < kDepth; p += 2) {
        next.load(stage, p + 1, y, x);
        now.multiply(sum);
        now.load(stage, (p + 2) % kDepth, y, x);  // the last one is not used
        next.multiply(sum);
      }
      __syncwarp();
      if (lane == 0) arrive(&shared.empty[s]);
    }
    int row0, col0;
    g.locate(tile, row0, col0);
#pragma unroll
    for (int i = 0; i < kRows; ++i) {
      const int row = row0 + (i / 4 * kLanesM + y) * 4 + i % 4;
      if (row >= g.m) continue;
#pragma unroll
      for (int j = 0; j < kCols; j += 4) {
        const int col = col0 + (j / 4 * kLanesN + x) * 4;
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
  const int tiles = g.tiles_m * g.tiles_n, steps = static_cast<int>((g.k + kDepth - 1) / kDepth);
  if (threadIdx.x == 0) {
    for (int s = 0; s < kStages; ++s) {
      init(&shared.full[s], 1);
      init(&shared.empty[s], kWarps);
    }
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
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

// --- operands as the copy engine wants them, and products of nothing

constexpr int kSide = 32, kPackThreads = 256;

/// to[p · pitch + line] = x(line, p), through a tile so that both sides are coalesced.
__global__ void make_k_major(Strided<const float> x, std::int64_t lines, std::int64_t k, float* to,
                             std::int64_t pitch, std::int64_t tiles_per_line) {
  __shared__ Shared<float, kSide*(kSide + 1)> tile;
  const std::int64_t line0 = blockIdx.x / tiles_per_line * kSide, p0 = blockIdx.x % tiles_per_line * kSide;
  const int fast = threadIdx.x % kSide;
  for (int slow = threadIdx.x / kSide; slow < kSide; slow += kPackThreads / kSide) {
    const int line = x.col == 1 ? slow : fast, p = x.col == 1 ? fast : slow;
    if (line0 + line < lines && p0 + p < k) tile[p * (kSide + 1) + line] = x(line0 + line, p0 + p);
  }
  __syncthreads();
  for (int p = threadIdx.x / kSide; p < kSide; p += kPackThreads / kSide) {
    if (line0 + fast < lines && p0 + p < k)
      to[(p0 + p) * pitch + line0 + fast] = tile[p * (kSide + 1) + fast];
  }
}

__global__ void scale(Gemm::Case<float>::Args g) {
  const std::int64_t id = std::int64_t(blockIdx.x) * kPackThreads + threadIdx.x;
  if (id < g.m * g.n) Gemm::Case<float>::update(g.c[id / g.n * g.ldc + id % g.n], 0, g.alpha, g.beta);
}

/// Describes x, lines × k, to the copy engine, rearranged in scratch memory where it must be.
CUtensorMap k_major(Context& ctx, Strided<const float> x, std::int64_t lines, std::int64_t k, int box) {
  if (x.row != 1 || !lines_aligned(x.data, x.col)) {
    const std::int64_t pitch = ceil_div(lines, 4) * 4, tiles_per_line = ceil_div(k, kSide);
    float* to = ctx.scratch<float>(k * pitch);
    launch(ctx, ceil_div(lines, kSide) * tiles_per_line, kPackThreads, 0, make_k_major, x, lines, k, to,
           pitch, tiles_per_line);
    x = {to, 1, pitch};
  }
  static const auto encode = [&] {  // from the driver, which is not linked against
    void* function = nullptr;
    cudaDriverEntryPointQueryResult found;
    detail::check(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, 12000,
                                                   cudaEnableDefault, &found),
                  ctx, "cudaGetDriverEntryPointByVersion");
    return reinterpret_cast<decltype(&cuTensorMapEncodeTiled)>(function);
  }();
  CUtensorMap map;
  const cuuint64_t extents[] = {static_cast<cuuint64_t>(lines), static_cast<cuuint64_t>(k)};
  const cuuint64_t pitch_bytes[] = {static_cast<cuuint64_t>(x.col) * sizeof(float)};
  const cuuint32_t boxes[] = {static_cast<cuuint32_t>(box), kDepth}, strides[] = {1, 1};
  const CUresult code =
      encode(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, const_cast<float*>(x.data), extents, pitch_bytes,
             boxes, strides, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
             CU_TENSOR_MAP_L2_PROMOTION_L2_256B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  if (code != CUDA_SUCCESS)
    throw DeviceError(std::string(ctx.last().implementation) + ": cuTensorMapEncodeTiled", code, "refused");
  return map;
}

template <class C>
void bulk(const typename C::Args& g, Context& ctx) {
  if constexpr (std::is_same_v<typename C::T, float>) {
    if (g.k == 0) {
      launch(ctx, ceil_div(g.m * g.n, kPackThreads), kPackThreads, 0, scale, g);
      return;
    }
    const CUtensorMap a = k_major(ctx, g.a, g.m, g.k, kBlockM);
    const CUtensorMap b = k_major(ctx, {g.b.data, g.b.col, g.b.row}, g.n, g.k, kBlockN);
    const Product product{g.m,
                          g.n,
                          g.k,
                          g.alpha,
                          g.beta,
                          g.c,
                          g.ldc,
                          lines_aligned(g.c, g.ldc),
                          static_cast<int>(ceil_div(g.m, kBlockM)),
                          static_cast<int>(ceil_div(g.n, kBlockN))};
    const auto blocks = std::min(product.tiles_m * product.tiles_n, ctx.multiprocessors());
    launch(ctx, blocks, kThreads, kSharedBytes, bulk_blocks, a, b, product);
  }
}

std::string refuses(const Gemm::Shape& s, CaseId id) {
  if (id.type != Type::f32) return "takes floats only";
  return std::max({s.m, s.n, s.k}) > INT_MAX - kBlockN ? "the copy engine counts in 32 bits" : "";
}

/// Aligned rows of C, and tiles that leave few multiprocessors without work in the last wave.
bool suits(const Gemm::Shape& s) {
  constexpr std::int64_t kMultiprocessors = 132;
  const std::int64_t tiles = ceil_div(s.m, kBlockM) * ceil_div(s.n, kBlockN);
  const bool full_waves = 10 * tiles >= 9 * ceil_div(tiles, kMultiprocessors) * kMultiprocessors;
  return full_waves && (s.n + s.c_gap) % 4 == 0;
}

REGISTER(Gemm, bulk,
         .note = "a warp of bulk tensor copies feeds eight that multiply, 16 x 8 results per thread",
         .refuses = refuses, .suits = suits)

}  // namespace
}  // namespace tandem
