#pragma once
// Floats as sums of three bf16, for steps on tensor cores (15): A and B are split tile by tile into scratch
// memory, K-major whatever their layout.
//
// Between kSmallest and kLargest a float is exactly the sum of its parts, and sums of products of such floats are
// finite. Where a band of lines (rows of A, columns of B) holds other numbers, its lines are scaled by powers of
// two, which the product takes back. An infinity or NaN is its own largest part.

#include <cuda_bf16.h>

#include "lib/ops/gemm/contract.h"
#include "tandem/device/vector_access.cuh"

namespace tandem {

using Part = __nv_bfloat16;
constexpr int kParts = 3;
constexpr int kBand = 64, kSplitThreads = 256;
constexpr float kSmallest = 0x1p-100f, kLargest = 0x1p47f;
constexpr int kLargestExponent = 46;

/// What is split, and its parts.
struct Operand {
  Strided<const float> x;  // (lines, k)
  std::int64_t lines, k, pitch, tiles_per_band;
  bool aligned;
  Part* parts;     // (kParts, lines, pitch)
  unsigned* odd;   // (bands), of state: whether a band holds other numbers; 0 between calls
  bool* careful;   // (bands): the same, for the product
  int* exponents;  // (lines): parts are those of x · 2^-exponent
};
/// A and B.
struct Operands {
  Operand of[2];
  std::int64_t first;  // blocks for A; those beyond work on B
  __device__ const Operand& mine(std::int64_t& block) const {
    block = blockIdx.x < first ? blockIdx.x : blockIdx.x - first;
    return of[blockIdx.x >= first];
  }
};

/// The next part of x, which keeps the rest.
__device__ inline Part take_part(float& x) {
  const Part part = __float2bfloat16_rn(x);
  x = isfinite(x) ? x - __bfloat162float(part) : 0;
  return part;
}

/// Block-wide: splits a tile of a band and 64 steps of k.
static __global__ void __launch_bounds__(kSplitThreads)
    split_tiles(const __grid_constant__ Operands operands) {
  constexpr int kPack = 8, kPacks = kBand * kBand / kPack / kSplitThreads;  // parts in 16 bytes; for a thread
  constexpr int kFour = 4;                                                  // floats in 16 bytes
  __shared__ float tile[kBand][kBand + 1];                                  // (lines, k)
  start_early();
  std::int64_t id;
  const Operand& o = operands.mine(id);
  const std::int64_t band = id / o.tiles_per_band, line0 = band * kBand, p0 = id % o.tiles_per_band * kBand;
  const bool k_major = o.x.col == 1;
  if (!k_major) {  // transposed on its way
#pragma unroll
    for (int i = 0; i < kBand * kBand / kFour; i += kSplitThreads) {
      const int at = i + threadIdx.x, line = at % (kBand / kFour) * kFour, p = at / (kBand / kFour);
      const auto four =
          load_pack(o.x.data + (p0 + p) * o.x.col, line0 + line, p0 + p < o.k ? o.lines : 0, o.aligned);
#pragma unroll
      for (int e = 0; e < kFour; ++e) tile[line + e][p] = four.values[e];
    }
    __syncthreads();
  }
  // The thread's packs: this one, and those of lines further on.
  const int line = threadIdx.x / (kBand / kPack), p = threadIdx.x % (kBand / kPack) * kPack;
  constexpr int kNext = kBand / kPacks;
  float x[kPacks][kPack];
#pragma unroll
  for (int i = 0; i < kPacks; ++i) {
    const std::int64_t row = line + i * kNext;
#pragma unroll
    for (int e = 0; e < kPack; e += kFour) {
      Pack<float> four;
      if (k_major)
        four = load_pack(o.x.data + (line0 + row) * o.x.row, p0 + p + e, line0 + row < o.lines ? o.k : 0,
                         o.aligned);
#pragma unroll
      for (int f = 0; f < kFour; ++f) x[i][e + f] = k_major ? four.values[f] : tile[row][p + e + f];
    }
  }
  bool odd = false;
#pragma unroll
  for (int i = 0; i < kPacks; ++i) {
    const std::int64_t to = line0 + line + i * kNext;
#pragma unroll
    for (const float each : x[i]) odd |= each != 0 && !(fabsf(each) >= kSmallest && fabsf(each) < kLargest);
    if (to >= o.lines || p0 + p >= o.pitch) continue;
#pragma unroll
    for (int part = 0; part < kParts; ++part) {
      Pack<Part> pack;
#pragma unroll
      for (int e = 0; e < kPack; ++e) pack.values[e] = take_part(x[i][e]);
      *reinterpret_cast<Pack<Part>*>(o.parts + (part * o.lines + to) * o.pitch + p0 + p) = pack;
    }
  }
  if (odd) o.odd[band] = 1;
}

/// Block-wide: looks after a band. Where it is odd, its lines are split anew, each with its largest number just
/// below kLargest.
static __global__ void __launch_bounds__(kSplitThreads)
    scale_odd_bands(const __grid_constant__ Operands operands) {
  start_early();
  std::int64_t band;
  const Operand& o = operands.mine(band);
  const bool odd = o.odd[band] != 0;
  __syncthreads();
  if (threadIdx.x == 0) o.odd[band] = 0, o.careful[band] = odd;
  const int lane = threadIdx.x % 32;
  for (std::int64_t line = band * kBand + threadIdx.x / 32; line < min((band + 1) * kBand, o.lines);
       line += kSplitThreads / 32) {
    float largest = 0;
    for (std::int64_t p = lane; odd && p < o.k; p += 32) {
      const float size = fabsf(o.x(line, p));
      if (isfinite(size)) largest = fmaxf(largest, size);
    }
    largest = __uint_as_float(__reduce_max_sync(~0u, __float_as_uint(largest)));
    const int exponent = largest == 0 ? 0 : ilogbf(largest) - kLargestExponent;
    if (lane == 0) o.exponents[line] = exponent;
    for (std::int64_t p = lane; odd && p < o.k; p += 32) {
      const float x = o.x(line, p);
      float rest = ldexpf(x, -exponent);
      // Nothing becomes 0, which an infinity would make NaN.
      if (x != 0 && fabsf(rest) < 0x1p-133f) rest = copysignf(0x1p-133f, x);
      for (int part = 0; part < kParts; ++part)
        o.parts[(part * o.lines + line) * o.pitch + p] = take_part(rest);
    }
  }
}

/// Splits A, (m, k), and the columns of B, (k, n), into scratch memory.
inline Operands split_operands(Context& ctx, const Gemm::Case<float>::Args& g) {
  const std::int64_t bands_a = ceil_div(g.m, kBand), bands_b = ceil_div(g.n, kBand);
  const std::int64_t tiles_per_band = ceil_div(g.k, kBand), pitch = ceil_div(g.k, 8) * 8;
  unsigned* odd = ctx.state<unsigned>("gemm parts", bands_a + bands_b);
  const auto operand = [&](const Strided<const float>& x, std::int64_t lines, unsigned* odd) {
    return Operand{x,
                   lines,
                   g.k,
                   pitch,
                   tiles_per_band,
                   lines_aligned(x.data, x.col == 1 ? x.row : x.col),
                   ctx.scratch<Part>(kParts * lines * pitch),
                   odd,
                   ctx.scratch<bool>(ceil_div(lines, kBand)),
                   ctx.scratch<int>(lines)};
  };
  Operands operands{{operand(g.a, g.m, odd), operand({g.b.data, g.b.col, g.b.row}, g.n, odd + bands_a)},
                    bands_a * tiles_per_band};
  launch_early(ctx, (bands_a + bands_b) * tiles_per_band, kSplitThreads, 0, split_tiles, operands);
  operands.first = bands_a;
  launch_early(ctx, bands_a + bands_b, kSplitThreads, 0, scale_odd_bands, operands);
  return operands;
}

}  // namespace tandem
