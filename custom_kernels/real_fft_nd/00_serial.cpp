// Idea:    real rows along the last axis by the definition, then the lines of each other axis of what they became; back, the lines
//          first and the rows last. Every later step must agree with this one.
// Expect:  half of what complex grids take: rows have half the results, and half as many lines are left along the other axes.
// Limits:  n² operations for each row and line; errors grow with n, where those of fast transforms grow with its logarithm. One
//          core. It takes calls of up to 2^32 steps.

#include "custom_kernels/fft/detail/many_steps.h"
#include "custom_kernels/fft_nd/detail/serial_lines.h"
#include "custom_kernels/real_fft/detail/serial_rows.h"
#include "custom_kernels/real_fft_nd/detail/passes.h"

namespace tandem {
namespace {

template <class C>
void serial(const typename C::Args& a, Context& ctx) {
  for_each_pass(
      a, ctx, [&](const auto& rows) { serial_rows(ctx, rows); },
      [&](const auto& lines) { serial_lines(ctx, lines); });
}

std::string refuse_long(const RealFftNd::Shape& s, CaseId) {
  double lengths = 0;
  for (const std::int64_t extent : s.extents) lengths += static_cast<double>(extent);
  return refuse_many_steps(static_cast<double>(s.scale()) * lengths * static_cast<double>(s.batch));
}

REGISTER(
    RealFftNd, serial, .note = "real rows, then one axis after the other, by the definition",
    .refuses = refuse_long, .suits = [](const RealFftNd::Shape& s) { return s.scale() <= 16; })

}  // namespace
}  // namespace tandem
