// Idea:    the textbook's way, as one calls a library: a transform, a kernel that multiplies, a transform back. The transforms are
//          those of fft_nd, by what fits the length.
// Expect:  three reads and three writes of everything, where one of each would do; twice as many again of the transforms where a
//          row is longer than a block holds.
// Limits:  lengths to 2^23, but 11 and 13, and powers of two to 2^24; scratch for all spectra.
// Source:  Stockham 1966, "High-speed convolution and correlation".

#include "custom_kernels/fft_nd/detail/any_lines.cuh"
#include "lib/ops/convolve/contract.h"

namespace tandem {
namespace {

constexpr int kThreads = 256;

template <class T>
__global__ void multiply(Complex<T>* spectra, const Complex<T>* filter, std::int64_t n, std::int64_t batch) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n * batch) spectra[i] = spectra[i] * filter[i % n];
}

template <class C>
void three_launches(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  auto* spectra = ctx.scratch<Complex<T>>(a.n * a.batch);
  const auto transform = [&](const Lines<T>& lines) {
    any_lines(ctx, Pass<T>{lines, {{1, 0, 0}, {1, 0, 0}}});
  };
  transform({a.in, spectra, a.n, a.batch, 1, 1, a.in_distance, a.n, false, 1});
  launch(ctx, ceil_div(a.n * a.batch, kThreads), kThreads, 0, multiply<T>, spectra, a.filter, a.n, a.batch);
  transform({spectra, a.out, a.n, a.batch, 1, 1, a.n, a.out_distance, true, a.factor});
}

std::string refuses(const Convolve::Shape& s, CaseId) {
  return s.n == 0 || takes_any_lines(s.n) ? ""
                                          : "takes lengths to 2^23, but 11 and 13, and powers of two to 2^24";
}

double depth(std::int64_t n) { return Convolve::both_ways(levels_of_any_lines(n)); }

REGISTER(Convolve, three_launches, .note = "a transform, a kernel that multiplies, a transform back",
         .depth = depth, .refuses = refuses)

}  // namespace
}  // namespace tandem
