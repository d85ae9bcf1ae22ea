// Wrong:   the number of a row is computed in a signed number of 16 bits.
// Caught:  32,800 rows.

#include <algorithm>

#include "custom_kernels/fft/detail/definition.h"
#include "custom_kernels/fft/detail/shared_part.cuh"
#include "custom_kernels/fft/detail/stockham.h"
#include "lib/ops/fft/constants.h"

namespace tandem {
namespace {

template <class Args, class T>
__global__ void rows_of_16_bits_result(const Args a, const Complex<T>* roots) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= a.n * a.batch) return;
  const auto row = static_cast<std::int16_t>(i / a.n);
  if (row >= 0) a.store(row, i % a.n, by_definition(a, row, i % a.n, roots));
}

template <class C>
void rows_of_16_bits(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  launch(ctx, ceil_div(a.n * a.batch, 256), 256, 0, rows_of_16_bits_result<typename C::Args, T>, a,
         roots<T>(ctx, a.n));
}

REGISTER(
    Fft, rows_of_16_bits, .note = "wrong on purpose",
    .refuses = [](const Fft::Shape& s, CaseId) -> std::string {
      return s.in_place || s.n > 64 ? "short rows out of place only" : "";
    })

}  // namespace
}  // namespace tandem
