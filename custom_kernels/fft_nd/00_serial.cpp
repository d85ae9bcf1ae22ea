// Idea:    one axis after the other: each of its lines by the definition, the first axis from in to out, the others in place. Every
//          later step must agree with this one.
// Expect:  8 n operations of a number for an axis of n, instead of 8 times all numbers of the grid.
// Limits:  n² operations for each line; errors grow with n, where those of fast transforms grow with its logarithm. One core.
//          It takes calls of up to 2^32 steps.

#include "custom_kernels/fft/detail/many_steps.h"
#include "custom_kernels/fft_nd/detail/serial_lines.h"

namespace tandem {
namespace {

template <class C>
void serial(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  for_each_axis(a, [&](const Pass<T>& pass) { serial_lines(ctx, pass); });
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
