// Products of 16-bit elements on Hopper's tensor cores, as fast as whole warpgroups can issue them (WGMMA): the bound of
// gemm on half and bfloat16. A file of its own because it is compiled for sm_90a.

#include "bench/measure/device.h"
#include "tandem/device/wgmma.cuh"

namespace tandem::command {
namespace {

constexpr int kWarpgroups = 2, kThreads = kWarpgroups * 128, kSteps = 1024;
constexpr int kRows = 64, kColumns = 256, kDepth = 64;  // of a warpgroup's product in a step
constexpr int kWords = (kWarpgroups * kRows + kColumns) * kDepth / 2;

/// Numbers of both signs near 1: zeros would take less power.
template <class T>
__device__ std::uint32_t some_pair(std::uint32_t i) {
  const std::uint32_t bits = (i + 1) * 2654435761u;
  const auto one = [&](std::uint32_t b) {
    const float size = 1 + float(b % 64) / 64;
    return std::uint32_t{T(b & 64 ? -size : size).bits};
  };
  return one(bits >> 8) | one(bits >> 20) << 16;
}

template <class T>
__global__ void __launch_bounds__(kThreads, 1) multiply_tiles(double* out) {
  auto* tiles = reinterpret_cast<std::uint32_t*>(
      (reinterpret_cast<std::uintptr_t>(dynamic_shared<char>()) + 1023) / 1024 * 1024);
  for (int i = threadIdx.x; i < kWords; i += kThreads) tiles[i] = some_pair<T>(i);
  fence_for_copies();
  __syncthreads();
  const auto* a = tiles + threadIdx.x / 128 * (kRows * kDepth / 2);
  const auto* b = tiles + kWarpgroups * kRows * kDepth / 2;
  float sums[128] = {};
  for (int step = 0; step < kSteps; ++step) {
    wgmma_hold(sums);
    wgmma_begin();
#pragma unroll
    for (int k = 0; k < kDepth; k += 16)
      wgmma_64x256x16<T, true, true>(sums, wgmma_tile_128<true>(a, k), wgmma_tile_128<true>(b, k), true);
    wgmma_commit();
    wgmma_wait<0>();
  }
  wgmma_hold(sums);
  float sum = 0;
#pragma unroll
  for (const float x : sums) sum += x;
  if (sum == -1) *out = sum;  // never, but the compiler cannot know
}

}  // namespace

double multiply_tiles_on_device(Context& ctx, Type type, double* out, bool run) {
  if (ctx.architecture() != 90) return 0;
  const int blocks = ctx.multiprocessors();
  constexpr std::size_t kBytes = kWords * 4 + 1024;
  if (run && type == Type::f16) launch(ctx, blocks, kThreads, kBytes, multiply_tiles<half>, out);
  if (run && type == Type::bf16) launch(ctx, blocks, kThreads, kBytes, multiply_tiles<bfloat16>, out);
  return 2.0 * kRows * kColumns * kDepth * kWarpgroups * kSteps * blocks;
}

}  // namespace tandem::command
