// Idea:    a thread compacts a chunk within its cache; how many elements are kept before it is told by the chunk before,
//          as soon as that has counted its own; then the results are copied to their place.
// New:     against threads, memory is read once. A chunk waits for the counts before it, not for the copies.
// Expect:  a read of each element, and a write of each that is kept: the chunk's results come from the cache. Chunks are
//          taken in ascending order, so that the one that all others wait for is always being worked on.
// Limits:  a thread that the system stops holds up the others for as long. A partition moves the others twice. Only unique
//          cannot be in place: a chunk looks at the element before it.
// Source:  Merrill, Garland 2016, "Single-pass parallel prefix scan with decoupled look-back", with one word for each
//          chunk, because there are few.

#include <atomic>
#include <thread>

#include "custom_kernels/select/detail/loops.h"
#include "lib/core/workers.h"

namespace tandem {
namespace {

/// Waits until the value of a counter is there, which is not negative.
std::int64_t wait_for(const std::int64_t& value) {
  const std::atomic_ref there(const_cast<std::int64_t&>(value));
  for (int spins = 0;; ++spins) {
    if (const std::int64_t now = there.load(std::memory_order_acquire); now >= 0) return now;
    if (spins > 1000) std::this_thread::yield();
  }
}

template <class C>
void one_pass(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  const std::int64_t chunks = (a.n + kSelectChunk - 1) / kSelectChunk;
  const Pieces pieces{.alone = kSelectAlone / kSelectChunk};
  T* const caches = ctx.scratch<T>(most_workers() * kSelectChunk);
  T* const others = a.kind == Select::Kind::partition ? ctx.scratch<T>(a.n) : nullptr;
  auto* through =
      ctx.scratch<std::int64_t>(chunks + 1);  // how many are kept before each chunk, −1: not known yet
  std::fill_n(through, chunks + 1, -1);
  through[0] = 0;

  parallel_for(chunks, pieces, [&](std::int64_t first, std::int64_t last, int worker) {
    T* const cache = caches + worker * kSelectChunk;
    for (std::int64_t c = first; c < last; ++c) {
      const std::int64_t begin = c * kSelectChunk, end = std::min(a.n, begin + kSelectChunk);
      const std::int64_t kept = compact(a, begin, end, cache, others ? others + begin : nullptr);
      const std::int64_t before = wait_for(through[c]);
      std::atomic_ref(through[c + 1]).store(before + kept, std::memory_order_release);
      std::copy_n(cache, kept, a.out + before);
    }
  });
  const std::int64_t kept = through[chunks];
  *a.count = kept;
  if (!others) return;
  parallel_for(chunks, pieces, [&](std::int64_t first, std::int64_t last, int) {
    for (std::int64_t c = first; c < last; ++c) {
      const std::int64_t begin = c * kSelectChunk, size = std::min(a.n, begin + kSelectChunk) - begin;
      std::copy_n(others + begin, size - (through[c + 1] - through[c]), a.out + kept + begin - through[c]);
    }
  });
}

std::string looks_back(const Select::Shape& shape, CaseId) {
  if (!shape.in_place || shape.kind != Select::Kind::unique) return {};
  return "unique in place: a chunk looks at the element before it, which may be overwritten";
}

REGISTER(Select, one_pass, .note = "compact chunks in the cache, copy them behind each other",
         .refuses = looks_back)

}  // namespace
}  // namespace tandem
