// Wrong:   does nothing.
// Caught:  outputs are poisoned before each run.

#include "lib/ops/gemm/contract.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

template <class C>
requires Gemm::wide<C>
void idle(const typename C::Args&, Context&) {}

REGISTER(Gemm, idle, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
