// Wrong:   the split in place writes one of two results before it has read both numbers.
// Caught:  even lengths from 6 on, forward.

#include "tests/wrong/real_fft/definition.h"

namespace tandem {
namespace {

template <class C>
void split_reads_written(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  if (a.n % 2 != 0) return transform_rows(PlainWay(a), ctx, roots<T>(ctx, a.n));
  using Way = PackedWay<typename C::Args>;
  const Way way(a, roots<T>(ctx, a.n));
  const Complex<T>* w = roots<T>(ctx, way.n);
  auto* z = ctx.scratch<Complex<T>>(way.n);
  for (std::int64_t row = 0; row < a.batch; ++row) {
    for (std::int64_t k = 0; k < way.n; ++k) z[k] = by_definition(way, row, k, w);
    for (std::int64_t k = 0; k < way.n; ++k) way.store(row, k, z[k]);
    for (std::int64_t k = 0; k < way.pairs() && way.splits(); ++k) {
      const Complex<T> last = a.spectrum(row)[way.n - k];
      way.split(row, k, a.spectrum(row));
      if (k > 0 && 2 * k < way.n) a.spectrum(row)[way.n - k] = a.factor * last;
    }
  }
}

REGISTER(RealFft, split_reads_written, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
