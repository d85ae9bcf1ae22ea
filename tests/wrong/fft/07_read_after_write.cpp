// Wrong:   in place a result is written before the next one is computed.
// Caught:  two points in place.

#include "tests/wrong/fft/definition.h"

namespace tandem {
namespace {

template <class C>
void read_after_write(const typename C::Args& a, Context& ctx) {
  const auto* w = roots<typename C::T>(ctx, a.n);
  for (std::int64_t row = 0; row < a.batch; ++row) {
    for (std::int64_t k = 0; k < a.n; ++k) a.store(row, k, by_definition(a, row, k, w));
  }
}

REGISTER(Fft, read_after_write, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
