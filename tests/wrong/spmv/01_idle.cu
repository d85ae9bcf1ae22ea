// Wrong:   launches a kernel that does nothing.
// Caught:  results are poisoned before each run where y is not read.

#include "lib/ops/spmv/contract.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

__global__ void nothing() {}

template <class C>
void idle(const typename C::Args&, Context& ctx) {
  launch(ctx, 1, 32, 0, nothing);
}

REGISTER(Spmv, idle, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
