// Wrong:   the element is read again after results were written: right unless out is in.
// Caught:  trials in place.

#include "lib/ops/scan/contract.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 256;

template <class C>
__global__ void not_in_place_block(const typename C::T* in, std::int64_t n, typename C::T* out,
                                   bool exclusive, typename C::Acc init) {
  using T = typename C::Acc;
  using Op = typename C::Op;
  __shared__ Shared<T, kThreads> tile;
  const int t = threadIdx.x;
  T carry = init;
  for (std::int64_t first = 0; first < n; first += kThreads) {
    const std::int64_t i = first + t;
    tile[t] = i < n ? C::load(in[i]) : Op::template identity<T>();
    __syncthreads();
    for (int distance = 1; distance < kThreads; distance *= 2) {
      const T below = t >= distance ? tile[t - distance] : Op::template identity<T>();
      __syncthreads();
      tile[t] = Op{}(below, tile[t]);
      __syncthreads();
    }
    // inclusive result = exclusive result ∘ element
    if (i < n) out[i] = C::result(Op{}(carry, t ? tile[t - 1] : Op::template identity<T>()));
    if (i < n && !exclusive) out[i] = C::result(Op{}(C::load(out[i]), C::load(in[i])));
    carry = Op{}(carry, tile[kThreads - 1]);
    __syncthreads();
  }
}

template <class C>
void not_in_place(const typename C::Args& a, Context& ctx) {
  launch(ctx, 1, kThreads, 0, not_in_place_block<C>, a.in, a.n, a.out, a.exclusive, a.init);
}

REGISTER(Scan, not_in_place, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
