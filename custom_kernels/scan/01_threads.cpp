// Idea:    cut the array into parts; each thread reduces its part, the totals are scanned, and each thread
//          scans its part starting from the total before it.
// New:     against serial, one part more than threads: thread 0 scans part 0 at once, because nothing
//          precedes it, and the last part is never reduced, because nothing follows it.
// Expect:  2n/(p + 1) steps on p threads instead of n; without the extra part it would be 2n/p, no gain at
//          all for two threads. Three words move per element: two reads and a write.
// Limits:  the parts are few and large: the second phase waits until the last of the first is done. Within a
//          thread each operation still waits for the one before.
// Source:  Blelloch 1990, "Prefix sums and their applications", section 1.3.

#include <algorithm>

#include "lib/core/workers.h"
#include "lib/ops/scan/contract.h"

namespace tandem {
namespace {

constexpr std::int64_t kFewest = 1 << 16;  // of fewer elements a plain loop is done before the threads start

constexpr std::int64_t kElementsPerThread = 1 << 15;  // fewer are not worth a thread

template <class C>
typename C::Acc reduce_part(const typename C::T* in, std::int64_t n) {
  auto running = C::identity();
  for (std::int64_t i = 0; i < n; ++i) running = typename C::Op{}(running, C::load(in[i]));
  return running;
}

template <class C>
typename C::Acc scan_part(const typename C::T* in, std::int64_t n, typename C::T* out, bool exclusive,
                          typename C::Acc running) {
  for (std::int64_t i = 0; i < n; ++i) {
    const auto next = typename C::Op{}(running, C::load(in[i]));
    out[i] = C::result(exclusive ? running : next);
    running = next;
  }
  return running;
}

template <class C>
void threads(const typename C::Args& a, Context& ctx) {
  const auto count = std::clamp<std::int64_t>(a.n / kElementsPerThread, 1, most_workers());
  const auto begin = [&](std::int64_t part) {
    return a.n / (count + 1) * part + std::min(part, a.n % (count + 1));
  };
  const auto size = [&](std::int64_t part) { return begin(part + 1) - begin(part); };
  auto* through = ctx.scratch<typename C::Acc>(count);  // op over all parts up to and including this one

  parallel_for(count, {}, [&](std::int64_t first, std::int64_t end, int) {
    for (std::int64_t t = first; t < end; ++t) {
      through[t] = t == 0 ? scan_part<C>(a.in, size(0), a.out, a.exclusive, a.init)
                          : reduce_part<C>(a.in + begin(t), size(t));
    }
  });
  for (std::int64_t t = 1; t < count; ++t) through[t] = typename C::Op{}(through[t - 1], through[t]);
  parallel_for(count, {}, [&](std::int64_t first, std::int64_t end, int) {
    for (std::int64_t t = first; t < end; ++t)
      scan_part<C>(a.in + begin(t + 1), size(t + 1), a.out + begin(t + 1), a.exclusive, through[t]);
  });
}

REGISTER(
    Scan, threads, .note = "threads reduce parts, scan totals, scan parts",
    .suits = [](const Scan::Shape& s) { return s.n >= kFewest; })

}  // namespace
}  // namespace tandem
