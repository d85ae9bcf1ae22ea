#pragma once
// What the steps share that multiply 16-bit elements by whole warpgroups (16 to 18): the products of a stage, and how results
// leave the registers.
//
// A block computes 128 × 256 results, of which each of two warpgroups holds 64 rows in its registers, and takes 64
// steps of k at a time.

#include "custom_kernels/gemm/detail/swizzled_lines.cuh"
#include "tandem/device/wgmma.cuh"

namespace tandem {

struct TensorTile {
  static constexpr int BM = 128, BN = 256, BK = kSwizzled<half>;
  static constexpr int WM = 64;  // rows of a warpgroup
  static constexpr int kWarpgroups = BM / WM;
};

template <class T>
struct TensorStage {
  T a[TensorTile::BM * TensorTile::BK];
  T b[TensorTile::BN * TensorTile::BK];
};

/// Warpgroup-wide: adds the products of a stage to the sums of the warpgroup's rows, or begins with them. Returns when
/// they are in the registers, and the stage has been read.
template <bool kAlongA, bool kAlongB, class T>
__device__ void multiply_stage(float (&sums)[128], const TensorStage<T>& stage, int warpgroup, bool add) {
  const T* a = stage.a + warpgroup * TensorTile::WM * TensorTile::BK;
  wgmma_hold(sums);
  wgmma_begin();
#pragma unroll
  for (int k = 0; k < TensorTile::BK; k += 16) {
    wgmma_64x256x16<T, kAlongA, kAlongB>(sums, wgmma_tile_128<kAlongA>(a, k),
                                         wgmma_tile_128<kAlongB>(stage.b, k), add || k > 0);
  }
  wgmma_commit();
  wgmma_wait<0>();
  wgmma_hold(sums);
}

// --- results

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

/// Whether store_boxes can write C: it does not read it, its lines begin at multiples of 16 bytes, and no box reaches into
/// what lies between lines. Where boxes did, it was overwritten (n = 4, 24 numbers from line to line; H100, H200). Why is
/// not known: a lone tensor_store left it as it was.
template <class C>
bool stored_in_boxes(const typename C::Args& g) {
  return g.beta == 0 && lines_aligned(g.c, g.ldc) && (g.ldc == g.n || g.n % TensorTile::BK == 0);
}
/// C for store_boxes, or for nobody.
template <class C>
CUtensorMap results_map(const Context& ctx, const typename C::Args& g) {
  if (!stored_in_boxes<C>(g)) return {};
  return tensor_map<typename C::T, 2>(ctx, g.c, {g.n, g.m}, {g.ldc}, {TensorTile::BK, TensorTile::BK},
                                      CU_TENSOR_MAP_SWIZZLE_128B);
}

/// Boxes of results on their way to memory.
template <class T>
struct TensorBoxes {
  static constexpr int kCount = 2;  // one is filled while the other is read
  T boxes[kCount][TensorTile::WM * TensorTile::BK];
};

/// Warpgroup-wide: writes α · sums by bulk stores, by way of shared memory, where each warp's rows are swizzled as the
/// copy engine expects it: pack p of a row r lies at p ^ (r % 8).
template <class C>
__device__ void store_boxes(const CUtensorMap& map, TensorBoxes<typename C::T>& staging,
                            const float (&sums)[128], float alpha, int row0, int col0) {
  using T = typename C::T;
  const int t = threadIdx.x % 128, lane = t % 32, barrier = 1 + threadIdx.x / 128;
  const int row = t / 32 * 16 + lane % 16;  // whose packs this lane gives the address of
  const auto wait_for_warpgroup = [&] { asm volatile("bar.sync %0, 128;" ::"r"(barrier) : "memory"); };
  const auto pair = [&](int i) {
    return std::uint32_t{T(alpha * sums[i]).bits} | std::uint32_t{T(alpha * sums[i + 1]).bits} << 16;
  };
#pragma unroll
  for (int box = 0; box < TensorTile::BN / TensorTile::BK; ++box) {
    T* const to = staging.boxes[box % staging.kCount];
    if (t == 0) wait_for_bulk_reads<staging.kCount - 1>();
    wait_for_warpgroup();
#pragma unroll
    for (int p = 0; p < 8; p += 2) {
      const int i = box * 32 + p * 4;  // the lane's sums of packs p and p + 1
      asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(
                       shared_address(to) + row * 128 + ((p + lane / 16) ^ row % 8) * 16),
                   "r"(pair(i)), "r"(pair(i + 2)), "r"(pair(i + 4)), "r"(pair(i + 6))
                   : "memory");
    }
    fence_for_copies();
    wait_for_warpgroup();
    if (t == 0) {
      tensor_store(map, to, col0 + box * TensorTile::BK, row0);
      commit_bulk_stores();
    }
  }
}

/// For .depth, of sums that tensor cores cut off.
inline double depth_of_cut_sums(std::int64_t k) { return static_cast<double>(k) + 16; }

}  // namespace tandem
