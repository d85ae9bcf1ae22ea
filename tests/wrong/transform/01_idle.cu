// Wrong:   runs and writes nothing.
// Caught:  outputs are poisoned with NaN before each run; in place they hold the inputs.

#include "lib/ops/transform/contract.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 256;

template <class C>
__global__ void idle_block(typename C::Args) {}

template <class C>
void idle(const typename C::Args& a, Context& ctx) {
  launch(ctx, ceil_div(a.n, kThreads), kThreads, 0, idle_block<C>, a);
}

REGISTER(Transform, idle, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
