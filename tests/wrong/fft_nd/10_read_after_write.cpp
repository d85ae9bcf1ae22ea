// Wrong:   in place a result is written before the next one is computed.
// Caught:  two points in place.

#include "tests/wrong/fft_nd/definition.h"

namespace tandem {
namespace {

template <class C>
void read_after_write(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  for_each_axis(a, [&](const Pass<T>& pass) {
    const Complex<T>* const w = roots<T>(ctx, pass.n);
    for (std::int64_t sheet = 0; sheet < pass.sheets(); ++sheet) {
      const Lines<T> lines = pass.sheet(sheet);
      for (std::int64_t line = 0; line < lines.batch; ++line) {
        for (std::int64_t k = 0; k < pass.n; ++k) lines.store(line, k, by_definition(lines, line, k, w));
      }
    }
  });
}

REGISTER(FftNd, read_after_write, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
