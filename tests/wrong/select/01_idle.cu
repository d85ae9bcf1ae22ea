// Wrong:   launches a kernel that does nothing.
// Caught:  the count and the results are poisoned before each run.

#include "lib/ops/select/contract.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

__global__ void nothing() {}

template <class C>
void idle(const typename C::Args&, Context& ctx) {
  launch(ctx, 1, 32, 0, nothing);
}

REGISTER(Select, idle, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
