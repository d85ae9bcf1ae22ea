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

/// Warpgroup-wide: writes α · sums + β · C in whole packs, wherever the lines of C begin. Each warp's 16 rows go through
/// shared memory, 32 columns at a time; there a line begins as far behind a pack's beginning as it does in memory. Its last
/// numbers, which fill no pack, wait for those of the next columns.
template <class C>
__device__ void store_lines(const typename C::Args& g, TensorBoxes<typename C::T>& staging,
                            const float (&sums)[128], int row0, int col0) {
  using T = typename C::T;
  using Pack = PackInRegisters<T>;
  constexpr int kColumns = 32;
  constexpr int kPitch = kColumns + Pack::kSize + 4;  // 4: the packs of two rows lie in different banks
  static_assert(4 * 16 * kPitch * sizeof(float) <= sizeof staging);
  const int warp = threadIdx.x % 128 / 32, lane = threadIdx.x % 32, four = lane % 4;
  const int cols = int(min(std::int64_t{TensorTile::BN}, g.n - col0));
  struct Line {
    T* to;  // its first column in memory
    float* staged;
    int past;  // elements from the beginning of the pack in which it begins
    bool inside;
  };
  Line lines[2];  // of which the lane holds results, and writes packs
#pragma unroll
  for (int i = 0; i < 2; ++i) {
    const int in_warp = lane / 4 + i * 8, row = row0 + warp * 16 + in_warp;
    T* const to = g.c + row * g.ldc + col0;
    lines[i] = {to, reinterpret_cast<float*>(staging.boxes) + (warp * 16 + in_warp) * kPitch,
                int(reinterpret_cast<std::uintptr_t>(to) % 16 / sizeof(T)), row < g.m};
  }
  // Pack p of what is staged of a line, of which column `staged` is the first.
  const auto write = [&](const Line& line, int staged, int p) {
    const int first = staged - line.past + p * Pack::kSize;
    if (!line.inside) return;
    float sum[Pack::kSize];
    const float4* const from = reinterpret_cast<const float4*>(line.staged + p * Pack::kSize);
#pragma unroll
    for (int e = 0; e < Pack::kSize; e += 4) {
      const float4 f = from[e / 4];
      sum[e] = f.x, sum[e + 1] = f.y, sum[e + 2] = f.z, sum[e + 3] = f.w;
    }
    if (first >= 0 && first + Pack::kSize <= cols) {
      Pack* const to = reinterpret_cast<Pack*>(line.to + first);
      Pack pack = g.beta == 0 ? Pack{} : *to;
#pragma unroll
      for (int e = 0; e < Pack::kSize; ++e) {
        T c = pack.get(e);
        C::update(c, sum[e], g.alpha, g.beta);
        pack.set(e, c);
      }
      *to = pack;
    } else {
#pragma unroll
      for (int e = 0; e < Pack::kSize; ++e) {
        if (first + e >= 0 && first + e < cols) C::update(line.to[first + e], sum[e], g.alpha, g.beta);
      }
    }
  };
#pragma unroll
  for (int staged = 0; staged < TensorTile::BN; staged += kColumns) {
#pragma unroll
    for (int i = 0; i < 2; ++i) {
#pragma unroll
      for (int k = 0; k < kColumns / 8; ++k) {
        float* const to = lines[i].staged + lines[i].past + k * 8 + four * 2;
        const int sum = staged / 2 + k * 4 + i * 2;
        to[0] = sums[sum], to[1] = sums[sum + 1];
      }
    }
    __syncwarp();
    float rest[2][2];
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      write(lines[i], staged, four);
      if (staged + kColumns < TensorTile::BN) {
#pragma unroll
        for (int e = 0; e < 2; ++e) rest[i][e] = lines[i].staged[kColumns + four * 2 + e];
      } else if (four == 0 && lines[i].past > 0) {
        write(lines[i], staged, kColumns / Pack::kSize);
      }
    }
    __syncwarp();
#pragma unroll
    for (int i = 0; i < 2 && staged + kColumns < TensorTile::BN; ++i) {
#pragma unroll
      for (int e = 0; e < 2; ++e) {
        if (four * 2 + e < lines[i].past) lines[i].staged[four * 2 + e] = rest[i][e];
      }
    }
  }
}

/// For .depth, of sums that tensor cores cut off.
inline double depth_of_cut_sums(std::int64_t k) { return static_cast<double>(k) + 16; }

}  // namespace tandem
