// Wrong:   launches a kernel that does nothing.
// Caught:  results are poisoned before each run where C is not read.

#include "lib/ops/spmm/contract.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

__global__ void nothing() {}

template <class C>
void idle(const typename C::Args&, Context& ctx) {
  launch(ctx, 1, 32, 0, nothing);
}

REGISTER(Spmm, idle, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
