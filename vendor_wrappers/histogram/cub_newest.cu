// needs: cccl
// cub::DeviceHistogram of a newer CCCL than the toolkit's.
// Limits:  no even bins where a value below the upper limit rounds up to bin `bins`. Counters of 64 bits in shared memory,
//          too.

#include "vendor_wrappers/histogram/cub.cuh"

namespace tandem {
namespace {

template <class C>
void cub_newest(const typename C::Args& a, Context& ctx) {
  cub_histogram<C>(a, ctx, reinterpret_cast<unsigned long long*>(a.counts));
}

REGISTER(Histogram, cub_newest, .note = "cub::DeviceHistogram of another CCCL",
         .version = LIBRARY_VERSION("CUB", CUB), .refuses = rounds_past_the_end)

}  // namespace
}  // namespace tandem
