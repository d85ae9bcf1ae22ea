// Wrong:   the results of a partial last tile are not written.
// Caught:  sizes just below and above each multiple of the tile; poisoned outputs.

#include "lib/ops/scan/contract.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 256;

template <class C>
__global__ void ragged_tail_block(const typename C::T* in, std::int64_t n, typename C::T* out, bool exclusive,
                                  typename C::Acc init) {
  using T = typename C::Acc;
  using Op = typename C::Op;
  __shared__ Shared<T, kThreads> tile;
  const int t = threadIdx.x;
  T carry = init;
  for (std::int64_t first = 0; first + kThreads <= n; first += kThreads) {
    const std::int64_t i = first + t;
    tile[t] = i < n ? C::load(in[i]) : Op::template identity<T>();
    __syncthreads();
    for (int distance = 1; distance < kThreads; distance *= 2) {
      const T below = t >= distance ? tile[t - distance] : Op::template identity<T>();
      __syncthreads();
      tile[t] = Op{}(below, tile[t]);
      __syncthreads();
    }
    if (i < n)
      out[i] = C::result(Op{}(carry, exclusive ? (t ? tile[t - 1] : Op::template identity<T>()) : tile[t]));
    carry = Op{}(carry, tile[kThreads - 1]);
    __syncthreads();
  }
}

template <class C>
void ragged_tail(const typename C::Args& a, Context& ctx) {
  launch(ctx, 1, kThreads, 0, ragged_tail_block<C>, a.in, a.n, a.out, a.exclusive, a.init);
}

REGISTER(Scan, ragged_tail, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
