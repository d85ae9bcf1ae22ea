// Idea:    tensor cores multiply whole tiles: one instruction of a warpgroup (WGMMA, 128 threads) multiplies 64 × 16
//          by 16 × 256 elements of 16 bits that lie in shared memory, and keeps the sums in registers. The copy
//          engine (TMA) brings the tiles, in the order in which WGMMA reads them.
// New:     against mma, no thread loads or stores an operand: neither registers nor instructions go into it. The
//          operands may lie either way.
// Expect:  the rate of the tensor cores, less what is waited for: two stages cover one copy, and all of the block waits
//          for it together.
// Limits:  elements of 16 bits on Hopper. The last tile of a block's k and its results are waited for with idle
//          tensor cores.
// Source:  NVIDIA, PTX ISA, "Asynchronous Warpgroup Level Matrix Multiply-Accumulate" and "cp.async.bulk.tensor".

#include "custom_kernels/gemm/detail/no_product.cuh"
#include "custom_kernels/gemm/detail/tensor_tiles.cuh"
#include "tandem/device/tensor_copies.cuh"

namespace tandem {
namespace {

constexpr int BM = TensorTile::BM, BN = TensorTile::BN, BK = TensorTile::BK;
constexpr int kStages = 2, kThreads = TensorTile::kWarpgroups * 128;

template <class T>
struct Stages {
  TensorStage<T> stages[kStages];
  MbarrierRing<kStages> full;
};

/// Called by a thread of a warpgroup: writes its results, one by one. row0, col0: of the warpgroup's first result.
template <class C>
__device__ void store_results(const typename C::Args& g, const float (&sums)[128], int row0, int col0) {
  const int t = threadIdx.x % 128, row = row0 + t / 32 * 16 + t % 32 / 4, col = col0 + t % 4 * 2;
#pragma unroll
  for (int i = 0; i < 128; ++i) {
    const std::int64_t r = row + i / 2 % 2 * 8, c = col + i / 4 * 8 + i % 2;
    if (r < g.m && c < g.n) C::update(g.c[r * g.ldc + c], sums[i], g.alpha, g.beta);
  }
}

template <class C, bool kAlongA, bool kAlongB>
__global__ void __launch_bounds__(kThreads, 1)
    wgmma_block(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b,
                typename C::Args g, int tiles_n) {
  using T = typename C::T;
  auto& shared = aligned_shared<Stages<T>>();
  const int row0 = blockIdx.x / tiles_n * BM, col0 = blockIdx.x % tiles_n * BN;
  const int steps = static_cast<int>(ceil_div(g.k, BK)), warpgroup = threadIdx.x / 128;
  const auto load = [&](int step) {  // by one thread
    auto& stage = shared.stages[step % kStages];
    Mbarrier& full = shared.full[step];
    full.arrive_and_expect(sizeof(TensorStage<T>));
    load_lines<kAlongA, BM>(stage.a, a, step * BK, row0, full);
    load_lines<kAlongB, BN>(stage.b, b, step * BK, col0, full);
  };
  if (threadIdx.x == 0) {
    shared.full.init(1);
    fence_for_copies();
    for (int step = 0; step < min(kStages, steps); ++step) load(step);
  }
  __syncthreads();
  float sums[128];
  for (int step = 0; step < steps; ++step) {
    shared.full.wait(step);
    multiply_stage<kAlongA, kAlongB>(sums, shared.stages[step % kStages], warpgroup, step > 0);
    __syncthreads();  // the stage has been read
    if (threadIdx.x == 0 && step + kStages < steps) load(step + kStages);
  }
  store_results<C>(g, sums, row0 + warpgroup * TensorTile::WM, col0);
}

template <class C>
requires(!Gemm::wide<C>) void wgmma(const typename C::Args& g, Context& ctx) {
  using T = typename C::T;
  if (g.k == 0) return without_product<C>(g, ctx);
  const TensorOperand a = tensor_operand(ctx, g.a, g.m, g.k, BM);
  const TensorOperand b = tensor_operand(ctx, Strided<const T>{g.b.data, g.b.col, g.b.row}, g.n, g.k, BN);
  const std::int64_t tiles_n = ceil_div(g.n, BN);
  with_layouts(a, b, [&]<bool kAlongA, bool kAlongB>() {
    launch(ctx, ceil_div(g.m, BM) * tiles_n, kThreads, kAlignedBytes<Stages<T>>,
           wgmma_block<C, kAlongA, kAlongB>, a.map, b.map, g, static_cast<int>(tiles_n));
  });
}

REGISTER(Gemm, wgmma, .note = "tensor cores: warpgroups multiply tiles of 16-bit elements, 128 x 256 a block",
         .depth = depth_of_cut_sums, .refuses = beyond_the_copy_engine)

}  // namespace
}  // namespace tandem
