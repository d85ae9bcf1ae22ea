// cub::DeviceHistogram: the library to beat. A table for each block in shared memory, added to the result atomically.
// Limits:  no even bins where a value below the upper limit rounds up to bin `bins`. Counters of 64 bits in shared memory,
//          too.

#include "vendor_wrappers/histogram/cub.cuh"

namespace tandem {
namespace {

template <class C>
void cub(const typename C::Args& a, Context& ctx) {
  cub_histogram<C>(a, ctx, reinterpret_cast<unsigned long long*>(a.counts));
}

REGISTER(Histogram, cub, .note = "cub::DeviceHistogram", .version = LIBRARY_VERSION("CUB", CUB),
         .refuses = rounds_past_the_end)

}  // namespace
}  // namespace tandem
