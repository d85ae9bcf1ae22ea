// Idea:    a thread for each result, by the definition.
// Expect:  8 n operations for each result; the lanes of a warp read the same number of the row, one request, and each another
//          root of the table. So arithmetic bounds it up to some 100 points, and latency of the table beyond.
// Limits:  n² operations. In place the rows are copied first.

#include "custom_kernels/real_fft/detail/naive_rows.cuh"

namespace tandem {
namespace {

template <class C>
void naive(const typename C::Args& given, Context& ctx) {
  using T = typename C::T;
  typename C::Args a = given;
  if (a.in == a.out) {
    const std::int64_t parts = a.inverse ? 2 * ((a.batch - 1) * a.in_distance + RealFft::spectrum_size(a.n))
                                         : (a.batch - 1) * a.in_distance + a.n;
    auto* copy = ctx.scratch<T>(parts);
    ctx.copy(copy, a.in, static_cast<std::size_t>(parts) * sizeof(T));
    a.in = copy;
  }
  naive_rows(ctx, a);
}

REGISTER(
    RealFft, naive, .note = "the definition, a thread for each result",
    .suits = [](const RealFft::Shape& s) { return s.n <= 16; })

}  // namespace
}  // namespace tandem
