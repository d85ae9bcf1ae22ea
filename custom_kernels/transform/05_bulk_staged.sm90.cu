// Idea:    one thread asks for a block's whole tile by bulk copies into shared memory; all threads compute
//          from there.
// New:     against packs, the copy engine makes the addresses and no register holds data in flight: the bytes
//          in flight are as many as shared memory holds, whatever the function needs. An input may start
//          anywhere; only its ends that fill no 16 bytes are loaded by threads.
// Expect:  the bandwidth of a copy, also for skewed arrays, and for functions that leave no registers.
// Limits:  Hopper alone (sm_90a). Every element passes through shared memory; a tile is computed when it is there
//          as a whole, so short arrays wait longer than with packs.
// Source:  NVIDIA, PTX ISA 8, cp.async.bulk and mbarrier; Bernhard Manfred Gruber 2024, cub::DeviceTransform.

#include "lib/ops/transform/contract.h"
#include "tandem/device/bulk_copies.cuh"
#include "tandem/device/launch.cuh"
#include "tandem/device/vector_access.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 256;
constexpr int kTileBytes = 8192;            // of each input
constexpr int kRowBytes = kTileBytes + 16;  // an input's tile, shifted as its address is
template <class T>
constexpr int kTile = kTileBytes / sizeof(T);

template <class C>
__global__ void __launch_bounds__(kThreads) bulk_staged_tile(typename C::Args a) {
  using T = typename C::T;
  __shared__ Shared<Mbarrier, 1> barrier;
  const int t = threadIdx.x;
  const std::int64_t begin = std::int64_t(blockIdx.x) * kTile<T>;
  const int count = static_cast<int>(a.n - begin < kTile<T> ? a.n - begin : kTile<T>);

  // Input k: elements [0, heads[k]) by threads, whole[k] by the copy engine, the rest by threads again.
  T* rows[C::kInputs];
  int heads[C::kInputs], whole[C::kInputs], copied = 0;
#pragma unroll
  for (int k = 0; k < C::kInputs; ++k) {
    const T* in = a.in[k] + begin;
    const auto shift = reinterpret_cast<std::uintptr_t>(in) % 16;
    rows[k] = reinterpret_cast<T*>(&dynamic_shared<unsigned char>()[k * kRowBytes + shift]);
    heads[k] = static_cast<int>(unaligned_head(in, count));
    whole[k] = (count - heads[k]) / Pack<T>::kSize * Pack<T>::kSize;
    copied += whole[k];
  }
  if (t == 0) {
    barrier[0].init(1);
    fence_for_copies();
    barrier[0].arrive_and_expect(copied * sizeof(T));
#pragma unroll
    for (int k = 0; k < C::kInputs; ++k) {
      if (whole[k] > 0) {
        bulk_load(rows[k] + heads[k], a.in[k] + begin + heads[k], whole[k] * sizeof(T), barrier[0]);
      }
    }
  }
#pragma unroll
  for (int k = 0; k < C::kInputs; ++k) {
    const int tail = heads[k] + whole[k];
    if (t < heads[k]) rows[k][t] = a.in[k][begin + t];
    if (t < count - tail) rows[k][tail + t] = a.in[k][begin + tail + t];
  }
  __syncthreads();  // the barrier is initialised, and the ends are there
  barrier[0].wait(0);
#pragma unroll 4
  for (int i = t; i < count; i += kThreads)
    a.out[begin + i] = C::apply(a.f, [&](int k) { return rows[k][i]; });
}

template <class C>
void bulk_staged(const typename C::Args& a, Context& ctx) {
  launch(ctx, ceil_div(a.n, kTile<typename C::T>), kThreads, C::kInputs * kRowBytes, bulk_staged_tile<C>, a);
}

REGISTER(Transform, bulk_staged, .note = "tiles by bulk copies into shared memory")

}  // namespace
}  // namespace tandem
