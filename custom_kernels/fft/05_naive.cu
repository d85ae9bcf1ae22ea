// Idea:    a thread for each result, by the definition.
// Expect:  8 n operations for each result; the lanes of a warp read the same number of the row, one request, and each another
//          root of the table. So arithmetic bounds it up to some 100 points, and latency of the table beyond.
// Limits:  n² operations. In place the rows are copied first.

#include "custom_kernels/fft/detail/definition.h"
#include "lib/ops/fft/constants.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 256;

template <class Args, class T>
__global__ void fft_naive(const Args a, const Complex<T>* roots) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= a.n * a.batch) return;
  const std::int64_t row = i / a.n, k = i % a.n;
  a.store(row, k, by_definition(a, row, k, roots));
}

template <class C>
void naive(const typename C::Args& given, Context& ctx) {
  using T = typename C::T;
  typename C::Args a = given;
  if (a.in == a.out) {
    const std::int64_t size = (a.batch - 1) * a.in_distance + a.n;
    auto* copy = ctx.scratch<Complex<T>>(size);
    ctx.copy(copy, a.in, static_cast<std::size_t>(size) * sizeof(Complex<T>));
    a.in = copy;
  }
  launch(ctx, ceil_div(a.n * a.batch, kThreads), kThreads, 0, fft_naive<typename C::Args, T>, a,
         roots<T>(ctx, a.n));
}

REGISTER(
    Fft, naive, .note = "the definition, a thread for each result",
    .suits = [](const Fft::Shape& s) { return s.n <= 16; })

}  // namespace
}  // namespace tandem
