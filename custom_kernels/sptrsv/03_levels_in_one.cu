// Idea:    neighbouring levels so narrow that one block holds the rows of each are done by one block in one launch, with a
//          barrier of the block between them.
// New:     against levels, a chain is one launch; a wide level still is one of its own.
// Expect:  a narrow level costs a barrier and the latency of a row, no longer a launch.
// Limits:  one block uses one multiprocessor, so the narrow levels of a matrix take as long as if the rest of the GPU were not
//          there. Where narrow and wide levels alternate, as many launches as before.
// Source:  Naumov 2011, "Parallel solution of sparse triangular linear systems in the preconditioned iterative methods on the
//          GPU".

#include "custom_kernels/sptrsv/detail/level.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 512;  // rows of a level that is narrow

template <class C>
__global__ void __launch_bounds__(kThreads)
    narrow_levels(typename C::Args a, std::int64_t first, std::int64_t last) {
  start_early();
  for (std::int64_t level = first; level < last; ++level) {
    const std::int64_t i = a.kernels_begins[level] + threadIdx.x;
    if (i < a.kernels_begins[level + 1]) solve_row(a, a.order[i]);
    __syncthreads();
  }
}

template <class C>
void levels_in_one(const typename C::Args& given, Context& ctx) {
  with_columns<C>(given, [&]<class K>(const typename K::Args& a) {
    const auto narrow = [&](std::int64_t level) { return a.begins[level + 1] - a.begins[level] <= kThreads; };
    for (std::int64_t level = 0; level < a.levels;) {
      if (!narrow(level)) {
        solve_level(a, level++, ctx);
        continue;
      }
      const std::int64_t first = level;
      while (level < a.levels && narrow(level)) ++level;
      launch_early(ctx, 1, kThreads, 0, narrow_levels<K>, a, first, level);
    }
  });
}

REGISTER(Sptrsv, levels_in_one, .note = "neighbouring narrow levels in one launch of a block")

}  // namespace
}  // namespace tandem
