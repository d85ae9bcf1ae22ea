// Wrong:   a pass begins before all threads have written what it reads.
// Caught:  threads run one after another, and the schedule reverses or shuffles their order.

#include <algorithm>

#include "custom_kernels/fft/detail/definition.h"
#include "custom_kernels/fft/detail/shared_part.cuh"
#include "custom_kernels/fft/detail/stockham.h"
#include "lib/ops/fft/constants.h"

namespace tandem {
namespace {

template <class Args, class T>
__global__ void missing_barrier_row(const Args a, int n, const Complex<T>* roots) {
  const std::int64_t row = blockIdx.x;
  const int first = static_cast<int>(threadIdx.x), step = static_cast<int>(blockDim.x);
  SharedPart<T> from{0}, to{n};
  for (int j = first; j < n; j += step) from[j] = a.load(row, j);
  __syncthreads();
  for (int stride = 1; stride < n; stride *= 2) {
    for (int j = first; j < n / 2; j += step) stockham_butterfly<2>(from, to, n, stride, j, roots);
    std::swap(from, to);
  }
  __syncthreads();
  for (int k = first; k < n; k += step) a.store(row, k, from[k]);
}

template <class C>
void missing_barrier(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  const int n = static_cast<int>(a.n);
  launch(ctx, a.batch, std::max(n / 2, 1), 2 * a.n * sizeof(Complex<T>),
         missing_barrier_row<typename C::Args, T>, a, n, roots<T>(ctx, a.n));
}

REGISTER(
    Fft, missing_barrier, .note = "wrong on purpose", .depth = Fft::levels,
    .refuses = [](const Fft::Shape& s, CaseId id) -> std::string {
      return s.n > 2048 ? "too long" : Fft::refuse_other_than_powers(s, id);
    })

}  // namespace
}  // namespace tandem
