// Wrong:   does nothing.
// Caught:  outputs are poisoned before each run.

#include "tandem/device/launch.cuh"
#include "lib/ops/gemm/contract.h"

namespace tandem {
namespace {

template <class C>
void idle(const typename C::Args&, Context&) {}

REGISTER(Gemm, idle, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
