// Idea:    one axis after the other: each of its lines by the definition, the first axis from in to out, the others in place. Every
//          later step must agree with this one.
// Expect:  8 n operations of a number for an axis of n, instead of 8 times all numbers of the grid.
// Limits:  n² operations for each line; errors grow with n, where those of fast transforms grow with its logarithm. One core.
//          It takes calls of up to 2^32 steps.

#include "custom_kernels/fft/detail/definition.h"
#include "custom_kernels/fft/detail/many_steps.h"
#include "custom_kernels/fft_nd/detail/passes.h"
#include "lib/ops/fft/constants.h"

namespace tandem {
namespace {

template <class C>
void serial(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  for_each_axis(a, [&](const Pass<T>& pass) {
    const Complex<T>* w = roots<T>(ctx, pass.n);
    auto* results =
        ctx.scratch<Complex<T>>(pass.n);  // in place all of a line is read before any of it is written
    for (std::int64_t sheet = 0; sheet < pass.sheets(); ++sheet) {
      const Lines<T> lines = pass.sheet(sheet);
      for (std::int64_t line = 0; line < lines.batch; ++line) {
        for (std::int64_t k = 0; k < pass.n; ++k) results[k] = by_definition(lines, line, k, w);
        for (std::int64_t k = 0; k < pass.n; ++k) lines.store(line, k, results[k]);
      }
    }
  });
}

std::string refuse_long(const FftNd::Shape& s, CaseId) {
  double lengths = 0;
  for (const std::int64_t extent : s.extents) lengths += static_cast<double>(extent);
  return refuse_many_steps(static_cast<double>(FftNd::points(s.extents)) * lengths *
                           static_cast<double>(s.batch));
}

REGISTER(
    FftNd, serial, .note = "one axis after the other, lines by the definition", .refuses = refuse_long,
    .suits = [](const FftNd::Shape& s) { return FftNd::points(s.extents) <= 16; })

}  // namespace
}  // namespace tandem
