// Idea:    two blocks of a cluster compute tiles below each other, which need the same columns of B: each block loads
//          one half of them, for both (multicast).
// New:     against specialised, a third less comes from the L2 cache: power that the tensor cores can use.
// Expect:  where power is the limit, a few percent; where a product has one wave of tiles, the clusters' barriers cost
//          more than they save.
// Limits:  as specialised's. A GPU with an odd number of multiprocessors in a group leaves one idle.
// Source:  NVIDIA, PTX ISA, "cp.async.bulk.tensor", .multicast::cluster; CUTLASS 3.

#include "custom_kernels/gemm/detail/no_product.cuh"
#include "custom_kernels/gemm/detail/tensor_tiles.cuh"
#include "custom_kernels/gemm/detail/tile_order.cuh"
#include "tandem/device/cluster.cuh"
#include "tandem/device/tensor_copies.cuh"

namespace tandem {
namespace {

constexpr int BM = TensorTile::BM, BN = TensorTile::BN, BK = TensorTile::BK;
constexpr int kStages = 4, kWarpgroups = TensorTile::kWarpgroups;
constexpr int kThreads = (kWarpgroups + 1) * 128;   // the last warpgroup copies
constexpr int kCluster = 2, kTile = BM * kCluster;  // rows of a cluster
constexpr int kHalf = BN / kCluster;                // columns of B that a block loads
constexpr int kBand = 8;                            // rows of clusters that share the L2 cache

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
  TileOrder<kBand> order;  // of clusters
};

template <class C, bool kAlongA, bool kAlongB>
__global__ void __launch_bounds__(kThreads, 1)
    multicast_block(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b,
                    const __grid_constant__ CUtensorMap c, const __grid_constant__ Product<C> product) {
  using T = typename C::T;
  auto& shared = aligned_shared<Stages<T>>();
  const int tiles = product.order.count(), steps = static_cast<int>(ceil_div(product.g.k, BK));
  if (threadIdx.x == 0) {
    shared.full.init(1);
    shared.empty.init(kCluster * kWarpgroups);
    fence_for_copies();
  }
  cluster_arrive();
  cluster_wait();
  start_early();
  const int warpgroup = threadIdx.x / 128;
  int row, col;  // of a tile
  unsigned round = 0;
  if (warpgroup == kWarpgroups) {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 24;");
    constexpr unsigned short kBoth = 3;
    const int half = rank_in_cluster();  // which half of the columns, and of the rows
    for (int tile = blockIdx.x / kCluster; threadIdx.x % 128 == 0 && tile < tiles;
         tile += gridDim.x / kCluster) {
      product.order.locate(tile, row, col);
      for (int step = 0; step < steps; ++step, ++round) {
        auto& stage = shared.stages[round % kStages];
        Mbarrier& full = shared.full[round];
        if (round >= kStages) shared.empty.wait(round - kStages);  // in both blocks
        full.arrive_and_expect(sizeof(TensorStage<T>));
        load_lines<kAlongA, BM>(stage.a, a, step * BK, row * kTile + half * BM, full);
        load_lines<kAlongB, kHalf>(stage.b + half * kHalf * BK, b, step * BK, col * BN + half * kHalf, full,
                                   kBoth);
      }
    }
  } else {
    asm volatile("setmaxnreg.inc.sync.aligned.u32 240;");
    for (int tile = blockIdx.x / kCluster; tile < tiles; tile += gridDim.x / kCluster) {
      float sums[128];
      for (int step = 0; step < steps; ++step, ++round) {
        shared.full.wait(round);
        multiply_stage<kAlongA, kAlongB>(sums, shared.stages[round % kStages], warpgroup, step > 0);
        if (threadIdx.x % 128 < kCluster) arrive_in_block(threadIdx.x % 128, shared.empty[round]);
      }
      product.order.locate(tile, row, col);
      const int row0 = row * kTile + rank_in_cluster() * BM + warpgroup * TensorTile::WM, col0 = col * BN;
      if (product.in_boxes)
        store_boxes<C>(c, shared.results[warpgroup], sums, product.g.alpha, row0, col0);
      else
        store_lines<C>(product.g, shared.results[warpgroup], sums, row0, col0);
    }
    if (threadIdx.x % 128 == 0) wait_for_bulk_stores();
  }
  cluster_arrive();  // the other block may still write here
  cluster_wait();
}

template <class C>
requires(!Gemm::wide<C>) void multicast(const typename C::Args& g, Context& ctx) {
  using T = typename C::T;
  if (g.k == 0) return without_product<C>(g, ctx);
  const TensorOperand a = tensor_operand(ctx, g.a, g.m, g.k, BM);
  const TensorOperand b = tensor_operand(ctx, Strided<const T>{g.b.data, g.b.col, g.b.row}, g.n, g.k, kHalf);
  const Product<C> product{g,
                           stored_in_boxes<C>(g),
                           {static_cast<int>(ceil_div(g.m, kTile)), static_cast<int>(ceil_div(g.n, BN))}};
  const auto clusters =
      std::min(product.order.tiles_m * product.order.tiles_n, std::max(1, ctx.multiprocessors() / kCluster));
  with_layouts(a, b, [&]<bool kAlongA, bool kAlongB>() {
    launch_clusters(ctx, clusters, kCluster, kThreads, kAlignedBytes<Stages<T>>,
                    multicast_block<C, kAlongA, kAlongB>, a.map, b.map, results_map<C>(ctx, g), product);
  });
}

std::string refuses(const Gemm::Shape& s, CaseId id) {
  if (too_many_tiles(ceil_div(s.m, kTile), ceil_div(s.n, BN))) return "has more tiles than 32 bits count";
  return beyond_the_copy_engine(s, id);
}

REGISTER(Gemm, multicast,
         .note = "tensor cores: specialised, with two blocks that load columns of B for both",
         .depth = depth_of_cut_sums, .refuses = refuses)

}  // namespace
}  // namespace tandem
