// Wrong:   results are stored across lines before all threads have left them in shared memory.
// Caught:  threads run one after another, and the schedule reverses or shuffles their order.

#include "custom_kernels/fft/detail/definition.h"
#include "custom_kernels/fft/detail/shared_part.cuh"
#include "custom_kernels/fft_nd/detail/passes.h"
#include "lib/ops/fft/constants.h"

namespace tandem {
namespace {

constexpr int kThreads = 64;

template <class T>
__global__ void missing_barrier_lines(const Lines<T> lines, const Complex<T>* roots) {
  const SharedPart<T> results{0};
  const int n = static_cast<int>(lines.n);
  for (int k = static_cast<int>(threadIdx.x); k < n; k += kThreads)
    results[k] = by_definition(lines, blockIdx.x, k, roots);
  for (int k = n - 1 - static_cast<int>(threadIdx.x); k >= 0; k -= kThreads)
    lines.store(blockIdx.x, k, results[k]);
}

template <class C>
void missing_barrier(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  for_each_axis(a, [&](const Pass<T>& pass) {
    for (std::int64_t sheet = 0; sheet < pass.sheets(); ++sheet) {
      launch(ctx, pass.batch, kThreads, static_cast<std::size_t>(pass.n) * sizeof(Complex<T>),
             missing_barrier_lines<T>, pass.sheet(sheet), roots<T>(ctx, pass.n));
    }
  });
}

REGISTER(
    FftNd, missing_barrier, .note = "wrong on purpose",
    .refuses = [](const FftNd::Shape& s, CaseId) -> std::string {
      return s.in_place || FftNd::points(s.extents) > 512 ? "small grids out of place only" : "";
    })

}  // namespace
}  // namespace tandem
