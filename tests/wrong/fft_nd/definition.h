#pragma once
// Right transforms by the definition, of which each wrong one changes something.

#include "custom_kernels/fft/detail/definition.h"
#include "custom_kernels/fft_nd/detail/passes.h"
#include "lib/ops/fft/constants.h"

namespace tandem {

/// All lines of a pass. `roots`: e^(−2πi k/n), or what is taken for them.
template <class T>
void transform_lines(Context& ctx, const Pass<T>& pass, const Complex<T>* roots) {
  auto* results = ctx.scratch<Complex<T>>(pass.n);
  for (std::int64_t sheet = 0; sheet < pass.sheets(); ++sheet) {
    const Lines<T> lines = pass.sheet(sheet);
    for (std::int64_t line = 0; line < lines.batch; ++line) {
      for (std::int64_t k = 0; k < pass.n; ++k) results[k] = by_definition(lines, line, k, roots);
      for (std::int64_t k = 0; k < pass.n; ++k) lines.store(line, k, results[k]);
    }
  }
}
template <class T>
void transform_lines(Context& ctx, const Pass<T>& pass) {
  transform_lines(ctx, pass, roots<T>(ctx, pass.n));
}

}  // namespace tandem
