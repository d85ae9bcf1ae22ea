// Wrong:   minima are written by two threads each; both write the same.
// Caught:  races are watched under every operator.

#include "lib/ops/scan/contract.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 64;

template <class C>
__global__ void race_in_minimum_block(typename C::Args a) {
  constexpr bool kMinimum = C::Op::id == OperatorId::minimum;
  if (threadIdx.x > (kMinimum ? 1 : 0)) return;
  auto running = a.init;
  for (std::int64_t i = 0; i < a.n; ++i) {
    const auto next = typename C::Op{}(running, C::load(a.in[i]));
    a.out[i] = C::result(a.exclusive ? running : next);
    running = next;
  }
}

template <class C>
void race_in_minimum(const typename C::Args& a, Context& ctx) {
  launch(ctx, 1, kThreads, 0, race_in_minimum_block<C>, a);
}

REGISTER(Scan, race_in_minimum, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
