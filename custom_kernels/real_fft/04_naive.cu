// Idea:    a thread for each result, by the definition.
// Expect:  8 n operations for each result; the lanes of a warp read the same number of the row, one request, and each another
//          root of the table. So arithmetic bounds it up to some 100 points, and latency of the table beyond.
// Limits:  n² operations. In place the rows are copied first.

#include "custom_kernels/fft/detail/definition.h"
#include "custom_kernels/real_fft/detail/ways.h"
#include "lib/ops/fft/constants.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 256;

template <class Way, class T>
__global__ void real_fft_naive(const Way way, const Complex<T>* roots) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x, results = way.results();
  if (i >= results * way.batch) return;
  const std::int64_t row = i / results, k = i % results;
  way.store(row, k, by_definition(way, row, k, roots));
}

template <class C>
void naive(const typename C::Args& given, Context& ctx) {
  using T = typename C::T;
  using Way = PlainWay<typename C::Args>;
  typename C::Args a = given;
  if (a.in == a.out) {
    const std::int64_t parts = a.inverse ? 2 * ((a.batch - 1) * a.in_distance + RealFft::spectrum_size(a.n))
                                         : (a.batch - 1) * a.in_distance + a.n;
    auto* copy = ctx.scratch<T>(parts);
    ctx.copy(copy, a.in, static_cast<std::size_t>(parts) * sizeof(T));
    a.in = copy;
  }
  const Way way(a);
  launch(ctx, ceil_div(way.results() * a.batch, kThreads), kThreads, 0, real_fft_naive<Way, T>, way,
         roots<T>(ctx, a.n));
}

REGISTER(
    RealFft, naive, .note = "the definition, a thread for each result",
    .suits = [](const RealFft::Shape& s) { return s.n <= 16; })

}  // namespace
}  // namespace tandem
