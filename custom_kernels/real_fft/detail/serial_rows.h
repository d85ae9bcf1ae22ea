#pragma once
// Real rows by the definition, on one thread.

#include "custom_kernels/fft/detail/definition.h"
#include "custom_kernels/real_fft/detail/ways.h"
#include "lib/ops/fft/constants.h"

namespace tandem {

/// a: real_fft's arguments, or what has their functions.
template <class Args, class T = decltype(Args::factor)>
void serial_rows(Context& ctx, const Args& a) {
  const PlainWay way(a);
  const Complex<T>* w = roots<T>(ctx, a.n);
  auto* results = ctx.scratch<Complex<T>>(a.n);  // in place all of a row is read before any of it is written
  for (std::int64_t row = 0; row < a.batch; ++row) {
    for (std::int64_t k = 0; k < way.results(); ++k) results[k] = by_definition(way, row, k, w);
    for (std::int64_t k = 0; k < way.results(); ++k) way.store(row, k, results[k]);
  }
}

}  // namespace tandem
