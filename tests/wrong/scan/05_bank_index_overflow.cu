// Wrong:   indices are padded against bank conflicts, but the array is not enlarged.
// Caught:  shared arrays check their bounds on the executor.

#include "lib/ops/scan/contract.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 256;

constexpr int padded(int i) { return i + i / 32; }

template <class C>
__global__ void bank_index_overflow_block(const typename C::T* in, std::int64_t n, typename C::T* out,
                                          bool exclusive, typename C::Acc init) {
  using T = typename C::Acc;
  using Op = typename C::Op;
  __shared__ Shared<T, kThreads> tile;
  const int t = threadIdx.x;
  T carry = init;
  for (std::int64_t first = 0; first < n; first += kThreads) {
    const std::int64_t i = first + t;
    tile[padded(t)] = i < n ? C::load(in[i]) : Op::template identity<T>();
    __syncthreads();
    for (int distance = 1; distance < kThreads; distance *= 2) {
      const T below = t >= distance ? tile[padded(t - distance)] : Op::template identity<T>();
      __syncthreads();
      tile[padded(t)] = Op{}(below, tile[padded(t)]);
      __syncthreads();
    }
    if (i < n)
      out[i] = C::result(
          Op{}(carry, exclusive ? (t ? tile[padded(t - 1)] : Op::template identity<T>()) : tile[padded(t)]));
    carry = Op{}(carry, tile[padded(kThreads - 1)]);
    __syncthreads();
  }
}

template <class C>
void bank_index_overflow(const typename C::Args& a, Context& ctx) {
  launch(ctx, 1, kThreads, 0, bank_index_overflow_block<C>, a.in, a.n, a.out, a.exclusive, a.init);
}

REGISTER(Scan, bank_index_overflow, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
