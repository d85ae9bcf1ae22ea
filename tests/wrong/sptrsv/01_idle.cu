// Wrong:   launches a kernel that does nothing.
// Caught:  results are poisoned before each run that is not in place.

#include "lib/ops/sptrsv/contract.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

__global__ void nothing() {}

template <class C>
void idle(const typename C::Args&, Context& ctx) {
  launch(ctx, 1, 32, 0, nothing);
}

REGISTER(Sptrsv, idle, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
