#pragma once
// Rows convolved by FFTW's transforms, in the memory of the results.

#include "lib/core/workers.h"
#include "lib/ops/convolve/contract.h"
#include "vendor_wrappers/fft/fftw.h"

namespace tandem {

/// Plans as fftw_rows keeps them; the products are shared out as FFTW shares rows.
template <class C>
void fftw_convolve(const typename C::Args& a, Context& ctx, int threads, const char* name) {
  using Transform = Fft::Case<typename C::T>;
  fftw_rows<Transform>({a.in, a.out, a.n, a.batch, a.in_distance, a.out_distance, false, 1}, ctx, threads,
                       name);
  const auto multiply = [&](std::int64_t begin, std::int64_t end, int) {
    for (std::int64_t row = begin; row < end; ++row) {
      auto* const first = a.out + row * a.out_distance;
      for (std::int64_t k = 0; k < a.n; ++k) first[k] = a.factor * (first[k] * a.filter[k]);
    }
  };
  if (threads == 1)
    multiply(0, a.batch, 0);
  else
    parallel_for(a.batch, {.size = std::max<std::int64_t>((1 << 14) / a.n, 1), .alone = (1 << 15) / a.n},
                 multiply);
  fftw_rows<Transform>({a.out, a.out, a.n, a.batch, a.out_distance, a.out_distance, true, 1}, ctx, threads,
                       name);
}

}  // namespace tandem
