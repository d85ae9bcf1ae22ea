// Wrong:   packs are read from the 16-byte boundary at or before their first element.
// Caught:  arrays that start at any element, each with its own alignment.

#include "lib/ops/transform/contract.h"
#include "tandem/device/launch.cuh"
#include "tandem/device/vector_access.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 256;

template <class C>
__global__ void aligned_down_block(typename C::Args a) {
  using Pack = Pack<typename C::T>;
  const std::int64_t first = (std::int64_t(blockIdx.x) * kThreads + threadIdx.x) * Pack::kSize;
  if (first >= a.n) return;
  Pack in[C::kInputs];
  for (int k = 0; k < C::kInputs; ++k) {
    const auto address = reinterpret_cast<std::uintptr_t>(a.in[k] + first);
    in[k] = *reinterpret_cast<const Pack*>(address / 16 * 16);
  }
  for (int e = 0; e < Pack::kSize && first + e < a.n; ++e)
    a.out[first + e] = C::apply(a.f, [&](int k) { return in[k].values[e]; });
}

template <class C>
void aligned_down(const typename C::Args& a, Context& ctx) {
  launch(ctx, ceil_div(a.n, kThreads), kThreads, 0, aligned_down_block<C>, a);
}

REGISTER(Transform, aligned_down, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
