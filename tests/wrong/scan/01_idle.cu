// Wrong:   runs and writes nothing.
// Caught:  outputs are poisoned with NaN before each run.

#include "lib/ops/scan/contract.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

template <class C>
__global__ void idle_kernel(const typename C::T*, std::int64_t, typename C::T*) {}

template <class C>
void idle(const typename C::Args& a, Context& ctx) {
  launch(ctx, 1, 32, 0, idle_kernel<C>, a.in, a.n, a.out);
}

REGISTER(Scan, idle, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
