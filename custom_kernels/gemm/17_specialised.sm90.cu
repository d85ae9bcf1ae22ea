// Idea:    warp specialisation on tensor cores: one thread keeps a ring of four stages filled, two warpgroups multiply
//          what has come. Blocks are persistent, and results leave by way of shared memory and the copy engine.
// New:     against wgmma, nobody waits for all others: each warpgroup goes on as soon as its stage is there, and the
//          next tile's operands come while the results of this one are written, in whole lines of 128 bytes.
// Expect:  tensor cores that wait only where a tile ends; from a few thousand rows on, the limit is power.
// Limits:  elements of 16 bits on Hopper. Tiles of 128 × 256 leave multiprocessors idle where C is small; lines that
//          are not aligned to 16 bytes are copied first. A C that is read, is not aligned, or has gaps that a box would
//          reach is written by threads.
// Source:  NVIDIA, CUTLASS 3, warp-specialised persistent kernels.

#include "custom_kernels/gemm/detail/no_product.cuh"
#include "custom_kernels/gemm/detail/tensor_tiles.cuh"
#include "custom_kernels/gemm/detail/tile_order.cuh"
#include "tandem/device/tensor_copies.cuh"

namespace tandem {
namespace {

constexpr int BM = TensorTile::BM, BN = TensorTile::BN, BK = TensorTile::BK;
constexpr int kStages = 4, kWarpgroups = TensorTile::kWarpgroups;
constexpr int kThreads = (kWarpgroups + 1) * 128;  // the last warpgroup copies
constexpr int kBand = 16;                          // rows of tiles that share the L2 cache

template <class T>
struct Stages {
  TensorStage<T> stages[kStages];
  TensorBoxes<T> results[kWarpgroups];
  MbarrierRing<kStages> full, empty;
};

template <class C>
struct Product {
  typename C::Args g;
  bool in_boxes;
  TileOrder<kBand> order;
};

template <class C, bool kAlongA, bool kAlongB>
__global__ void __launch_bounds__(kThreads, 1)
    specialised_block(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b,
                      const __grid_constant__ CUtensorMap c, const __grid_constant__ Product<C> product) {
  using T = typename C::T;
  auto& shared = aligned_shared<Stages<T>>();
  const int tiles = product.order.count(), steps = static_cast<int>(ceil_div(product.g.k, BK));
  if (threadIdx.x == 0) {
    shared.full.init(1);
    shared.empty.init(kWarpgroups);
    fence_for_copies();
  }
  __syncthreads();
  start_early();
  const int warpgroup = threadIdx.x / 128;
  int row, col;  // of a tile
  unsigned round = 0;
  if (warpgroup == kWarpgroups) {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 24;");
    if (threadIdx.x % 128 != 0) return;
    for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
      product.order.locate(tile, row, col);
      for (int step = 0; step < steps; ++step, ++round) {
        auto& stage = shared.stages[round % kStages];
        Mbarrier& full = shared.full[round];
        if (round >= kStages) shared.empty.wait(round - kStages);
        full.arrive_and_expect(sizeof(TensorStage<T>));
        load_lines<kAlongA, BM>(stage.a, a, step * BK, row * BM, full);
        load_lines<kAlongB, BN>(stage.b, b, step * BK, col * BN, full);
      }
    }
  } else {
    asm volatile("setmaxnreg.inc.sync.aligned.u32 240;");
    for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
      float sums[128];
      for (int step = 0; step < steps; ++step, ++round) {
        shared.full.wait(round);
        multiply_stage<kAlongA, kAlongB>(sums, shared.stages[round % kStages], warpgroup, step > 0);
        if (threadIdx.x % 128 == 0) shared.empty[round].arrive();
      }
      product.order.locate(tile, row, col);
      const int row0 = row * BM + warpgroup * TensorTile::WM, col0 = col * BN;
      if (product.in_boxes)
        store_boxes<C>(c, shared.results[warpgroup], sums, product.g.alpha, row0, col0);
      else
        store_lines<C>(product.g, shared.results[warpgroup], sums, row0, col0);
    }
    if (threadIdx.x % 128 == 0) wait_for_bulk_stores();
  }
}

template <class C>
requires(!Gemm::wide<C>) void specialised(const typename C::Args& g, Context& ctx) {
  using T = typename C::T;
  if (g.k == 0) return without_product<C>(g, ctx);
  const TensorOperand a = tensor_operand(ctx, g.a, g.m, g.k, BM);
  const TensorOperand b = tensor_operand(ctx, Strided<const T>{g.b.data, g.b.col, g.b.row}, g.n, g.k, BN);
  const Product<C> product{
      g, stored_in_boxes<C>(g), {static_cast<int>(ceil_div(g.m, BM)), static_cast<int>(ceil_div(g.n, BN))}};
  const auto blocks = std::min(product.order.tiles_m * product.order.tiles_n, ctx.multiprocessors());
  with_layouts(a, b, [&]<bool kAlongA, bool kAlongB>() {
    launch_early(ctx, blocks, kThreads, kAlignedBytes<Stages<T>>, specialised_block<C, kAlongA, kAlongB>,
                 a.map, b.map, results_map<C>(ctx, g), product);
  });
}

std::string refuses(const Gemm::Shape& s, CaseId id) {
  if (too_many_tiles(ceil_div(s.m, BM), ceil_div(s.n, BN))) return "has more tiles than 32 bits count";
  return beyond_the_copy_engine(s, id);
}

REGISTER(Gemm, specialised,
         .note = "tensor cores: a thread fills a ring of four stages for two warpgroups that multiply",
         .depth = depth_of_cut_sums, .refuses = refuses)

}  // namespace
}  // namespace tandem
