// Idea:    rows are independent, so threads share them.
// New:     against stockham, all cores.
// Expect:  as many times its speed as there are cores, until the memory is busy.
// Limits:  a single row runs on one thread.

#include "custom_kernels/fft/detail/row.h"
#include "lib/core/workers.h"

namespace tandem {
namespace {

constexpr std::int64_t kPieceNumbers = 1 << 12;  // about 20 µs of work
constexpr std::int64_t kAloneNumbers = 1 << 14;  // up to this many, one thread

template <class C>
void threads(const typename C::Args& a, Context& ctx) {
  const RowTransform<C> transform(a, ctx);
  auto* scratch = ctx.scratch<Complex<typename C::T>>(transform.scratch() * most_workers());
  const Pieces rows{.size = std::max<std::int64_t>(kPieceNumbers / a.n, 1), .alone = kAloneNumbers / a.n};
  parallel_for(a.batch, rows, [&](std::int64_t begin, std::int64_t end, int worker) {
    for (std::int64_t row = begin; row < end; ++row) transform(row, scratch + worker * transform.scratch());
  });
}

REGISTER(Fft, threads, .note = "rows shared out among the threads", .depth = Fft::levels_or_convolution)

}  // namespace
}  // namespace tandem
