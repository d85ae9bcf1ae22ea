// Idea:    a thread loads the column numbers and values of four elements, then the four elements of x, before it adds.
// New:     against thread_per_row, eight loads of a thread are on their way where two were, and x is waited for once in four elements,
//          also at the end of a row, where they may be fewer. The matrix is read past the cache, which is left to x.
// Expect:  the bandwidth of the memory from fewer warps on.
// Limits:  as thread_per_row.

#include "custom_kernels/spmv_sell/detail/elements.cuh"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 256;
constexpr std::int64_t kLongest = 1 << 20;  // longer ones take seconds

template <class C>
__global__ void __launch_bounds__(kThreads) sell_loads_ahead(typename C::Args a) {
  const std::int64_t p = std::int64_t(blockIdx.x) * kThreads + threadIdx.x;
  if (p >= a.rows) return;
  typename C::T sum = 0;
  add_row(a, a.first(p), a.slice_rows, a.length(p), sum);
  a.store(p, sum);
}

template <class C>
void loads_ahead(const typename C::Args& a, Context& ctx) {
  launch(ctx, ceil_div(a.rows, kThreads), kThreads, 0, sell_loads_ahead<C>, a);
}

REGISTER(
    SpmvSell, loads_ahead, .note = "four elements of a row on their way",
    .suits = [](const SpmvSell::Shape& s) { return s.average() <= kLongest; })

}  // namespace
}  // namespace tandem
