// Wrong:   runs and writes nothing.
// Caught:  outputs are poisoned with NaN before each run, so stale or lucky results do not pass.

#include "lib/ops/reduce/contract.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

template <class C>
__global__ void idle_kernel(const typename C::T*, std::int64_t, typename C::Acc*) {}

template <class C>
void idle(const typename C::Args& a, Context& ctx) {
  launch(ctx, 1, 32, 0, idle_kernel<C>, a.in, a.n, a.out);
}

REGISTER(Reduce, idle, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
