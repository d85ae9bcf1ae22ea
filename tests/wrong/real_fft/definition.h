#pragma once
// Right transforms by the definition, of which each wrong one changes something.

#include "custom_kernels/fft/detail/definition.h"
#include "custom_kernels/real_fft/detail/ways.h"
#include "lib/ops/fft/constants.h"

namespace tandem {

/// Rows of a call, or of a way that loads and stores otherwise.
template <class Way, class T>
void transform_rows(const Way& way, Context& ctx, const Complex<T>* roots) {
  auto* results = ctx.scratch<Complex<T>>(way.n);
  for (std::int64_t row = 0; row < way.batch; ++row) {
    for (std::int64_t k = 0; k < way.results(); ++k) results[k] = by_definition(way, row, k, roots);
    for (std::int64_t k = 0; k < way.results(); ++k) way.store(row, k, results[k]);
  }
}

}  // namespace tandem
