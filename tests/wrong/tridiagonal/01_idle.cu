// Wrong:   does nothing.
// Caught:  the solution is poisoned before every run.

#include "tandem/device/launch.cuh"
#include "lib/ops/tridiagonal/contract.h"

namespace tandem {
namespace {

template <class C>
void idle(const typename C::Args&, Context&) {}

REGISTER(Tridiagonal, idle, .note = "wrong on purpose", .refuses = Tridiagonal::refuse_list_and_pivot)

}  // namespace
}  // namespace tandem
