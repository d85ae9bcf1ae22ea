// Wrong:   does nothing.
// Caught:  the solution is poisoned before every run.

#include "lib/ops/tridiagonal/contract.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

template <class C>
void idle(const typename C::Args&, Context&) {}

REGISTER(Tridiagonal, idle, .note = "wrong on purpose", .refuses = Tridiagonal::refuse_list_and_pivot)

}  // namespace
}  // namespace tandem
