#pragma once
// Right transforms by the definition, of which each wrong one changes something.

#include "custom_kernels/fft/detail/definition.h"
#include "lib/ops/fft/constants.h"

namespace tandem {

/// Rows from `first` on. `roots`: e^(−2πi k/n), or what is taken for them.
template <class Args, class T>
void transform_rows(const Args& a, Context& ctx, const Complex<T>* roots, std::int64_t first = 0) {
  auto* results = ctx.scratch<Complex<T>>(a.n);
  for (std::int64_t row = first; row < a.batch; ++row) {
    for (std::int64_t k = 0; k < a.n; ++k) results[k] = by_definition(a, row, k, roots);
    for (std::int64_t k = 0; k < a.n; ++k) a.store(row, k, results[k]);
  }
}

}  // namespace tandem
