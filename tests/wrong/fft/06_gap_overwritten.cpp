// Wrong:   a zero is written behind each row but the last.
// Caught:  elements between rows, which stay as they are.

#include "tests/wrong/fft/definition.h"

namespace tandem {
namespace {

template <class C>
void gap_overwritten(const typename C::Args& a, Context& ctx) {
  transform_rows(a, ctx, roots<typename C::T>(ctx, a.n));
  for (std::int64_t row = 0; row + 1 < a.batch && a.out_distance > a.n; ++row) a.store(row, a.n, {0, 0});
}

REGISTER(Fft, gap_overwritten, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
