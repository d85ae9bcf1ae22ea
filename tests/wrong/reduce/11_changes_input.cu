// Wrong:   the tree overwrites the input array.
// Caught:  inputs are compared with their old contents after each run.

#include "lib/ops/reduce/contract.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

template <class C>
__global__ void changes_input_level(typename C::T* in, std::int64_t n, std::int64_t stride,
                                    typename C::Acc* out) {
  const std::int64_t i = (std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x) * 2 * stride;
  if (i + stride < n) {
    in[i] = static_cast<typename C::T>(typename C::Op{}(C::load(in[i]), C::load(in[i + stride])));
  }
  if (i == 0) *out = C::load(in[0]);
}

template <class C>
void changes_input(const typename C::Args& a, Context& ctx) {
  constexpr int kThreads = 256;
  auto* in = const_cast<typename C::T*>(a.in);
  std::int64_t stride = 1;
  do {
    launch(ctx, ceil_div(a.n, 2 * stride * kThreads), kThreads, 0, changes_input_level<C>, in, a.n, stride,
           a.out);
    stride *= 2;
  } while (stride < a.n);
}

REGISTER(Reduce, changes_input, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
