// Wrong:   never reports a pivot of zero.
// Caught:  matrices with a column of zeros; the NaN in the solution alone would tell nobody where.

#include "custom_kernels/tridiagonal/detail/thomas.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 128;

template <class C>
__global__ void silent_systems(typename C::Args a, typename C::T* above) {
  const std::int64_t system = std::int64_t(blockIdx.x) * kThreads + threadIdx.x;
  std::uint64_t unseen = 0;
  a.status = &unseen;
  if (system < a.count) thomas(a, system, above + system, a.count);
}

template <class C>
void silent(const typename C::Args& a, Context& ctx) {
  auto* above = ctx.scratch<typename C::T>(a.n * a.count);
  launch(ctx, ceil_div(a.count, kThreads), kThreads, 0, silent_systems<C>, a, above);
}

REGISTER(Tridiagonal, silent, .note = "wrong on purpose", .refuses = Tridiagonal::refuse_list_and_pivot)

}  // namespace
}  // namespace tandem
