// Idea:    sort all keys with their positions, and take the first k.
// New:     against the steps on the CPU, the GPU's fastest sort, which is a step of another ladder.
// Expect:  the time of a sort of pairs, whatever k is.
// Limits:  fewer than 2^32 keys; writes all n keys and positions several times, of which k are wanted.
// Source:  Zhang, Naruse, Li, Wang 2023, "Parallel top-K algorithms on GPU", section 2.

#include "custom_kernels/sort/detail/scan_counts.cuh"
#include "custom_kernels/top_k/detail/last_sort.h"

namespace tandem {
namespace {

constexpr int kThreads = 256;

__global__ void number(std::int64_t* positions, std::int64_t n) {
  start_early();
  const std::int64_t i = std::int64_t(blockIdx.x) * kThreads + threadIdx.x;
  if (i < n) positions[i] = i;
}

template <class C>
void sort_all(const typename C::Args& a, Context& ctx) {
  using Key = typename C::Key;
  auto* keys = ctx.scratch<Key>(a.n);
  std::int64_t* positions = nullptr;
  if (a.positions_out) {
    positions = ctx.scratch<std::int64_t>(a.n);
    launch_early(ctx, ceil_div(a.n, kThreads), kThreads, 0, number, positions, a.n);
  }
  run_sort<C>(a.in, keys, positions, positions, a.n, a.order, ctx);
  const auto k = static_cast<std::size_t>(a.k);
  if (a.keys_out) ctx.copy(a.keys_out, keys, k * sizeof(Key));
  if (a.positions_out) ctx.copy(a.positions_out, positions, k * sizeof(std::int64_t));
}

REGISTER(
    TopK, sort_all, .note = "sorts everything by a step of sort",
    .refuses = [](const TopK::Shape& shape, CaseId) { return refuse_long(shape); })

}  // namespace
}  // namespace tandem
