// Idea:    the definition: each result is a sum over all numbers of its row, real ones taken for complex ones without imaginary
//          parts. Every later step must agree with this one.
// Expect:  8 n² operations for a spectrum's n/2 + 1 results and twice as many for n real ones: half of each product is known
//          to be zero, or is not stored.
// Limits:  n² operations; errors grow with n, where those of fast transforms grow with its logarithm. One core.
//          It takes calls of up to 2^32 steps.

#include "custom_kernels/fft/detail/definition.h"
#include "custom_kernels/fft/detail/many_steps.h"
#include "custom_kernels/real_fft/detail/ways.h"
#include "lib/ops/fft/constants.h"

namespace tandem {
namespace {

template <class C>
void serial(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  const PlainWay way(a);
  const Complex<T>* w = roots<T>(ctx, a.n);
  auto* results = ctx.scratch<Complex<T>>(a.n);  // in place all of a row is read before any of it is written
  for (std::int64_t row = 0; row < a.batch; ++row) {
    for (std::int64_t k = 0; k < way.results(); ++k) results[k] = by_definition(way, row, k, w);
    for (std::int64_t k = 0; k < way.results(); ++k) way.store(row, k, results[k]);
  }
}

std::string refuse_long(const RealFft::Shape& s, CaseId) {
  return refuse_many_steps(static_cast<double>(s.n) * static_cast<double>(s.n) *
                           static_cast<double>(s.batch));
}

REGISTER(
    RealFft, serial, .note = "the definition, two loops", .refuses = refuse_long,
    .suits = [](const RealFft::Shape& s) { return s.n <= 8; })

}  // namespace
}  // namespace tandem
