// Idea:    a block transforms rows there and back, as fused_rows does, with fft's mixed passes through shared memory.
// New:     against fused_rows, lengths of 2, 3, 5 and 7.
// Expect:  the traffic of a copy; two transforms' passes of shared memory bound it.
// Limits:  up to 4,096 points without prime factors above 7.
// Source:  Singleton 1969, "An algorithm for computing the mixed radix fast Fourier transform", for radices 3, 5 and 7.

#include "custom_kernels/fft/detail/mixed.cuh"
#include "lib/ops/convolve/contract.h"

namespace tandem {
namespace {

template <class Args, class T>
__global__ void convolve_fused_mixed(const Args a, int rows, const MixedPasses passes,
                                     const Complex<T>* roots) {
  const int n = passes.n;
  const std::int64_t row0 = std::int64_t{blockIdx.x} * rows;
  const int numbers = n * static_cast<int>(min(std::int64_t{rows}, a.batch - row0));
  const int first = static_cast<int>(threadIdx.x), step = static_cast<int>(blockDim.x);
  const MixedRows<T> buffer{{0}}, other{{line_size<T>(n * rows)}};
  load_rows(buffer, passes, numbers, [&](int row, int j) { return a.load(row0 + row, j); });
  const MixedRows<T> there = mixed_passes(buffer, other, passes, numbers, roots);
  for (int i = first; i < numbers; i += step) there[i] = a.product(i - passes.by_n.quotient(i) * n, there[i]);
  const bool swaps = passes.count % 2 != 0;
  const MixedRows<T> back = mixed_passes(there, swaps ? buffer : other, passes, numbers, roots);
  for (int i = first; i < numbers; i += step) {
    const int row = passes.by_n.quotient(i);
    a.store(row0 + row, i - row * n, back[i]);
  }
}

template <class C>
void fused_mixed(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  const MixedBlock<T> block(a.n, a.batch);
  const MixedPasses passes(a.n);
  launch(ctx, ceil_div(a.batch, block.rows), block.threads(), block.shared_bytes(),
         convolve_fused_mixed<typename C::Args, T>, a, block.rows, passes, passes.template roots<T>(ctx));
}

std::string refuses(const Convolve::Shape& s, CaseId) {
  return s.n <= kLongestMixed && (s.n == 0 || Fft::is_smooth(s.n))
             ? ""
             : "takes lengths up to 4096 without prime factors above 7";
}

REGISTER(
    Convolve, fused_mixed, .note = "there and back in shared memory, radix 8, 4, 2, 3, 5, 7",
    .depth = Convolve::levels, .refuses = refuses,
    .suits = [](const Convolve::Shape& s) { return s.n < 8 || !Fft::is_power_of_two(s.n); })

}  // namespace
}  // namespace tandem
