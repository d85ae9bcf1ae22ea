// Idea:    each thread counts what it keeps of a chunk; the counts are scanned, and each thread compacts chunks to where
//          their results begin.
// New:     against serial, all cores work; and no branch depends on an element, so nothing is guessed wrong: vector
//          instructions write a byte for each of 256 elements, 1 where it is kept; then each is stored in a small array where
//          the next one goes, and the place moves on by its byte. Where few are kept, only their bytes are looked for; a block
//          of which all are is copied.
// Expect:  the elements are read twice, and a share of them written. Marking is at the speed of memory; compacting takes a
//          cycle or two for each element, and a fraction of that where few or all are kept.
// Limits:  reads twice; not in place.
// Source:  Blelloch 1990, "Prefix sums and their applications", section 1.4.

#include "custom_kernels/select/detail/loops.h"
#include "lib/core/workers.h"

namespace tandem {
namespace {

template <class C>
void threads(const typename C::Args& a, Context& ctx) {
  const std::int64_t chunks = (a.n + kSelectChunk - 1) / kSelectChunk;
  const Pieces pieces{.alone = kSelectAlone / kSelectChunk};
  auto* before = ctx.scratch<std::int64_t>(chunks);  // how many are kept in the chunk, then: before it
  const auto each = [&](auto body) {
    parallel_for(chunks, pieces, [&](std::int64_t begin, std::int64_t end, int) {
      for (std::int64_t c = begin; c < end; ++c)
        body(c, c * kSelectChunk, std::min(a.n, (c + 1) * kSelectChunk));
    });
  };
  each([&](std::int64_t c, std::int64_t begin, std::int64_t end) { before[c] = count_kept(a, begin, end); });
  std::int64_t kept = 0;
  for (std::int64_t c = 0; c < chunks; ++c) {
    const std::int64_t here = before[c];
    before[c] = kept;
    kept += here;
  }
  each([&](std::int64_t c, std::int64_t begin, std::int64_t end) {
    compact(a, begin, end, a.out + before[c], a.out + kept + (begin - before[c]));
  });
  *a.count = kept;
}

REGISTER(Select, threads, .note = "count chunks, scan the counts, compact chunks")

}  // namespace
}  // namespace tandem
