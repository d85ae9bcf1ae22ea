// Idea:    the definition: each result is a sum over all numbers of its row. Every later step must agree with this one.
// Expect:  8 n² operations for a row; roots of unity are read from a table, at jk mod n.
// Limits:  n² operations; errors grow with n, where those of fast transforms grow with its logarithm. One core.
//          It takes calls of up to 2^32 steps.

#include <algorithm>

#include "custom_kernels/fft/detail/definition.h"
#include "custom_kernels/fft/detail/many_steps.h"
#include "lib/ops/fft/constants.h"

namespace tandem {
namespace {

template <class C>
void serial(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  const Complex<T>* w = roots<T>(ctx, a.n);
  auto* results = ctx.scratch<Complex<T>>(a.n);  // in place all of a row is read before any of it is written
  for (std::int64_t row = 0; row < a.batch; ++row) {
    for (std::int64_t k = 0; k < a.n; ++k) results[k] = by_definition(a, row, k, w);
    for (std::int64_t k = 0; k < a.n; ++k) a.store(row, k, results[k]);
  }
}

std::string refuse_long(const Fft::Shape& s, CaseId) {
  return refuse_many_steps(static_cast<double>(s.n) * static_cast<double>(s.n) *
                           static_cast<double>(s.batch));
}

REGISTER(
    Fft, serial, .note = "the definition, two loops", .refuses = refuse_long,
    .suits = [](const Fft::Shape& s) { return s.n <= 16; })

}  // namespace
}  // namespace tandem
