// Wrong:   launches a kernel that does nothing.
// Caught:  results are poisoned before each run.

#include "lib/ops/segmented_reduce/contract.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

__global__ void nothing() {}

template <class C>
void idle(const typename C::Args&, Context& ctx) {
  launch(ctx, 1, 32, 0, nothing);
}

REGISTER(SegmentedReduce, idle, .note = "wrong on purpose", .refuses = SegmentedReduce::takes_all)

}  // namespace
}  // namespace tandem
