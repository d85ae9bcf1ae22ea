// Wrong:   does nothing.
// Caught:  outputs are poisoned before each run.

#include "lib/ops/transpose/contract.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

template <class C>
void idle(const typename C::Args&, Context&) {}

REGISTER(Transpose, idle, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
