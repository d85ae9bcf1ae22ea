// Idea:    one thread asks for a block's whole tile by bulk copies into shared memory; all threads compute
//          from there.
// New:     against packs, the copy engine makes the addresses and no register holds data in flight: the bytes
//          in flight are as many as shared memory holds, whatever the function needs. An input may start
//          anywhere; only its ends that fill no 16 bytes are loaded by threads.
// Expect:  the bandwidth of a copy, also for skewed arrays, and for functions that leave no registers.
// Limits:  Hopper and later. Every element passes through shared memory; a tile is computed when it is there
//          as a whole, so short arrays wait longer than with packs.
// Source:  NVIDIA, PTX ISA 8, cp.async.bulk and mbarrier; Bernhard Manfred Gruber 2024, cub::DeviceTransform.

#include "lib/ops/transform/contract.h"
#include "tandem/device/launch.cuh"
#include "tandem/device/vector_access.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 256;
constexpr int kTileBytes = 8192;            // of each input
constexpr int kRowBytes = kTileBytes + 16;  // an input's tile, shifted as its address is
template <class T>
constexpr int kTile = kTileBytes / sizeof(T);

__device__ std::uint32_t shared_address(const void* pointer) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(pointer));
}

/// Makes the barrier wait for one arrival and then for `bytes` to be copied.
__device__ void expect_bytes(std::uint64_t* barrier, std::uint32_t bytes) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_address(barrier)) : "memory");
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");  // the copy engine sees it initialised
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(barrier)),
               "r"(bytes)
               : "memory");
}

/// `from`, `to` and `bytes` are multiples of 16.
__device__ void bulk_copy(void* to, const void* from, std::uint32_t bytes, std::uint64_t* barrier) {
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
          shared_address(to)),
      "l"(from), "r"(bytes), "r"(shared_address(barrier))
      : "memory");
}

/// Waits for the first phase of the barrier to end.
__device__ void wait_for_bytes(std::uint64_t* barrier) {
  std::uint32_t done;
  do {
    asm volatile(
        "{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }"
        : "=r"(done)
        : "r"(shared_address(barrier))
        : "memory");
  } while (!done);
}

template <class C>
__global__ void __launch_bounds__(kThreads) bulk_staged_tile(typename C::Args a) {
  using T = typename C::T;
  __shared__ std::uint64_t barrier;
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
    rows[k] = reinterpret_cast<T*>(dynamic_shared<unsigned char>() + k * kRowBytes + shift);
    heads[k] = static_cast<int>(unaligned_head(in, count));
    whole[k] = (count - heads[k]) / Pack<T>::kSize * Pack<T>::kSize;
    copied += whole[k];
  }
  if (t == 0) {
    expect_bytes(&barrier, copied * sizeof(T));
#pragma unroll
    for (int k = 0; k < C::kInputs; ++k) {
      if (whole[k] > 0) {
        bulk_copy(rows[k] + heads[k], a.in[k] + begin + heads[k], whole[k] * sizeof(T), &barrier);
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
  wait_for_bytes(&barrier);
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
