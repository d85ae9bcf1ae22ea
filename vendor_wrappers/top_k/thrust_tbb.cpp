// needs: thrust tbb
// thrust::sort of all codes with positions on the CPU, with Thrust's TBB system.

#define THRUST_DEVICE_SYSTEM THRUST_DEVICE_SYSTEM_TBB  // else Thrust's headers want CUDA's

#include <thrust/sort.h>
#include <thrust/system/tbb/execution_policy.h>
#include <thrust/version.h>

#include "lib/core/library_call.h"
#include "lib/ops/top_k/item.h"

namespace tandem {
namespace {

template <class C>
void thrust_tbb(const typename C::Args& a, Context& ctx) {
  auto* items = codes_with_positions(a, ctx);
  call_library(ctx, [&] { thrust::sort(thrust::tbb::par, items, items + a.n); });
  take(a, items);
}

REGISTER(TopK, thrust_tbb, .note = "thrust::sort(tbb::par) of everything",
         .version = LIBRARY_VERSION("Thrust", THRUST))

}  // namespace
}  // namespace tandem
