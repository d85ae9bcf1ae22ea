// Wrong:   runs and writes nothing.
// Caught:  outputs hold NaN patterns before every run; in place they hold the inputs.

#include "tandem/device/launch.cuh"
#include "lib/ops/transform/contract.h"

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
