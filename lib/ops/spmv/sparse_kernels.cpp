#include "lib/ops/spmv/sparse_kernels.h"

#include "tandem/parallel_for.h"

namespace tandem {
namespace {

template <class Loop>
void run(Context& ctx, std::int64_t n, const Loop& loop) {
  const CallScope call(ctx, "sparse/custom/threads", Place::host);
  parallel_for(n, {.size = 1 << 14, .alone = 1 << 15}, [&](std::int64_t begin, std::int64_t end, int) {
    for (std::int64_t i = begin; i < end; ++i) loop(i);
  });
}

}  // namespace

SparseKernels& sparse_kernels(Place place) {
  static SparseKernels of_host{run, run, run, run}, of_device, of_executor;
  return place == Place::host ? of_host : place == Place::simt ? of_executor : of_device;
}

}  // namespace tandem
