// Idea:    rows are independent, so threads share them.
// New:     against lanes, all cores.
// Expect:  as many times its speed as there are cores, until the memory is busy.
// Limits:  a single row runs on one thread.

#include "custom_kernels/fft/detail/row.h"
#include "lib/core/workers.h"

namespace tandem {
namespace {

constexpr std::int64_t kPieceNumbers = 1 << 14;  // about 20 µs of work
constexpr std::int64_t kAloneNumbers = 1 << 15;  // up to this many, one thread

template <class C>
void threads(const typename C::Args& a, Context& ctx) {
  const RowTransform<C> transform(a, ctx);
  const std::int64_t together = transform.together(), each = transform.scratch(together);
  auto* scratch = ctx.scratch<Complex<typename C::T>>(each * most_workers());
  const std::int64_t groups = (a.batch + together - 1) / together, numbers = together * a.n;
  const Pieces pieces{.size = std::max<std::int64_t>(kPieceNumbers / numbers, 1),
                      .alone = kAloneNumbers / numbers};
  parallel_for(groups, pieces, [&](std::int64_t begin, std::int64_t end, int worker) {
    for (std::int64_t row = begin * together; row < std::min(end * together, a.batch); row += together)
      transform(row, std::min(together, a.batch - row), scratch + worker * each);
  });
}

REGISTER(Fft, threads, .note = "rows shared out among the threads", .depth = Fft::levels_or_convolution)

}  // namespace
}  // namespace tandem
