// Idea:    one thread per 16 bytes of results, and again one block for every part of the array.
// New:     against grid_stride, no loop: blocks start in the order of the array, so what is in work at one time
//          is one narrow front. Inputs that are aligned otherwise than the results are read by elements, the
//          results still written by packs. The grid starts early (launch_early).
// Expect:  the bandwidth of a copy.
// Limits:  one input of few bytes keeps fewer bytes in flight than staging could.
// Source:  Volkov 2010, "Better performance at lower occupancy", on bytes in flight. The kernel stands in
//          common/transform.cuh, because the functors of users run on it too.

#include "custom_kernels/transform/detail/packs.cuh"
#include "lib/ops/transform/contract.h"

namespace tandem {
namespace {

// Threads of a block. Short arrays are spread over all multiprocessors; in long ones, several inputs bring
// enough loads per thread to fill the wait for the next block, so fewer and larger blocks start.
constexpr int kThreadsShort = 128, kThreadsOneInput = 256, kThreadsMoreInputs = 1024;
constexpr int kShortPacks = 4096;  // per multiprocessor: two waves of threads

template <class C>
void packs(const typename C::Args& a, Context& ctx) {
  const bool is_short = a.n / Pack<typename C::T>::kSize <= std::int64_t{kShortPacks} * ctx.multiprocessors();
  const int threads = is_short ? kThreadsShort : C::kInputs == 1 ? kThreadsOneInput : kThreadsMoreInputs;
  [&]<std::size_t... k>(std::index_sequence<k...>) {
    transform_in_packs(ctx, threads, a.f, a.n, a.out, a.in[k]...);
  }
  (std::make_index_sequence<C::kInputs>{});
}

REGISTER(Transform, packs, .note = "one thread per 16 bytes, blocks in the order of the array")

}  // namespace
}  // namespace tandem
