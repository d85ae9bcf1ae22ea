// Wrong:   a block takes four rows, and in the last one threads of rows that are not there work, too.
// Caught:  numbers of rows that are no multiples of four: memory behind the arrays.

#include <algorithm>

#include "custom_kernels/fft/detail/definition.h"
#include "custom_kernels/fft/detail/shared_part.cuh"
#include "custom_kernels/fft/detail/stockham.h"
#include "lib/ops/fft/constants.h"

namespace tandem {
namespace {

constexpr int kRows = 4;

template <class Args, class T>
__global__ void last_block_rows(const Args a, const Complex<T>* roots) {
  const std::int64_t row = std::int64_t{blockIdx.x} * kRows + threadIdx.x % kRows;
  for (std::int64_t k = threadIdx.x / kRows; k < a.n; k += blockDim.x / kRows)
    a.store(row, k, by_definition(a, row, k, roots));
}

template <class C>
void last_block(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  launch(ctx, ceil_div(a.batch, kRows), 64, 0, last_block_rows<typename C::Args, T>, a, roots<T>(ctx, a.n));
}

REGISTER(
    Fft, last_block, .note = "wrong on purpose", .refuses = [](const Fft::Shape& s, CaseId) -> std::string {
      return s.in_place || s.n > 64 ? "short rows out of place only" : "";
    })

}  // namespace
}  // namespace tandem
