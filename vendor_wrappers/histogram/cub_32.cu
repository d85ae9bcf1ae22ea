// cub::DeviceHistogram with counters of 32 bits, as it is usually called, and a kernel that widens them.
// Limits:  n < 2^32; no even bins where a value below the upper limit rounds up to bin `bins`.

#include "vendor_wrappers/histogram/cub.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 256;

__global__ void widen(const std::uint32_t* from, std::int64_t* to, int bins) {
  const int b = blockIdx.x * kThreads + threadIdx.x;
  if (b < bins) to[b] = from[b];
}

template <class C>
void cub_32(const typename C::Args& a, Context& ctx) {
  auto* counts = ctx.scratch<std::uint32_t>(a.bins);
  cub_histogram<C>(a, ctx, counts);
  launch(ctx, ceil_div(a.bins, kThreads), kThreads, 0, widen, static_cast<const std::uint32_t*>(counts),
         a.counts, a.bins);
}

std::string too_long(const Histogram::Shape& shape, CaseId id) {
  if (shape.n >> 32 > 0) return "n = " + std::to_string(shape.n) + " may overflow counters of 32 bits";
  return rounds_past_the_end(shape, id);
}

REGISTER(Histogram, cub_32, .note = "cub::DeviceHistogram with counters of 32 bits, widened",
         .version = LIBRARY_VERSION("CUB", CUB), .refuses = too_long)

}  // namespace
}  // namespace tandem
