#pragma once
// Lines by the definition, on one thread.

#include "custom_kernels/fft/detail/definition.h"
#include "custom_kernels/fft_nd/detail/passes.h"
#include "lib/ops/fft/constants.h"

namespace tandem {

/// Transforms the lines of a pass.
template <class T>
void serial_lines(Context& ctx, const Pass<T>& pass) {
  const Complex<T>* w = roots<T>(ctx, pass.n);
  auto* results = ctx.scratch<Complex<T>>(pass.n);  // in place all of a line is read before any is written
  for (std::int64_t sheet = 0; sheet < pass.sheets(); ++sheet) {
    const Lines<T> lines = pass.sheet(sheet);
    for (std::int64_t line = 0; line < lines.batch; ++line) {
      for (std::int64_t k = 0; k < pass.n; ++k) results[k] = by_definition(lines, line, k, w);
      for (std::int64_t k = 0; k < pass.n; ++k) lines.store(line, k, results[k]);
    }
  }
}

}  // namespace tandem
