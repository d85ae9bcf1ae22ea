// Wrong:   right-hand sides are copied to shared memory asynchronously, and nobody waits for them.
// Caught:  the poison that shared memory holds until copies are waited for.

#include "custom_kernels/tridiagonal/detail/thomas.h"
#include "tandem/device/async_copies.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 32;
constexpr int kMostRows = 512;

template <class C>
__global__ void unawaited_copies_system(typename C::Args a, typename C::T* above) {
  using T = typename C::T;
  auto rhs = dynamic_shared<T>();
  const std::int64_t system = blockIdx.x, v = a.start(a.vector, system);
  AsyncCopies<T, kMostRows / kThreads> copies;
  for (int i = threadIdx.x; i < a.n; i += kThreads) copies.copy(rhs[i], a.rhs + v + i * a.vector.row);
  __syncthreads();
  if (threadIdx.x > 0) return;
  for (int i = 0; i < a.n; ++i) a.x[v + i * a.vector.row] = rhs[i];
  a.rhs = a.x;
  thomas(a, system, above + system, a.count);
}

template <class C>
void unawaited_copies(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  launch(ctx, a.count, kThreads, std::size_t(a.n) * sizeof(T), unawaited_copies_system<C>, a,
         ctx.scratch<T>(a.unknowns()));
}

REGISTER(
    Tridiagonal, unawaited_copies, .note = "wrong on purpose",
    .refuses = [](const Tridiagonal::Shape& shape, CaseId id) {
      return shape.systems.n > kMostRows ? "too long" : Tridiagonal::refuse_list_and_pivot(shape, id);
    })

}  // namespace
}  // namespace tandem
