// Idea:    one thread per 16 bytes of results, and again one block for every part of the array.
// New:     against grid_stride, no loop: blocks start in the order of the array, so what is in work at one time
//          is one narrow front. Inputs that are aligned otherwise than the results are read by elements, the
//          results still written by packs. Several inputs bring as many loads per thread; then blocks are
//          larger, so that fewer of them start.
// Expect:  the bandwidth of a copy.
// Limits:  one input of few bytes keeps fewer bytes in flight than staging could.
// Source:  Volkov 2010, "Better performance at lower occupancy", on bytes in flight. The kernel stands in
//          common/transform.cuh, because the functors of users run on it too.

#include "custom_kernels/common/transform.cuh"
#include "lib/ops/transform.h"

namespace tandem {
namespace {

template <class C>
constexpr int kThreads = C::kInputs == 1 ? 256 : 1024;

template <class C>
void packs(const typename C::Args& a, Context& ctx) {
  [&]<std::size_t... k>(std::index_sequence<k...>) {
    transform_in_packs<kThreads<C>>(ctx, a.f, a.n, a.out, a.in[k]...);
  }
  (std::make_index_sequence<C::kInputs>{});
}

REGISTER(Transform, packs, .note = "one thread per 16 bytes, blocks in the order of the array")

}  // namespace
}  // namespace tandem
